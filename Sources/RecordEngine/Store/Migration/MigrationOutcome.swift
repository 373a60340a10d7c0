import RecordModel

/// The action that a file requires.
enum MigrationOutcome {
  /// No action is required: the tables of the file match the model.
  case same
  /// The file can be migrated.
  case migrate
  /// The file cannot be migrated, for these reasons of one sentence each.
  case refuse([String])
}

extension ModelMigration {
  var outcome: MigrationOutcome {
    if matchesTables { return .same }
    return refusals.isEmpty ? .migrate : .refuse(refusals)
  }

  /// A Boolean value that indicates whether the tables of the file match the new model. They do not match if an entity or
  /// property was renamed, moved, or changed in a way that affects the tables.
  private var matchesTables: Bool {
    guard new.entities.count == old.entities.count else { return false }
    var result = old
    for (index, entity) in new.entities.enumerated() {
      let former = old.entities[index]
      guard entities[index] == former, attributes[index] == former.attributes,
        relationships[index] == former.relationships
      else { return false }
      result.entities[index].adopt(entity)
    }
    return result == new
  }
}

extension StoredModel.Entity {
  /// Adopts the differences of a newer version of the entity that do not affect its table. Both versions must have the
  /// same number of properties.
  fileprivate mutating func adopt(_ new: StoredModel.Entity) {
    identifier = new.identifier
    isAbstract = isAbstract && new.isAbstract
    for (position, attribute) in new.attributes.enumerated() {
      attributes[position].identifier = attribute.identifier
      if attribute.type.holds(attributes[position].type) { attributes[position].type = attribute.type }
      if attribute.isOptional { attributes[position].isOptional = true }
    }
    for (position, relationship) in new.relationships.enumerated() {
      relationships[position].identifier = relationship.identifier
      if relationship.isOptional { relationships[position].isOptional = true }
    }
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
