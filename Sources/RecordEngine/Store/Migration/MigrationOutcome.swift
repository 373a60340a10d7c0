import RecordModel

/// The action that a file requires.
enum MigrationOutcome {
  /// No action is required: the tables of the file match the model.
  case same(StoredModel)
  /// The file can be migrated.
  case migrate
  /// The file cannot be migrated, for these reasons of one sentence each.
  case refuse([String])
}

extension ModelMigration {
  var outcome: MigrationOutcome {
    if let same { return .same(same) }
    return refusals.isEmpty ? .migrate : .refuse(refusals)
  }

  /// The new model with the names and numbers of the file; nil if the tables of the file do not match it. They do not
  /// match if an entity or property was renamed, moved, or changed in a way that affects the tables.
  private var same: StoredModel? {
    var result = new
    guard new.entities.count == old.entities.count else { return nil }
    for (index, entity) in new.entities.enumerated() {
      guard let old = entities[index], old.name == entity.name, self.old.entities[index].name == entity.name,
        old.parent == entity.parent,
        old.key == entity.key, old.attributes.count == entity.attributes.count,
        old.relationships.count == entity.relationships.count,
        entity.isAbstract == old.isAbstract || !entity.isAbstract
      else { return nil }
      result.entities[index].number = old.number
      result.entities[index].table = old.table
      for (position, attribute) in entity.attributes.enumerated() {
        guard old.attributes[position].name == attribute.name,
          let old = attributes[index][position], old.name == attribute.name, attribute.type.holds(old.type),
          attribute.isOptional || !old.isOptional
        else { return nil }
        result.entities[index].attributes[position].column = old.column
      }
      for (position, relationship) in entity.relationships.enumerated() {
        guard old.relationships[position].name == relationship.name,
          let old = relationships[index][position], old.name == relationship.name,
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
}

extension AttributeType {
  /// Returns a Boolean value that indicates whether every value of the other type is also a value of this type, in the
  /// same stored form.
  func holds(_ other: AttributeType) -> Bool {
    switch (other, self) {
    case (.int16, .int32), (.int16, .int64), (.int32, .int64), (.float, .double): true
    default: other == self
    }
  }
}
