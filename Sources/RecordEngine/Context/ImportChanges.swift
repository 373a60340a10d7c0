public import RecordModel

/// What a save changed. Rule: `request.changes`.
public struct ImportChanges: Sendable, Equatable {
  /// A record that was there before, and which of its properties have changed.
  public struct Update: Sendable, Equatable {
    public var id: RecordID
    /// In the model's order, attributes first.
    public var properties: [PropertyName]
  }

  /// In the order in which they were made.
  public var inserted: [RecordID] = []
  public var updated: [Update] = []
  public var deleted: [RecordID] = []

  /// Whether nothing was written.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ImportChanges {
  /// Everything that a change set does, both sides of relationships included.
  init(_ changes: ChangeSet, schema: Schema) {
    inserted = changes.inserted.map(\.id)
    deleted = changes.deleted.map(\.id)
    updated = changes.updated.compactMap { change in
      let entity = schema.entities[change.after.entity]
      var names = entity.attributes
        .filter { change.before.values[$0.column] != change.after.values[$0.column] }.map(\.name)
      for relationship in entity.relationships.map({ schema.relationships[$0] }) {
        guard let slot = relationship.slot, change.before.toOnes[slot] != change.after.toOnes[slot] else {
          continue
        }
        names.append(relationship.name)
      }
      return names.isEmpty ? nil : Update(id: change.after.id, properties: names)
    }
  }
}
