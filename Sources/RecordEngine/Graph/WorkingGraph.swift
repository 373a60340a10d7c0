import OrderedCollections
package import RecordModel

/// The index of a record in ``WorkingGraph/records``.
typealias WorkingRecordIndex = ElementIndex<WorkingGraph.WorkingRecord>

/// Rows that have been read from a store, together with their unsaved changes.
///
/// A context has one working graph, and so has the population of a response. Every change keeps both sides of a
/// relationship in agreement (rule `relationships.inverse`). ``changes()`` returns the changes that a save has to
/// write.
///
/// The members of a to-many relationship are derived from the inverse to-one relationship, or from links. Lists of
/// members are built on first access and kept up to date afterwards.
package struct WorkingGraph {
  package let schema: Schema
  package private(set) var reader: any StoreReader

  /// The records that have been read, inserted or deleted here. Their order has no meaning.
  private(set) var records: [WorkingRecord] = []
  private(set) var indices = RecordIndexMap<WorkingRecord>()
  /// The free indices of ``records``.
  private var vacant: [WorkingRecordIndex] = []
  /// The records that may differ from the store, in the order of their first change.
  private(set) var changed: [WorkingRecordIndex] = []
  /// A Boolean value that indicates whether a record has been deleted that other records may still reference.
  private(set) var hasDeletions = false

  // Only this file and `WorkingGraph+Relationships` modify the properties from here to `knownMembers`.

  /// The known links, whether changed or only read.
  var links = LinkStates()
  /// The positions of the links that may differ from the store, in the order of their first change.
  var changedLinks: [Int] = []

  /// For each relationship, a Boolean value that indicates whether ``memberChanges`` contains all its changes.
  var isTracked: [Bool]
  /// For each relationship, the relationship that stores its links.
  let linkRelationships: [RelationshipIndex?]
  /// The changes of the members of tracked to-many relationships.
  var memberChanges: OrderedDictionary<RelationshipEnd, MemberChange> = [:]
  /// Members as the store has them, prefetched for several owners at once.
  var knownMembers: [RelationshipEnd: [RecordID]] = [:]

  /// The relationships that changes have named themselves, not only through their inverses. Rule: `request.changes`.
  private(set) var namedEnds: OrderedSet<RelationshipEnd> = []

  package init(schema: Schema, reader: any StoreReader) {
    self.schema = schema
    self.reader = reader
    // The order in which members are added cannot be determined later, so ordered relationships are tracked from the
    // start.
    isTracked = schema.relationships.map(\.isOrdered)
    linkRelationships = schema.relationships.map(\.linkRelationship)
  }

  struct WorkingRecord {
    /// The row in the store; nil for a new record.
    var stored: Row?
    var row: Row
    var isDeleted = false
    var isChanged = false

    var isNew: Bool {
      if case nil = stored { true } else { false }
    }
  }

  struct MemberChange {
    var added = MemberList()
    var removed = MemberList()
    var order: MemberList?

    var isEmpty: Bool { added.isEmpty && removed.isEmpty && order == nil }
  }
}

// MARK: - Reading

extension WorkingGraph {
  /// Returns a copy that reads all other records from the given reader.
  func reading(from reader: any StoreReader) -> WorkingGraph {
    var copy = self
    copy.reader = reader
    return copy
  }

  /// Returns a Boolean value that indicates whether a record was inserted here and is not in the store.
  // Inlined like the functions below that are called for each link. Without inlining, every call retains the whole
  // graph.
  @inline(__always)
  func isNew(_ id: RecordID) -> Bool {
    guard let index = indices[id] else { return false }
    return records[index].isNew
  }

  /// Returns a Boolean value that indicates whether a record was deleted here. Such a record cannot be linked.
  @inline(__always)
  func isDeleted(_ id: RecordID) -> Bool {
    guard let index = indices[id] else { return false }
    return records[index].isDeleted
  }

  /// Returns a Boolean value that indicates whether a record has been read, inserted or deleted here.
  @inline(__always)
  func isKnown(_ id: RecordID) -> Bool { indices[id] != nil }

  /// Returns a Boolean value that indicates whether a record may differ from the store.
  func isChanged(_ id: RecordID) -> Bool {
    guard let index = indices[id] else { return false }
    return records[index].isChanged
  }

  /// The number of rows in memory.
  package var rowCount: Int { indices.count }

  /// Adds rows that have been read together, unless they are known. This saves one query for each row.
  package mutating func adopt(_ rows: some Sequence<Row>) {
    for row in rows where indices[row.id] == nil { append(WorkingRecord(stored: row, row: row)) }
  }

  @discardableResult
  private mutating func append(_ record: WorkingRecord) -> WorkingRecordIndex {
    if let index = vacant.popLast() {
      records[index] = record
      indices.insert(record.row.id, at: index)
      return index
    }
    let index = records.nextIndex
    indices.insert(record.row.id, at: index)
    records.append(record)
    return index
  }

