import OrderedCollections
public import RecordModel

/// The records that a save or a request inserted, updated, deleted or left unchanged. Rule: `request.changes`.
public struct ImportChanges: Sendable, Equatable {
  /// A record that existed before, and its changed properties.
  public struct Update: Sendable, Equatable {
    /// The identifier of the updated record.
    public var id: RecordID
    /// The changed properties in the model's order, attributes first.
    public var changes: [PropertyChange]

    /// The names of the changed properties.
    public var properties: [PropertyName] { changes.map(\.name) }
  }

  /// The inserted records, in the order of their creation.
  public var inserted: [RecordID] = []
  /// The existing records that changed. A changed relationship is listed for the record whose item contains it, or whose
  /// property you have set, and not for the record at the other end.
  public var updated: [Update] = []
  /// The deleted records, including those that a delete rule deleted with another record.
  public var deleted: [RecordID] = []
  /// The records that existed before and that the response mentions without changing them. Always empty for
  /// ``ManagedObjectContext/save()``.
  public var unchanged: [RecordID] = []

  /// A Boolean value that indicates whether nothing was inserted, updated or deleted.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// The change of one property of a record.
public struct PropertyChange: Sendable, Equatable {
  /// The old and the new values of a property.
  public enum Values: Sendable, Equatable {
    case attribute(from: AttributeValue?, to: AttributeValue?)
    case toOne(from: RecordID?, to: RecordID?)
    /// The new and the former members. Both lists are empty if only the order of the members changed.
    case toMany(added: [RecordID], removed: [RecordID])
  }

  /// The name of the property.
  public var name: PropertyName
  /// The old and the new values.
  public var values: Values

  /// Creates a change of the property with the given name.
  package init(name: PropertyName, values: Values) {
    self.name = name
    self.values = values
  }
}

extension WorkingGraph {
  /// Returns the changed attributes of a stored record, and those of the given relationships that have changed.
  mutating func propertyChanges(of id: RecordID, relationships: [RelationshipIndex]) -> [PropertyChange] {
    guard let index = indices[id], let stored = records[index].stored else { return [] }
    var row = records[index].row
    if hasDeletions { row = withoutDeletedTargets(row) }
    var changes: [PropertyChange] = []
    if row.values != stored.values {
      for attribute in schema.entities[row.entity].attributes {
        let (from, to) = (stored.values[attribute.column], row.values[attribute.column])
        if from == to { continue }
        changes.append(PropertyChange(name: attribute.name, values: .attribute(from: from, to: to)))
      }
    }
    for relationship in relationships {
      guard let values = relationshipChange(relationship, from: stored, to: row) else { continue }
      changes.append(PropertyChange(name: schema.relationships[relationship].name, values: values))
    }
    return changes
  }

  private mutating func relationshipChange(
    _ relationship: RelationshipIndex, from stored: Row, to row: Row
  ) -> PropertyChange.Values? {
    if let slot = schema.relationships[relationship].slot {
      let (from, to) = (stored.toOnes[slot], row.toOnes[slot])
      return from == to ? nil : .toOne(from: from, to: to)
    }
    return memberChange(of: relationship, owner: row.id).map {
      .toMany(added: Array($0.added), removed: Array($0.removed))
    }
  }
}

extension ImportChanges {
  /// Creates a description of the unsaved changes of a graph.
  init(_ changes: ChangeSet, in graph: inout WorkingGraph) throws(StoreError) {
    inserted = changes.inserted.map(\.id)
    deleted = changes.deleted.map(\.id)
    let namedEnds = Dictionary(grouping: changes.namedEnds, by: \.owner)
    try graph.load(namedEnds.keys.sorted())
    for id in OrderedSet(changes.updated.map(\.after.id) + changes.namedEnds.map(\.owner)) {
      let named = OrderedSet(namedEnds[id] ?? []).map(\.relationship).sorted()
      let properties = graph.propertyChanges(of: id, relationships: named)
      if !properties.isEmpty, !graph.isDeleted(id) { updated.append(Update(id: id, changes: properties)) }
    }
  }
}
