import OrderedCollections
import RecordModel

extension WorkingGraph {
  /// Applies changes to the current records, property by property: those of a context to rows that have been read again, those
  /// of a response to the records of its context, or those of a child to its parent.
  ///
  /// - Properties that the changes do not set stay. Changes of records that no longer exist are dropped, and so are links to
  ///   them.
  /// - An inserted record becomes the record that already has its key. Only its nonempty values that differ from the defaults
  ///   count. If the other record was deleted here, the deletion is canceled, and all values count.
  /// - No delete rules are applied, because they have been applied before.
  ///
  /// To-one relationships are first emptied and then set, so the order of the changes does not matter.
  ///
  /// - Returns: the existing records that inserted records have become, by the inserted record.
  /// - Complexity: linear in the number of changes, with a fixed number of queries for each relationship and key scope.
  @discardableResult
  mutating func apply(_ changes: ChangeSet) throws(StoreError) -> [RecordID: RecordID] {
    let successors = try successors(of: changes)
    let changes = successors.isEmpty ? changes : changes.replacing { successors[$0] ?? $0 }
    var toOnes = changes.toOnes(schema)
    try prepare(changes, toOnes)
    let existing = Set(successors.values)
    try restore(changes.inserted.filter { existing.contains($0.id) && isDeleted($0.id) })
    var columns = EntityColumns(schema: schema)
    var formerEntities: [RecordID: EntityIndex] = [:]
    for row in changes.inserted {
      if existing.contains(row.id) {
        // A restored record already has these values.
        try fill(row, &formerEntities)
      } else {
        insert(row.withoutToOnes)
      }
    }
    for update in changes.updated { try apply(update, &formerEntities, &columns) }
    try leaveOthersRelationships(formerEntities)
    for (end, target) in toOnes where target == nil { try apply(end, nil) }
    toOnes.removeAll { $0.target == nil }
    for (end, target) in toOnes { try apply(end, target) }
    for link in changes.unlinked { try apply(link, isThere: false) }
    for link in changes.linked { try apply(link, isThere: true) }
    for id in changes.deleted.map(\.id) { try remove(id) }
    for ordering in changes.orderings { try apply(ordering) }
    for end in changes.namedEnds { name(end) }
    return successors.filter { $0.key != $0.value }
  }

  // MARK: Records

  private mutating func apply(
    _ update: ChangeSet.Update, _ formerEntities: inout [RecordID: EntityIndex],
    _ columns: inout EntityColumns
  ) throws(StoreError) {
    let (before, after) = (update.before, update.after)
    guard let row = try row(after.id) else { return }
    // Attributes that only the new entity has would have their default values.
    let isEntityChanged = before.entity != after.entity
    if isEntityChanged {
      formerEntities[row.id] = row.entity
      try changeEntity(of: row.id, to: after.entity)
    }
    let formerColumns = isEntityChanged ? columns[before.entity] : []
    let newColumns = columns[knownRow(after.id)?.entity ?? after.entity]
    self.update(after.id) { row in
      for column in newColumns
      where before.values[column] != after.values[column]
        || isEntityChanged && !formerColumns.contains(column)
      {
        row.values[column] = after.values[column]
      }
      if before.isStub != after.isStub { row.isStub = after.isStub }
    }
  }

  /// Sets the values of an inserted record on the existing record that it has become.
  private mutating func fill(
    _ inserted: Row, _ formerEntities: inout [RecordID: EntityIndex]
  ) throws(StoreError) {
    guard let row = try row(inserted.id) else { return }
    if schema.isKind(inserted.entity, of: row.entity), inserted.entity != row.entity {
      formerEntities[row.id] = row.entity
      try changeEntity(of: row.id, to: inserted.entity)
    }
    let attributes = schema.entities[knownRow(row.id)?.entity ?? row.entity].attributes
    update(row.id) { row in
      for attribute in attributes {
        guard let value = inserted.values[attribute.column], value != attribute.defaultValue else { continue }
        row.values[attribute.column] = value
      }
      if !inserted.isStub { row.isStub = false }
    }
  }

  /// Cancels the deletion of records, and resets their properties to those of inserted records with the same keys.
  private mutating func restore(_ inserted: [Row]) throws(StoreError) {
    if inserted.isEmpty { return }
    for row in inserted { undelete(row.id) }
    let former = inserted.compactMap { knownRow($0.id) }
    try prepareRelated(former)
    for row in former {
      for relationship in schema.entities[row.entity].relationships { try clear(relationship, of: row.id) }
    }
    try leaveOwners(former)
    for row in inserted {
      update(row.id) { restored in
        (restored.entity, restored.values, restored.isStub) = (row.entity, row.values, row.isStub)
      }
    }
  }

  /// The columns of entities, computed on first access.
  private struct EntityColumns {
    let schema: Schema
    private var columns: [EntityIndex: Set<ColumnIndex>] = [:]

    init(schema: Schema) { self.schema = schema }

    subscript(entity: EntityIndex) -> Set<ColumnIndex> {
      mutating get {
        if let known = columns[entity] { return known }
        let found = Set(schema.entities[entity].attributes.map(\.column))
        columns[entity] = found
        return found
      }
    }
  }

