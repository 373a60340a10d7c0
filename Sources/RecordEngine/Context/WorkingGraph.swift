import OrderedCollections

/// Records being worked on: rows read from a store, and what is to become of them.
///
/// A context and the population of a response work on one each. Whatever is set keeps both sides of every
/// relationship in agreement (rule `relationships.inverse`); `changes()` says what a save has to do.
package struct WorkingGraph {
  package let schema: Schema
  package let store: any Store

  /// What is known of each record.
  private(set) var records: [RecordID: WorkingRecord] = [:]
  /// The records that are not as the store has them, in the order in which they were first changed.
  private(set) var changed: OrderedSet<RecordID> = []
  /// What is to become of the members of to-many relationships.
  private(set) var memberChanges: OrderedDictionary<RelationshipEnd, MemberChange> = [:]
  /// Members as the store has them, asked for ahead in one go.
  private var knownMembers: [RelationshipEnd: [RecordID]] = [:]
  /// Memberships that were asked for ahead in one go.
  private var knownMemberships: [Membership: Bool] = [:]

  package init(schema: Schema, store: any Store) {
    self.schema = schema
    self.store = store
  }

  struct Membership: Hashable {
    var relationship: Int
    var owner: RecordID
    var member: RecordID
  }

  struct WorkingRecord {
    /// The row as the store has it; nil for a new record.
    var stored: Row?
    var row: Row
    var isDeleted = false
  }

  struct MemberChange {
    var added: OrderedSet<RecordID> = []
    var removed: OrderedSet<RecordID> = []
    var order: [RecordID]?

    var isEmpty: Bool { added.isEmpty && removed.isEmpty && order == nil }
  }
}

// MARK: - Reading

extension WorkingGraph {
  /// Whether a record was made here, so that the store knows nothing of it.
  private func isNew(_ id: RecordID) -> Bool { records[id].map { $0.stored == nil } ?? false }

  /// A record that was deleted here cannot be linked to any more.
  private func isDeleted(_ id: RecordID) -> Bool { records[id]?.isDeleted ?? false }

  /// Takes rows that have been read in one go, so that nobody has to ask for them one by one.
  package mutating func adopt(_ rows: some Sequence<Row>) {
    for row in rows where records[row.id] == nil { records[row.id] = WorkingRecord(stored: row, row: row) }
  }

  /// Reads the rows that are not known yet, in one go.
  package mutating func load(_ ids: some Sequence<RecordID>) throws(StoreError) {
    let missing = Array(OrderedSet(ids.filter { records[$0] == nil }))
    guard !missing.isEmpty else { return }
    adopt(try store.rows(missing).compactMap(\.self))
  }

  /// The record's row as it is now; nil if there is no such record, or it is deleted.
  package mutating func row(_ id: RecordID) throws(StoreError) -> Row? {
    try load(CollectionOfOne(id))
    return knownRow(id)
  }

  /// The row of a record that has been read or made already.
  package func knownRow(_ id: RecordID) -> Row? {
    guard let record = records[id], !record.isDeleted else { return nil }
    return record.row
  }

  /// The row of a record as the store has it; nil if it is new.
  package func storedRow(_ id: RecordID) -> Row? { records[id]?.stored }

  /// The members of a to-many relationship as they are now: in their order if it is ordered, else oldest first.
  package mutating func members(of relationship: Int, owner: RecordID) throws(StoreError) -> [RecordID] {
    let change = memberChanges[RelationshipEnd(relationship: relationship, owner: owner)]
    if let order = change?.order { return order }
    var members: [RecordID] = []
    if let known = knownMembers[RelationshipEnd(relationship: relationship, owner: owner)] {
      members = known
    } else if !isNew(owner) {
      members = try store.members(of: relationship, owners: [owner])[0]
    }
    guard let change else { return members }
    members.removeAll { change.removed.contains($0) }
    members.append(contentsOf: change.added)
    return schema.relationships[relationship].isOrdered ? members : members.sorted()
  }

  /// Asks for members in one go, for those who ask one by one after.
  package mutating func prepareMembers(of relationship: Int, owners: [RecordID]) throws(StoreError) {
    let missing = OrderedSet(owners).filter {
      !isNew($0) && knownMembers[RelationshipEnd(relationship: relationship, owner: $0)] == nil
    }
    guard !missing.isEmpty else { return }
    for (owner, members) in zip(missing, try store.members(of: relationship, owners: Array(missing))) {
      knownMembers[RelationshipEnd(relationship: relationship, owner: owner)] = members
    }
  }

  package func hasMemberChange(of relationship: Int, owner: RecordID) -> Bool {
    memberChanges[RelationshipEnd(relationship: relationship, owner: owner)].map { !$0.isEmpty } ?? false
  }

