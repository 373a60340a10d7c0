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

  /// The inserted records, in the order of their creation. A save lists the records that the caller inserted before
  /// those of unsaved responses.
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

extension PropertyChange {
  /// Returns the attributes that differ between two rows of one record.
  static func attributes(_ before: Row, _ after: Row, _ entity: SchemaEntity) -> [PropertyChange] {
    entity.attributes.compactMap { attribute in
      let (from, to) = (before.values[attribute.column], after.values[attribute.column])
      if from == to { return nil }
      return PropertyChange(name: attribute.name, values: .attribute(from: from, to: to))
    }
  }
}

extension ImportChanges {
  /// Creates a description of the changes that a save of a context made.
  ///
  /// - Parameter named: the relationships that changes have named. A relationship does not count if only its inverse
  ///   was named. It also counts if neither side was named and both records exist.
  init(_ changes: ChangeSet, named: OrderedSet<RelationshipEnd>, schema: Schema) {
    inserted = changes.inserted.map(\.id)
    deleted = changes.deleted.map(\.id)
    var rows: [RecordID: ChangeSet.Update] = [:]
    for update in changes.updated { rows[update.after.id] = update }
    let relationships = changes.memberChanges(schema)
    let named = (named + changes.unnamedLosses(named, rows, schema)).filter { relationships[$0] != nil }
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
  /// Returns the relationships that lost a record although neither side was named and both records exist. This happens
  /// if an inserted record took over the target of a to-one and was deleted before the save, and if a record changed
  /// its entity.
  ///
  /// - Parameter rows: the updates, by record.
  fileprivate func unnamedLosses(
    _ named: OrderedSet<RelationshipEnd>, _ rows: [RecordID: ChangeSet.Update], _ schema: Schema
  ) -> [RelationshipEnd] {
    let isDeleted = Set(deleted.lazy.map(\.id))
    func isNamed(_ end: RelationshipEnd, from target: RecordID) -> Bool {
      if named.contains(end) { return true }
      guard let inverse = schema.relationships[end.relationship].inverse else { return false }
      return named.contains(RelationshipEnd(relationship: inverse, owner: target))
    }
    var ends: [RelationshipEnd] = []
    for update in updated {
      for (slot, relationship) in schema.trees[update.after.id.tree].toOnes.enumerated()
      where update.after.toOnes[slot] == nil {
        let end = RelationshipEnd(relationship: relationship, owner: update.after.id)
        guard let former = update.before.toOnes[slot], !isDeleted.contains(former),
          !isNamed(end, from: former)
        else { continue }
        // The former target has a new partner.
        if let inverse = schema.inverse(of: end, from: former),
          let slot = schema.relationships[inverse.relationship].slot, rows[former]?.after.toOnes[slot] != nil
        {
          continue
        }
        ends.append(end)
      }
    }
    for link in unlinked where !isDeleted.contains(link.owner) && !isDeleted.contains(link.member) {
      let end = RelationshipEnd(relationship: link.relationship, owner: link.owner)
      if !isNamed(end, from: link.member) { ends.append(end) }
    }
    return ends
  }
}

extension ImportChanges {
  /// Returns the changes with each record replaced by its successor, if it has one.
  func replacing(_ successors: [RecordID: RecordID]) -> ImportChanges {
    guard !successors.isEmpty else { return self }
    func current(_ id: RecordID) -> RecordID { successors[id] ?? id }
    var changes = self
    changes.inserted = inserted.map(current)
    changes.updated = updated.map { update in
      Update(id: current(update.id), changes: update.changes.map { $0.replacing(current) })
    }
    changes.deleted = deleted.map(current)
    changes.unchanged = unchanged.map(current)
    return changes
  }
}

extension PropertyChange {
  fileprivate func replacing(_ current: (RecordID) -> RecordID) -> PropertyChange {
    switch values {
    case .attribute: self
    case .toOne(let from, let to):
      PropertyChange(name: name, values: .toOne(from: from.map(current), to: to.map(current)))
    case .toMany(let added, let removed):
      PropertyChange(name: name, values: .toMany(added: added.map(current), removed: removed.map(current)))
    }
  }
}
