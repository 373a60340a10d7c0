import OrderedCollections
public import RecordModel

/// What a save changed. Rule: `request.changes`.
public struct ImportChanges: Sendable, Equatable {
  /// A record that was there before, and which of its properties have changed.
  public struct Update: Sendable, Equatable {
    public var id: RecordID
    /// In the model's order, attributes first.
    public var properties: [PropertyName]

    public init(id: RecordID, properties: [PropertyName]) {
      self.id = id
      self.properties = properties
    }
  }

  /// In the order in which they were made.
  public var inserted: [RecordID] = []
  public var updated: [Update] = []
  public var deleted: [RecordID] = []

  /// Whether nothing was written.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ImportChanges {
  /// What a save of edits did: a relationship counts where an edit names it, and not where only its inverse changed.
  init(_ changes: ChangeSet, edits: [Edit], schema: Schema) {
    inserted = changes.inserted.map(\.id)
    deleted = changes.deleted.map(\.id)
    var attributes: [RecordID: [PropertyName]] = [:]
    for change in changes.updated {
      let entity = schema.entities[change.after.entity]
      attributes[change.after.id] = entity.attributes
        .filter { change.before.values[$0.column] != change.after.values[$0.column] }.map(\.name)
    }
    let relationships = changes.changedEnds(schema)
    let named = edits.compactMap(\.relationshipEnd).filter(relationships.contains)
    let isInserted = Set(inserted)
    let namedByOwner = Dictionary(grouping: named, by: \.owner)
    for id in OrderedSet(changes.updated.map(\.after.id) + named.map(\.owner)) where !isInserted.contains(id)
    {
      let ends = Set((namedByOwner[id] ?? []).map(\.relationship))
      let names = (attributes[id] ?? []) + ends.sorted().map { schema.relationships[$0].name }
      if !names.isEmpty { updated.append(Update(id: id, properties: names)) }
    }
  }
}
