import OrderedCollections
public import RecordModel

/// What a save changed. Rule: `request.changes`.
public struct ImportChanges: Sendable, Equatable {
  /// A record that was there before, and what has changed of it.
  public struct Update: Sendable, Equatable {
    public var id: RecordID
    /// In the model's order, attributes first.
    public var changes: [PropertyChange]

    /// The names of the properties that have changed.
    public var properties: [PropertyName] { changes.map(\.name) }
  }

  /// In the order in which they were made. A save lists those that the caller has inserted before those of unsaved responses.
  public var inserted: [RecordID] = []
  public var updated: [Update] = []
  public var deleted: [RecordID] = []
  /// Of a response: the records that it brought and that were there before, and left as they were. Of a save by hand: none.
  public var unchanged: [RecordID] = []

  /// Whether nothing was written.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// What has become of one property of a record.
public struct PropertyChange: Sendable, Equatable {
  public enum Values: Sendable, Equatable {
    case attribute(from: AttributeValue?, to: AttributeValue?)
    case toOne(from: RecordID?, to: RecordID?)
    /// None of either: the members have another order.
    case toMany(added: [RecordID], removed: [RecordID])
  }

  public var name: PropertyName
  public var values: Values

  public init(name: PropertyName, values: Values) {
    self.name = name
    self.values = values
  }
}

extension PropertyChange {
  /// The attributes that differ between two rows of one record.
  static func attributes(_ before: Row, _ after: Row, _ entity: SchemaEntity) -> [PropertyChange] {
    entity.attributes.compactMap { attribute in
      let (from, to) = (before.values[attribute.column], after.values[attribute.column])
      if from == to { return nil }
      return PropertyChange(name: attribute.name, values: .attribute(from: from, to: to))
    }
  }
}

extension ImportChanges {
  /// Describes what a save of a context changed.
  ///
  /// - Parameter named: the relationships that changes have named: one whose inverse alone was named does not count.
  ///   A to-one also counts if an inserted record took its target and was deleted again, which left it empty.
  init(_ changes: ChangeSet, named: OrderedSet<RelationshipEnd>, schema: Schema) {
    inserted = changes.inserted.map(\.id)
    deleted = changes.deleted.map(\.id)
    var rows: [RecordID: ChangeSet.Update] = [:]
    for update in changes.updated { rows[update.after.id] = update }
    let relationships = changes.memberChanges(schema)
    let named = (named + changes.endsLeftEmpty(named, rows, schema)).filter { relationships[$0] != nil }
    let isInserted = Set(inserted)
    let namedByOwner = Dictionary(grouping: named, by: \.owner)
    for id in OrderedSet(changes.updated.map(\.after.id) + named.map(\.owner)) where !isInserted.contains(id)
    {
      var properties: [PropertyChange] = []
      if let row = rows[id] {
        properties = PropertyChange.attributes(row.before, row.after, schema.entities[row.after.entity])
      }
      for index in Set((namedByOwner[id] ?? []).map(\.relationship)).sorted() {
        let relationship = schema.relationships[index]
        let members = relationships[RelationshipEnd(relationship: index, owner: id)]
        let values: PropertyChange.Values =
          if let slot = relationship.slot {
            .toOne(from: rows[id]?.before.toOnes[slot], to: rows[id]?.after.toOnes[slot])
          } else {
            .toMany(added: members?.added ?? [], removed: members?.removed ?? [])
          }
        properties.append(PropertyChange(name: relationship.name, values: values))
      }
      if !properties.isEmpty { updated.append(Update(id: id, changes: properties)) }
    }
  }
}

extension ChangeSet {
  /// Returns the to-ones that became empty although neither side was named and both records exist: an inserted record took
  /// the target and was deleted before the save.
  ///
  /// - Parameter rows: the updates by record.
  fileprivate func endsLeftEmpty(
    _ named: OrderedSet<RelationshipEnd>, _ rows: [RecordID: ChangeSet.Update], _ schema: Schema
  ) -> [RelationshipEnd] {
    lazy var isDeleted = Set(deleted.lazy.map(\.id))
    var ends: [RelationshipEnd] = []
    for update in updated {
      for (slot, relationship) in schema.trees[update.after.id.tree].toOnes.enumerated()
      where update.after.toOnes[slot] == nil {
        let end = RelationshipEnd(relationship: relationship, owner: update.after.id)
        guard let former = update.before.toOnes[slot], !named.contains(end), !isDeleted.contains(former)
        else {
          continue
        }
        // Without inverse, an end is named wherever it changes.
        guard let inverse = schema.relationships[relationship].inverse,
          !named.contains(RelationshipEnd(relationship: inverse, owner: former))
        else { continue }
        // The partner has another one now.
        if let slot = schema.relationships[inverse].slot, rows[former]?.after.toOnes[slot] != nil { continue }
        ends.append(end)
      }
    }
    return ends
  }
}

extension ImportChanges {
  /// Returns the changes with records that have become others replaced by these.
  func replacing(_ successors: [RecordID: RecordID]) -> ImportChanges {
    guard !successors.isEmpty else { return self }
    func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
    var changes = self
    changes.inserted = inserted.map(now)
    changes.updated = updated.map { update in
      Update(id: now(update.id), changes: update.changes.map { $0.replacing(now) })
    }
    changes.deleted = deleted.map(now)
    changes.unchanged = unchanged.map(now)
    return changes
  }
}

extension PropertyChange {
  fileprivate func replacing(_ now: (RecordID) -> RecordID) -> PropertyChange {
    switch values {
    case .attribute: self
    case .toOne(let from, let to):
      PropertyChange(name: name, values: .toOne(from: from.map(now), to: to.map(now)))
    case .toMany(let added, let removed):
      PropertyChange(name: name, values: .toMany(added: added.map(now), removed: removed.map(now)))
    }
  }
}