  /// Asks for memberships in one go, for those that follow one by one.
  package mutating func prepareMemberships(
    of relationship: Int, _ pairs: [(owner: RecordID, member: RecordID)]
  ) throws(StoreError) {
    let stored = pairs.filter { !isNew($0.owner) && !isNew($0.member) }
    guard !stored.isEmpty else { return }
    for (pair, isMember) in zip(stored, try store.areMembers(of: relationship, stored)) {
      knownMemberships[Membership(relationship: relationship, owner: pair.owner, member: pair.member)] =
        isMember
    }
  }

  package mutating func isMember(
    _ member: RecordID, of relationship: Int, owner: RecordID
  ) throws(StoreError) -> Bool {
    let value = schema.relationships[relationship]
    if value.isInverseToOne, let slot = value.inverse.flatMap({ schema.relationships[$0].slot }) {
      return try row(member)?.toOnes[slot] == owner
    }
    if let change = memberChanges[RelationshipEnd(relationship: relationship, owner: owner)] {
      if change.added.contains(member) { return true }
      if change.removed.contains(member) { return false }
      if let order = change.order { return order.contains(member) }
    }
    guard !isNew(owner), !isNew(member) else { return false }
    let membership = Membership(relationship: relationship, owner: owner, member: member)
    if let known = knownMemberships[membership] { return known }
    let isMember = try store.areMembers(of: relationship, [(owner, member)])[0]
    knownMemberships[membership] = isMember
    return isMember
  }
}

// MARK: - Making and setting

extension WorkingGraph {
  /// Makes a record of each entity, with its defaults; the values of the key stay nil (rule `identity.default`).
  /// Their ids are set aside in one go for each tree.
  package mutating func insert(_ entities: [Int]) -> [RecordID] {
    var reserved: [Int: ArraySlice<RecordID>] = [:]
    for (tree, members) in Dictionary(grouping: entities, by: { schema.entities[$0].tree }) {
      reserved[tree] = store.reserveIDs(tree: tree, count: members.count)[...]
    }
    return entities.compactMap { entity in
      guard let id = reserved[schema.entities[entity].tree]?.popFirst() else { return nil }
      insert(id, of: entity)
      return id
    }
  }

  /// Makes a record whose id has been set aside.
  mutating func insert(_ id: RecordID, of entity: Int) {
    records[id] = WorkingRecord(stored: nil, row: newRow(id, entity))
    changed.append(id)
  }

  private func newRow(_ id: RecordID, _ entity: Int) -> Row {
    let description = schema.entities[entity]
    let tree = schema.trees[description.tree]
    var values = [AttributeValue?](repeating: nil, count: tree.columnCount)
    for attribute in description.attributes { values[attribute.column] = attribute.defaultValue }
    if case .attributes(let positions) = description.key {
      for position in positions { values[description.attributes[position].column] = nil }
    }
    let toOnes = [RecordID?](repeating: nil, count: tree.toOneCount)
    return Row(id: id, entity: entity, isStub: false, values: values, toOnes: toOnes)
  }

  /// Changes a row that is known. Relationships are not to be set here: they have two sides.
  package mutating func update(_ id: RecordID, _ change: (inout Row) -> Void) {
    guard let index = records.index(forKey: id) else { return }
    change(&records.values[index].row)
    changed.append(id)
  }

  package mutating func markDeleted(_ id: RecordID) {
    records[id]?.isDeleted = true
    changed.append(id)
  }

  /// Forgets what was read of records, so that they are read again when somebody asks.
  package mutating func forget(_ ids: some Sequence<RecordID>) {
    for id in ids { records[id] = nil }
    knownMembers = [:]
    knownMemberships = [:]
  }
}

// MARK: - Linking

extension WorkingGraph {
  /// Sets a to-one relationship, and with it the other side. Records must be known.
  package mutating func setToOne(
    _ relationship: Int, of owner: RecordID, to target: RecordID?
  ) throws(StoreError) {
    let target = target.flatMap { isDeleted($0) ? nil : $0 }
    let value = schema.relationships[relationship]
    guard let slot = value.slot, let row = try row(owner), row.toOnes[slot] != target else { return }
    let former = row.toOnes[slot]
    guard let inverse = value.inverse else { return update(owner) { $0.toOnes[slot] = target } }
    if schema.relationships[inverse].isToMany {
      update(owner) { $0.toOnes[slot] = target }
      if let former { recordRemoval(of: owner, from: inverse, owner: former) }
      if let target { recordAddition(of: owner, to: inverse, owner: target) }
    } else if let inverseSlot = schema.relationships[inverse].slot {
      // Both former partners are freed before the new pair is made: any two of the four may be one record.
      if let former, try self.row(former) != nil { update(former) { $0.toOnes[inverseSlot] = nil } }
      let targetRow = try target.flatMap { target throws(StoreError) in try self.row(target) }
      if let rival = targetRow?.toOnes[inverseSlot], try self.row(rival) != nil {
        update(rival) { $0.toOnes[slot] = nil }
      }
      update(owner) { $0.toOnes[slot] = target }
      if let target, targetRow != nil { update(target) { $0.toOnes[inverseSlot] = owner } }
    }
  }

