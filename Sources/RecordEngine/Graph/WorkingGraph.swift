import OrderedCollections
package import RecordModel

/// The index of a record in ``WorkingGraph/records``.
typealias WorkingRecordIndex = ElementIndex<WorkingGraph.WorkingRecord>

/// Records being worked on: rows read from a store, and what is to become of them.
///
/// A context and the population of a response work on one each. Whatever is set keeps both sides of every
/// relationship in agreement (rule `relationships.inverse`); `changes()` says what a save has to do.
///
/// Who belongs to a to-many follows from the to-one opposite, or from links; lists of members are put together when
/// somebody asks for them, and kept up to date from then on.
package struct WorkingGraph {
  package let schema: Schema
  package private(set) var reader: any StoreReader

  /// What is known of records, in no order that means anything.
  private(set) var records: [WorkingRecord] = []
  private(set) var indices = RecordIndexMap<WorkingRecord>()
  /// Places in `records` that nobody uses any more.
  private var vacant: [WorkingRecordIndex] = []
  /// The records that may be other than the store has them, in the order in which they were first changed.
  private(set) var changed: [WorkingRecordIndex] = []
  /// Whether a record has been deleted that others may still lead to.
  private var hasDeletions = false

  // What follows down to `knownMembers` is for this file and `WorkingGraph+Relationships` to change.

  /// What is known of links, changed or only read.
  var links = LinkStates()
  /// The positions of the links that may be other than the store has them, in the order in which they were first changed.
  var changedLinks: [Int] = []

  /// By relationship: whether `memberChanges` has all of its changes.
  var isTracked: [Bool]
  /// By relationship: the one under which its links are kept.
  let linkRelationships: [RelationshipIndex?]
  /// What became of the members of to-many relationships that are tracked.
  var memberChanges: OrderedDictionary<RelationshipEnd, MemberChange> = [:]
  /// Members as the store has them, asked for ahead in one go.
  var knownMembers: [RelationshipEnd: [RecordID]] = [:]

  /// What keeps deletions from being saved. Rule: `save.delete-rules`.
  private(set) var denials: [Denial] = []
  /// Relationships that a `noAction` rule has emptied, so that they may be empty though they are required.
  private(set) var excused: Set<RelationshipEnd> = []

  package init(schema: Schema, reader: any StoreReader) {
    self.schema = schema
    self.reader = reader
    // The order of arrival is known only to those who were there.
    isTracked = schema.relationships.map(\.isOrdered)
    linkRelationships = schema.relationships.map(\.linkRelationship)
  }

  struct WorkingRecord {
    /// The row as the store has it; nil for a new record.
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
  /// Returns a copy that reads the records it does not hold from another reader.
  func reading(from reader: any StoreReader) -> WorkingGraph {
    var copy = self
    copy.reader = reader
    return copy
  }

  /// Whether a record was made here, so that the store knows nothing of it.
  // Inlined, like those below that are asked for each link: otherwise the whole graph is retained for each question.
  @inline(__always)
  func isNew(_ id: RecordID) -> Bool {
    guard let index = indices[id] else { return false }
    return records[index].isNew
  }

  /// A record that was deleted here cannot be linked to any more.
  @inline(__always)
  func isDeleted(_ id: RecordID) -> Bool {
    guard let index = indices[id] else { return false }
    return records[index].isDeleted
  }

  /// Whether the record has been read, made or deleted here, so that nobody has to ask the store.
  func isKnown(_ id: RecordID) -> Bool { indices[id] != nil }

  /// How many rows are held.
  package var rowCount: Int { indices.count }

  /// Takes rows that have been read in one go, so that nobody has to ask for them one by one.
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

  /// Reads the rows that are not known yet, in one go.
  package mutating func load(_ ids: some Sequence<RecordID>) throws(StoreError) {
    let missing = Array(OrderedSet(ids.filter { indices[$0] == nil }))
    guard !missing.isEmpty else { return }
    adopt(try reader.rows(missing).lazy.compactMap(\.self))
  }

  /// The record's row as it is now; nil if there is no such record, or it is deleted.
  package mutating func row(_ id: RecordID) throws(StoreError) -> Row? {
    if indices[id] == nil { try load(CollectionOfOne(id)) }
    return knownRow(id)
  }

  /// The place in `records` of a record that is not deleted; nil if there is no such record.
  mutating func index(of id: RecordID) throws(StoreError) -> WorkingRecordIndex? {
    if indices[id] == nil { try load(CollectionOfOne(id)) }
    return knownIndex(of: id)
  }

  /// The place in `records` of a record that has been read or made already, and is not deleted.
  @inline(__always)
  func knownIndex(of id: RecordID) -> WorkingRecordIndex? {
    guard let index = indices[id], !records[index].isDeleted else { return nil }
    return index
  }

  /// The row of a record that has been read or made already.
  package func knownRow(_ id: RecordID) -> Row? {
    guard let index = indices[id], !records[index].isDeleted else { return nil }
    return records[index].row
  }

  /// The rows that may be other than the store has them, deleted ones left out.
  var changedRows: [Row] { changed.lazy.map { records[$0] }.filter { !$0.isDeleted }.map(\.row) }

  /// The records that may be other than the store has them, deleted ones too.
  var changedIDs: [RecordID] { changed.map { records[$0].row.id } }

  /// The records that were deleted here.
  var deletedIDs: Set<RecordID> {
    Set(changed.lazy.filter { records[$0].isDeleted }.map { records[$0].row.id })
  }

  /// The row of a record as the store has it; nil if it is new.
  package func storedRow(_ id: RecordID) -> Row? { indices[id].flatMap { records[$0].stored } }
}

// MARK: - Making and setting

extension WorkingGraph {
  /// Makes a record of each entity, with its defaults; the values of the key stay nil (rule `identity.default`).
  /// Their ids are set aside in one go for each tree.
  package mutating func insert(_ entities: [EntityIndex]) -> [RecordID] {
    var counts = Array(repeating: 0, count: schema.trees.count)
    for entity in entities { counts[for: schema.entities[entity].tree] += 1 }
    var next = zip(schema.trees.elementIndices, counts).map { tree, count in
      count == 0 ? 0 : reader.reserveIDs(tree: tree, count: count).serial
    }
    indices.reserveCapacity(records.count + entities.count)
    records.reserveCapacity(records.count + entities.count)
    changed.reserveCapacity(changed.count + entities.count)
    var rows = [Row?](repeating: nil, count: schema.entities.count)
    return entities.map { entity in
      let tree = schema.entities[entity].tree
      let id = RecordID(tree: tree, serial: next[for: tree])
      next[for: tree] += 1
      let model = rows[for: entity] ?? newRow(id, entity)
      rows[for: entity] = model
      let row = Row(
        id: id, entity: entity, isStub: model.isStub, values: model.values, toOnes: model.toOnes)
      insert(row)
      return id
    }
  }

  /// Makes a record whose id has been set aside.
  mutating func insert(_ row: Row) {
    let index = append(WorkingRecord(stored: nil, row: row))
    noteChange(index)
  }

  /// A record's row with the defaults of its entity.
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

  /// Changes a row that is known. Relationships are not to be set here: they have two sides.
  package mutating func update(_ id: RecordID, _ change: (inout Row) -> Void) {
    guard let index = indices[id] else { return }
    change(&records[index].row)
    noteChange(index)
  }

  /// Takes the values of a record out, to be changed where they are and given back.
  mutating func takeValues(at index: WorkingRecordIndex) -> [AttributeValue?] {
    var values: [AttributeValue?] = []
    swap(&values, &records[index].row.values)
    return values
  }

  /// Gives values back.
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

  /// Sets one side of a to-one relationship. Who has it as an opposite is not told.
  mutating func setSlot(_ slot: SlotIndex, at index: WorkingRecordIndex, to target: RecordID?) {
    records[index].row.toOnes[slot] = target
    noteChange(index)
  }

  mutating func deny(_ denial: Denial) { denials.append(denial) }

  mutating func excuse(_ end: RelationshipEnd) { excused.insert(end) }

  private mutating func noteChange(_ index: WorkingRecordIndex) {
    guard !records[index].isChanged else { return }
    records[index].isChanged = true
    changed.append(index)
  }

  /// Forgets what was read of records, so that they are read again when somebody asks. Not for changed ones.
  package mutating func forget(_ ids: some Sequence<RecordID>) {
    for id in ids {
      guard let index = indices[id], !records[index].isChanged else { continue }
      indices.remove(id)
      vacant.append(index)
    }
    forgetMembers()
  }

  /// Forgets what was read of all records that nobody uses, changed ones left out.
  mutating func forget(unlessUsed isUsed: (RecordID) -> Bool) {
    forget(indices.known.filter { !isUsed($0) }.sorted())
    // What is left is little: the room that the others took goes too.
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

// MARK: - What a save has to do

extension WorkingGraph {
  /// Whether nobody has changed anything, be it to what it was.
  var isUntouched: Bool { changed.isEmpty && changedLinks.isEmpty && memberChanges.isEmpty }

  /// Whether anything is other than the store has it.
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
      } else if !hasDeletions || !isDeleted(link.owner) && !isDeleted(link.member) {
        result.linked.append(link)
      }
    }
    for (end, change) in memberChanges where schema.relationships[end.relationship].isOrdered {
      guard !change.added.isEmpty || change.order != nil, !isDeleted(end.owner) else { continue }
      let added = hasDeletions ? change.added.filter { !isDeleted($0) } : Array(change.added)
      result.orderings.append(
        ChangeSet.Ordering(
          relationship: end.relationship, owner: end.owner, added: added, order: change.order.map(Array.init))
      )
    }
    return result
  }

  /// The row of a record as a save writes it: to-ones without inverse are not told that a record was deleted.
  private func savedRow(_ index: WorkingRecordIndex) -> Row {
    hasDeletions ? withoutDeletedTargets(records[index].row) : records[index].row
  }

  /// What was changed is now what the store has.
  package mutating func markSaved() {
    if hasDeletions { for index in changed { records[index].row = savedRow(index) } }
    settle { record in record.isDeleted ? nil : record.row }
  }

  /// What the store has is there again.
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
    denials = []
    excused = []
    links = LinkStates()
    changedLinks = []
    memberChanges = [:]
    knownMembers = [:]
    isTracked = schema.relationships.map(\.isOrdered)
  }
}
