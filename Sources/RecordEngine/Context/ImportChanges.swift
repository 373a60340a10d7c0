import OrderedCollections
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
    var relationships: OrderedDictionary<RecordID, Set<Int>> = [:]
    for change in changes.members { relationships[change.owner, default: []].insert(change.relationship) }
    for change in changes.updated {
      let entity = schema.entities[change.after.entity]
      var names = entity.attributes
        .filter { change.before.values[$0.column] != change.after.values[$0.column] }.map(\.name)
      let members = relationships.removeValue(forKey: change.after.id) ?? []
      for relationship in entity.relationships.map({ schema.relationships[$0] }) {
        let isChanged =
          relationship.slot.map { change.before.toOnes[$0] != change.after.toOnes[$0] }
          ?? members.contains(relationship.index)
        if isChanged { names.append(relationship.name) }
      }
      if !names.isEmpty { updated.append(Update(id: change.after.id, properties: names)) }
    }
    let isInserted = Set(inserted)
    for (id, members) in relationships where !isInserted.contains(id) {
      updated.append(Update(id: id, properties: members.sorted().map { schema.relationships[$0].name }))
    }
  }
}
