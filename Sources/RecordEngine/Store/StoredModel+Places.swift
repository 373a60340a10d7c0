import RecordModel

extension StoredModel {
  /// The model with the names and numbers that a file has given to the same entities and properties; nil if the file
  /// would have to keep something else. The order of entities and properties means nothing.
  func adoptingPlaces(of file: StoredModel) -> StoredModel? {
    var result = self
    guard entities.count == file.entities.count else { return nil }
    for (index, entity) in entities.enumerated() {
      guard let old = file.entities.first(where: { $0.name == entity.name }), old.parent == entity.parent,
        old.key == entity.key, old.attributes.count == entity.attributes.count,
        old.relationships.count == entity.relationships.count,
        entity.isAbstract == old.isAbstract || !entity.isAbstract
      else { return nil }
      result.entities[index].number = old.number
      result.entities[index].table = old.table
      for (position, attribute) in entity.attributes.enumerated() {
        guard let old = old.attributes.first(where: { $0.name == attribute.name }),
          attribute.type.holds(old.type), attribute.isOptional || !old.isOptional
        else { return nil }
        result.entities[index].attributes[position].column = old.column
      }
      for (position, relationship) in entity.relationships.enumerated() {
        guard let old = old.relationships.first(where: { $0.name == relationship.name }),
          old.destination == relationship.destination, old.isToMany == relationship.isToMany,
          old.isOrdered == relationship.isOrdered, old.inverse == relationship.inverse,
          relationship.isOptional || !old.isOptional, (old.table == nil) == (relationship.table == nil)
        else { return nil }
        result.entities[index].relationships[position].column = old.column
        result.entities[index].relationships[position].position = old.position
        result.entities[index].relationships[position].table = old.table
      }
    }
    return result
  }

  /// The model in an order of its own.
  var sorted: StoredModel {
    var result = self
    for index in entities.indices {
      result.entities[index].attributes.sort { $0.name < $1.name }
      result.entities[index].relationships.sort { $0.name < $1.name }
    }
    result.entities.sort { $0.name < $1.name }
    return result
  }
}

extension AttributeType {
  /// Whether every value of the other type is one of this, written the same way.
  func holds(_ other: AttributeType) -> Bool {
    switch (other, self) {
    case (.int16, .int32), (.int16, .int64), (.int32, .int64), (.float, .double): true
    default: other == self
    }
  }
}