  /// Reads all rows that are not known, with one query.
  package mutating func load(_ ids: some Sequence<RecordID>) throws(StoreError) {
    let missing = Array(OrderedSet(ids.filter { indices[$0] == nil }))
    guard !missing.isEmpty else { return }
    adopt(try reader.rows(missing).lazy.compactMap(\.self))
  }

  /// Returns the current row of a record; nil if the record does not exist or is deleted.
  package mutating func row(_ id: RecordID) throws(StoreError) -> Row? {
    if indices[id] == nil { try load(CollectionOfOne(id)) }
    return knownRow(id)
  }

  /// Returns the index of a record in ``records``; nil if the record does not exist or is deleted.
  mutating func index(of id: RecordID) throws(StoreError) -> WorkingRecordIndex? {
    if indices[id] == nil { try load(CollectionOfOne(id)) }
    return knownIndex(of: id)
  }

  /// Returns the index of a record that has been read or inserted; nil if it is not known or deleted.
  @inline(__always)
  func knownIndex(of id: RecordID) -> WorkingRecordIndex? {
    guard let index = indices[id], !records[index].isDeleted else { return nil }
    return index
  }

  /// Returns the current row of a record that has been read or inserted; nil if it is not known or deleted.
  @inline(__always)
  package func knownRow(_ id: RecordID) -> Row? {
    guard let index = indices[id], !records[index].isDeleted else { return nil }
    return records[index].row
  }

  /// The rows that may differ from the store, without deleted ones.
  var changedRows: [Row] { changed.lazy.map { records[$0] }.filter { !$0.isDeleted }.map(\.row) }

  /// The records that may differ from the store, including deleted ones.
  var changedIDs: [RecordID] { changed.map { records[$0].row.id } }

  var deletedIDs: Set<RecordID> {
    Set(changed.lazy.filter { records[$0].isDeleted }.map { records[$0].row.id })
  }

  /// Returns the row of a known record as it is in the store; nil if the record is new.
  package func storedRow(_ id: RecordID) -> Row? { indices[id].flatMap { records[$0].stored } }
}

// MARK: - Inserting and setting

extension WorkingGraph {
  /// Inserts a record for each entity, with default values. The attributes of the key stay nil (rule
  /// `identity.default`).
  ///
  /// Reserves the identifiers of each tree with one call.
  ///
  /// - Parameter known: the identifiers of records that already have one; empty if none have.
  package mutating func insert(_ entities: [EntityIndex], as known: [RecordID?] = []) -> [RecordID] {
    var counts = Array(repeating: 0, count: schema.trees.count)
    for entity in entities { counts[for: schema.entities[entity].tree] += 1 }
    var next = zip(schema.trees.elementIndices, counts).map { tree, count in
      count == 0 ? 0 : reader.reserveIDs(tree: tree, count: count).serial
    }
    indices.reserveCapacity(records.count + entities.count)
    records.reserveCapacity(records.count + entities.count)
    changed.reserveCapacity(changed.count + entities.count)
    var rows = [Row?](repeating: nil, count: schema.entities.count)
    return entities.enumerated().map { position, entity in
      let tree = schema.entities[entity].tree
      var id = RecordID(tree: tree, serial: next[for: tree])
      next[for: tree] += 1
      if !known.isEmpty, let known = known[position] { id = known }
      let model = rows[for: entity] ?? newRow(id, entity)
      rows[for: entity] = model
      let row = Row(
        id: id, entity: entity, isStub: false, values: model.values, toOnes: model.toOnes)
      insert(row)
      return id
    }
  }

  /// Inserts a record with a reserved identifier.
  mutating func insert(_ row: Row) {
    let index = append(WorkingRecord(stored: nil, row: row))
    noteChange(index)
  }

  /// Returns the row of a new record, with the default values of its entity.
  func newRow(_ id: RecordID, _ entity: EntityIndex) -> Row {
    let description = schema.entities[entity]
    let tree = schema.trees[description.tree]
    var values = [AttributeValue?](repeating: nil, count: tree.columnCount)
    for attribute in description.attributes { values[attribute.column] = attribute.defaultValue }
    if case .attributes(let positions) = description.key {
      for position in positions { values[description.attributes[position].column] = nil }
    }
    let toOnes = [RecordID?](repeating: nil, count: tree.toOnes.count)
    return Row(id: id, entity: entity, isStub: false, values: values, toOnes: toOnes)
  }

  /// Modifies the row of a known record. `change` must not set relationships, because these have two sides.
  package mutating func update(_ id: RecordID, _ change: (inout Row) -> Void) {
    guard let index = indices[id] else { return }
    change(&records[index].row)
    noteChange(index)
  }

  /// Moves the values out of a record so that they can be modified in place. Return them with
  /// ``giveBack(_:at:isStub:areChanged:)``.
  mutating func takeValues(at index: WorkingRecordIndex) -> [AttributeValue?] {
    var values: [AttributeValue?] = []
    swap(&values, &records[index].row.values)
    return values
  }

  /// Moves values back into a record.
  mutating func giveBack(
    _ values: [AttributeValue?], at index: WorkingRecordIndex, isStub: Bool, areChanged: Bool
  ) {
    records[index].row.values = values
    let isFilled = records[index].row.isStub != isStub
    records[index].row.isStub = isStub
    if areChanged || isFilled { noteChange(index) }
  }