  /// Adds a member to a to-many relationship; one that is there already keeps its place.
  package mutating func addMember(
    _ member: RecordID, to relationship: Int, of owner: RecordID
  ) throws(StoreError) {
    let value = schema.relationships[relationship]
    if value.isInverseToOne, let inverse = value.inverse {
      try setToOne(inverse, of: member, to: owner)
    } else {
      guard !isDeleted(member), try !isMember(member, of: relationship, owner: owner) else { return }
      recordAddition(of: member, to: relationship, owner: owner)
      if let inverse = value.inverse { recordAddition(of: owner, to: inverse, owner: member) }
    }
  }

  package mutating func removeMember(
    _ member: RecordID, from relationship: Int, of owner: RecordID
  ) throws(StoreError) {
    guard try isMember(member, of: relationship, owner: owner) else { return }
    try removePresentMember(member, from: relationship, of: owner)
  }

  /// Takes out a member that is known to be one.
  package mutating func removePresentMember(
    _ member: RecordID, from relationship: Int, of owner: RecordID
  ) throws(StoreError) {
    let value = schema.relationships[relationship]
    if value.isInverseToOne, let inverse = value.inverse {
      try setToOne(inverse, of: member, to: nil)
    } else {
      recordRemoval(of: member, from: relationship, owner: owner)
      if let inverse = value.inverse { recordRemoval(of: owner, from: inverse, owner: member) }
    }
  }

  /// Gives an ordered to-many relationship an order of its own. `order` must be its members.
  package mutating func setOrder(
    _ order: [RecordID], of relationship: Int, owner: RecordID
  ) throws(StoreError) {
    guard try members(of: relationship, owner: owner) != order else { return }
    memberChanges[RelationshipEnd(relationship: relationship, owner: owner), default: MemberChange()].order =
      order
  }

  private mutating func recordAddition(of member: RecordID, to relationship: Int, owner: RecordID) {
    changeMembers(of: relationship, owner: owner) { change in
      let wasRemoved = change.removed.remove(member) != nil
      // A member that went and came again has lost its place, which only an added one can have.
      if !wasRemoved || change.order != nil { change.added.append(member) }
      change.order?.append(member)
    }
  }

  private mutating func recordRemoval(of member: RecordID, from relationship: Int, owner: RecordID) {
    changeMembers(of: relationship, owner: owner) { change in
      if change.added.remove(member) == nil { change.removed.append(member) }
      change.order?.removeAll { $0 == member }
    }
  }

  private mutating func changeMembers(
    of relationship: Int, owner: RecordID, _ body: (inout MemberChange) -> Void
  ) {
    let end = RelationshipEnd(relationship: relationship, owner: owner)
    body(&memberChanges[end, default: MemberChange()])
  }
}

// MARK: - What a save has to do

extension WorkingGraph {
  /// Whether anything is other than the store has it.
  package var hasChanges: Bool { !changes().isEmpty }

  package func changes() -> ChangeSet {
    var result = ChangeSet()
    for id in changed {
      guard let record = records[id] else { continue }
      switch (record.stored, record.isDeleted) {
      case (nil, false): result.inserted.append(record.row)
      case (nil, true): break
      case (let stored?, true): result.deleted.append(stored)
      case (let stored?, false):
        if stored != record.row { result.updated.append(ChangeSet.Update(before: stored, after: record.row)) }
      }
    }
    for (end, change) in memberChanges where !change.isEmpty {
      if records[end.owner]?.isDeleted ?? false { continue }
      result.members.append(
        ChangeSet.Members(
          relationship: end.relationship, owner: end.owner, added: Array(change.added),
          removed: Array(change.removed), order: change.order))
    }
    return result
  }

  /// What was changed is now what the store has.
  package mutating func markSaved() {
    for id in changed {
      guard let record = records[id] else { continue }
      records[id] = record.isDeleted ? nil : WorkingRecord(stored: record.row, row: record.row)
    }
    changed = []
    memberChanges = [:]
    knownMembers = [:]
    knownMemberships = [:]
  }
}