  // MARK: Relationships

  private mutating func apply(_ end: RelationshipEnd, _ target: RecordID?) throws(StoreError) {
    guard try has(end.relationship, end.owner) else { return }
    if let target, try !canLead(end.relationship, to: target) { return }
    try setToOne(end.relationship, of: end.owner, to: target)
  }

  private mutating func apply(_ link: Link, isThere: Bool) throws(StoreError) {
    guard try has(link.relationship, link.owner) else { return }
    if isThere {
      guard try canLead(link.relationship, to: link.member) else { return }
      try addMember(link.member, to: link.relationship, of: link.owner)
    } else {
      try removeMember(link.member, from: link.relationship, of: link.owner)
    }
  }

  private mutating func apply(_ ordering: ChangeSet.Ordering) throws(StoreError) {
    guard try has(ordering.relationship, ordering.owner) else { return }
    if let order = ordering.order {
      let present = try members(of: ordering.relationship, owner: ordering.owner)
      let (isPresent, isOrdered) = (Set(present), Set(order))
      try setOrder(
        order.filter(isPresent.contains) + present.filter { !isOrdered.contains($0) },
        of: ordering.relationship, owner: ordering.owner)
    } else {
      try placeLast(ordering.added, in: ordering.relationship, of: ordering.owner)
    }
  }

  /// Returns whether a record exists and its entity is a valid destination of a relationship.
  private mutating func canLead(
    _ relationship: RelationshipIndex, to id: RecordID
  ) throws(StoreError) -> Bool {
    guard let row = try row(id) else { return false }
    return schema.isKind(row.entity, of: schema.relationships[relationship].destination)
  }

  /// Returns whether a record exists and its entity has a relationship.
  private mutating func has(_ relationship: RelationshipIndex, _ id: RecordID) throws(StoreError) -> Bool {
    guard let row = try row(id) else { return false }
    return schema.isKind(row.entity, of: schema.relationships[relationship].entity)
  }

  // MARK: Reading

  private typealias ToOne = (end: RelationshipEnd, target: RecordID?)

  /// Reads all records that the changes need, with a fixed number of queries for each relationship.
  private mutating func prepare(_ changes: ChangeSet, _ toOnes: [ToOne]) throws(StoreError) {
    let isInserted = Set(changes.inserted.map(\.id).filter { !isKnown($0) })
    var ids = changes.updated.map(\.after.id) + changes.deleted.map(\.id) + changes.orderings.map(\.owner)
    for (end, target) in toOnes {
      ids.append(end.owner)
      if let target { ids.append(target) }
    }
    let links = changes.linked + changes.unlinked
    for link in links { ids += [link.owner, link.member] }
    try load(ids.filter { !isInserted.contains($0) })
    try load(formerPartners(toOnes))
    try prepareRelated(changes.deleted.compactMap { knownRow($0.id) })
    let byRelationship = Dictionary(grouping: links, by: \.relationship)
    for (relationship, links) in byRelationship.sorted(by: { $0.key < $1.key }) {
      let known = links.filter { !isInserted.contains($0.owner) && !isInserted.contains($0.member) }
      try prepareMemberships(of: relationship, known.map { ($0.owner, $0.member) })
    }
    let ordered = changes.orderings.filter { $0.order != nil && !isInserted.contains($0.owner) }
    try prepare(ordered.map { RelationshipEnd(relationship: $0.relationship, owner: $0.owner) })
  }

  /// Returns the former partners of both ends of one-to-one relationships, which are unlinked when the ends are linked.
  private func formerPartners(_ toOnes: [ToOne]) -> [RecordID] {
    var partners: [RecordID] = []
    for (end, target) in toOnes {
      let relationship = schema.relationships[end.relationship]
      guard relationship.isInverseToOne, let slot = relationship.slot,
        let inverseSlot = relationship.inverse.flatMap({ schema.relationships[$0].slot })
      else { continue }
      partners += [
        knownRow(end.owner)?.toOnes[slot], target.flatMap { knownRow($0)?.toOnes[inverseSlot] },
      ].compactMap(\.self)
    }
    return partners
  }
}

extension ChangeSet {
  /// Returns the to-one relationships that the changes set or empty.
  fileprivate func toOnes(_ schema: Schema) -> [(end: RelationshipEnd, target: RecordID?)] {
    var toOnes: [(end: RelationshipEnd, target: RecordID?)] = []
    func note(_ slot: SlotIndex, of owner: RecordID, _ target: RecordID?) {
      let relationship = schema.trees[owner.tree].toOnes[for: slot]
      toOnes.append((RelationshipEnd(relationship: relationship, owner: owner), target))
    }
    for row in inserted {
      for (slot, target) in row.slots where target != nil { note(slot, of: row.id, target) }
    }
    for update in updated {
      for (slot, target) in update.after.slots where target != update.before.toOnes[slot] {
        note(slot, of: update.after.id, target)
      }
    }
    return toOnes
  }
}

extension Row {
  fileprivate var withoutToOnes: Row {
    var row = self
    row.toOnes = Array(repeating: nil, count: toOnes.count)
    return row
  }
}