  package mutating func markDeleted(_ id: RecordID) {
    guard let index = indices[id] else { return }
    records[index].isDeleted = true
    hasDeletions = true
    noteChange(index)
  }

  /// Cancels the deletion of a record. Its relationships stay as the deletion has left them.
  mutating func undelete(_ id: RecordID) {
    guard let index = indices[id] else { return }
    records[index].isDeleted = false
  }

  /// Sets one side of a to-one relationship. Does not update the inverse.
  mutating func setSlot(_ slot: SlotIndex, at index: WorkingRecordIndex, to target: RecordID?) {
    records[index].row.toOnes[slot] = target
    noteChange(index)
  }

  mutating func name(_ end: RelationshipEnd) { namedEnds.append(end) }

  private mutating func noteChange(_ index: WorkingRecordIndex) {
    guard !records[index].isChanged else { return }
    records[index].isChanged = true
    changed.append(index)
  }

  /// Discards the rows of unchanged records, so that they are read again on the next access.
  package mutating func forget(_ ids: some Sequence<RecordID>) {
    for id in ids {
      guard let index = indices[id], !records[index].isChanged else { continue }
      indices.remove(id)
      vacant.append(index)
    }
    forgetMembers()
  }

  /// Discards the rows of all records that are neither changed nor in use.
  mutating func forget(unlessUsed isUsed: (RecordID) -> Bool) {
    forget(indices.known.filter { !isUsed($0) }.sorted())
    // Few records are left, so release the memory of the others, too.
    guard vacant.count > records.count / 2, changed.isEmpty else { return }
    let kept = indices.known
    records = kept.compactMap { id in indices[id].map { records[$0] } }
    indices = RecordIndexMap(kept)
    vacant = []
  }

  private mutating func forgetMembers() {
    knownMembers = [:]
    if changedLinks.isEmpty { links = LinkStates() }
  }
}

// MARK: - Determining changes

extension WorkingGraph {
  /// A Boolean value that indicates whether no change has been made, not even one that was reverted.
  var isUntouched: Bool { changed.isEmpty && changedLinks.isEmpty && memberChanges.isEmpty }

  /// A Boolean value that indicates whether any record differs from the store.
  package var hasChanges: Bool { !changes().isEmpty }

  package func changes() -> ChangeSet {
    var result = ChangeSet()
    for index in changed {
      if records[index].isNew {
        if !records[index].isDeleted { result.inserted.append(savedRow(index)) }
      } else if let stored = records[index].stored {
        if records[index].isDeleted {
          result.deleted.append(stored)
        } else {
          let row = savedRow(index)
          if stored != row { result.updated.append(ChangeSet.Update(before: stored, after: row)) }
        }
      }
    }
    for position in changedLinks {
      let (link, state) = (links.links[position], links.states[position])
      guard state.isThere != state.isStored else { continue }
      if !state.isThere {
        result.unlinked.append(link)
      } else if !hasDeletions || schema.relationships[link.relationship].inverse != nil
        || !isDeleted(link.owner) && !isDeleted(link.member)
      {
        result.linked.append(link)
      }
    }
    for (end, change) in memberChanges where schema.relationships[end.relationship].isOrdered {
      guard !isDeleted(end.owner) else { continue }
      let added = hasDeletions ? change.added.filter { !isDeleted($0) } : Array(change.added)
      guard !added.isEmpty || change.order != nil else { continue }
      result.orderings.append(
        ChangeSet.Ordering(
          relationship: end.relationship, owner: end.owner, added: added, order: change.order.map(Array.init))
      )
    }
    result.namedEnds = Array(namedEnds)
    return result
  }

  /// Returns the row that a save writes. To-one relationships without inverse are not updated when their target is
  /// deleted, so they are emptied here.
  private func savedRow(_ index: WorkingRecordIndex) -> Row {
    var row = records[index].row
    guard hasDeletions else { return row }
    for (slot, relationship) in schema.trees[row.id.tree].slots
    where schema.relationships[relationship].inverse == nil && row.toOnes[slot].map(isDeleted) ?? false {
      row.toOnes[slot] = nil
    }
    return row
  }

  /// Marks the current state as the one in the store.
  package mutating func markSaved() {
    if hasDeletions { for index in changed { records[index].row = savedRow(index) } }
    settle { record in record.isDeleted ? nil : record.row }
  }

  /// Restores the state of the store.
  mutating func discardChanges() {
    settle(\.stored)
  }

  private mutating func settle(_ row: (WorkingRecord) -> Row?) {
    for index in changed {
      let record = records[index]
      if let row = row(record) {
        records[index] = WorkingRecord(stored: row, row: row)
      } else {
        indices.remove(record.row.id)
        vacant.append(index)
      }
    }
    changed = []
    hasDeletions = false
    namedEnds = []
    links = LinkStates()
    changedLinks = []
    memberChanges = [:]
    knownMembers = [:]
    isTracked = schema.relationships.map(\.isOrdered)
  }
}
