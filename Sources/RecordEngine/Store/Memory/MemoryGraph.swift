import OrderedCollections
import RecordModel

/// The content of a memory store.
struct MemoryGraph: RowSource {
  let schema: Schema
  /// The rows, by tree and serial number. Serial numbers begin with 1.
  private var trees: [[Row?]]
  private var nextSerials: [Int64]
  /// For each entity that declares a key, the records by key.
  private var ids: [[RecordKey: RecordID]]
  /// The records whose key an older record also has, oldest first. A key can only occur twice if it was set without the
  /// identification of items.
  private var youngerIDs: [[RecordKey: [RecordID]]]
  /// For each to-many relationship, the members by owner; nil if only rows store the members and they have not been
  /// requested yet.
  private var members: [[RecordID: MemberSet]?]

  init(schema: Schema) {
    self.schema = schema
    trees = Array(repeating: [nil], count: schema.trees.count)
    nextSerials = Array(repeating: 1, count: schema.trees.count)
    ids = Array(repeating: [:], count: schema.entities.count)
    youngerIDs = Array(repeating: [:], count: schema.entities.count)
    members = schema.relationships.map { $0.isToMany && !$0.isInverseToOne || $0.isOrdered ? [:] : nil }
  }
}

// MARK: - Reading

extension MemoryGraph {
  mutating func reserveIDs(tree: TreeIndex, count: Int) -> RecordID {
    defer { nextSerials[for: tree] += Int64(count) }
    return RecordID(tree: tree, serial: nextSerials[for: tree])
  }

  /// Returns the row of a record. The identifier may come from another container, whose model has more trees.
  func row(_ id: RecordID) -> Row? {
    guard trees.indices.contains(id.tree.rawValue) else { return nil }
    let serial = Int(id.serial)
    return trees[for: id.tree].indices.contains(serial) ? trees[for: id.tree][serial] : nil
  }

  func rows(_ ids: [RecordID]) -> [Row?] { ids.map(row) }

  func row(scope: EntityIndex, key: RecordKey) -> Row? { ids[for: scope][key].flatMap(row) }

  func rows(of entity: EntityIndex) -> [Row] {
    trees[for: schema.entities[entity].tree].compactMap { row in
      row.flatMap { schema.isKind($0.entity, of: entity) ? $0 : nil }
    }
  }

  mutating func members(of relationship: RelationshipIndex, owners: [RecordID]) -> [[RecordID]] {
    if members[for: relationship] == nil { members[for: relationship] = membersByOwner(relationship) }
    return owners.map { members[for: relationship]?[$0]?.list ?? [] }
  }

  /// Enumerates the rows or members once. Owners are only needed for imports and for saves with deletions, which
  /// enumerate them anyway to remove references to deleted records.
  func owners(of relationship: SchemaRelationship, members ids: [RecordID]) -> [[RecordID]] {
    var owners: [RecordID: [RecordID]] = [:]
    let wanted = Set(ids)
    if let slot = relationship.slot {
      for case let row? in trees[for: schema.entities[relationship.entity].tree] {
        if let target = row.toOnes[slot], wanted.contains(target) {
          owners[target, default: []].append(row.id)
        }
      }
    } else {
      for (owner, set) in members[for: relationship.index] ?? [:] {
        for member in set.members(among: wanted) { owners[member, default: []].append(owner) }
      }
    }
    return ids.map { (owners[$0] ?? []).sorted() }
  }

  func isThere(_ link: Link) -> Bool {
    members[for: link.relationship]?[link.owner]?.contains(link.member) ?? false
  }

  /// Returns the members of a to-many with a to-one inverse, as derived from the rows.
  private func membersByOwner(_ relationship: RelationshipIndex) -> [RecordID: MemberSet] {
    var result: [RecordID: MemberSet] = [:]
    guard let inverse = schema.relationships[relationship].inverse.map({ schema.relationships[$0] }),
      let slot = inverse.slot
    else { return result }
    for case let row? in trees[for: schema.entities[inverse.entity].tree] {
      if let owner = row.toOnes[slot] { result[owner, default: .unordered([])].insert(row.id) }
    }
    return result
  }
}

// MARK: - Writing

extension MemoryGraph {
  mutating func apply(_ changes: ChangeSet) {
    for row in changes.deleted { forgetKey(of: row) }
    for update in changes.updated { forgetKey(of: update.before) }
    for row in changes.inserted { replace(nil, by: row) }
    for update in changes.updated { replace(update.before, by: update.after) }
    for link in changes.unlinked { apply(link, isAddition: false) }
    for link in changes.linked { apply(link, isAddition: true) }
    for ordering in changes.orderings {
      members[for: ordering.relationship]?[ordering.owner, default: .ordered([])].apply(ordering)
    }
    for row in changes.deleted {
      dropMembers(of: row)
      replace(row, by: nil)
    }
    dropReferences(to: Set(changes.deleted.map(\.id)))
  }

  private mutating func replace(_ before: Row?, by after: Row?) {
    guard let id = after?.id ?? before?.id else { return }
    let serial = Int(id.serial)
    while trees[for: id.tree].count <= serial { trees[for: id.tree].append(nil) }
    trees[for: id.tree][serial] = after
    // A record from another source, for example in a test, can have a higher number than all reserved ones.
    nextSerials[for: id.tree] = max(nextSerials[for: id.tree], Int64(trees[for: id.tree].count))
    if let after { learnKey(of: after) }
    for (slot, relationship) in schema.trees[id.tree].slots {
      let (former, new) = (before?.toOnes[slot], after?.toOnes[slot])
      guard former != new, let inverse = schema.relationships[relationship].inverse,
        members[for: inverse] != nil
      else { continue }
      if let former { remove(id, from: inverse, owner: former) }
      // The order of new members of an ordered relationship is passed separately.
      if let new, !schema.relationships[inverse].isOrdered {
        members[for: inverse]?[new, default: .unordered([])].insert(id)
      }
    }
  }

  /// Adds the key of a row. The oldest record with a key is the one that is found.
  private mutating func learnKey(of row: Row) {
    guard let key = row.key(in: schema) else { return }
    let scope = schema.entities[row.entity].keyScope
    guard let oldest = ids[for: scope][key] else {
      ids[for: scope][key] = row.id
      return
    }
    ids[for: scope][key] = min(oldest, row.id)
    let other = max(oldest, row.id)
    let index = Self.insertionIndex(of: other, in: youngerIDs[for: scope][key] ?? [])
    youngerIDs[for: scope][key, default: []].insert(other, at: index)
  }

  private mutating func forgetKey(of row: Row) {
    guard let key = row.key(in: schema) else { return }
    let scope = schema.entities[row.entity].keyScope
    guard let younger = youngerIDs[for: scope][key] else {
      ids[for: scope][key] = nil
      return
    }
    if ids[for: scope][key] == row.id {
      ids[for: scope][key] = younger.first
      youngerIDs[for: scope][key]?.removeFirst()
    } else {
      let index = Self.insertionIndex(of: row.id, in: younger)
      guard index < younger.count, younger[index] == row.id else { return }
      youngerIDs[for: scope][key]?.remove(at: index)
    }
    if youngerIDs[for: scope][key] == [] { youngerIDs[for: scope][key] = nil }
  }

  /// Returns the index of a record in a sorted list, or the index at which it would be inserted.
  private static func insertionIndex(of id: RecordID, in ids: [RecordID]) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func apply(_ link: Link, isAddition: Bool) {
    apply(link.member, to: link.relationship, owner: link.owner, isAddition)
    let inverse = schema.relationships[link.relationship].inverse
    if let inverse { apply(link.owner, to: inverse, owner: link.member, isAddition) }
  }

  private mutating func apply(
    _ member: RecordID, to relationship: RelationshipIndex, owner: RecordID, _ isAddition: Bool
  ) {
    if !isAddition {
      remove(member, from: relationship, owner: owner)
    } else if !schema.relationships[relationship].isOrdered {
      members[for: relationship]?[owner, default: .unordered([])].insert(member)
    }
  }

  private mutating func remove(_ member: RecordID, from relationship: RelationshipIndex, owner: RecordID) {
    members[for: relationship]?[owner]?.remove(member)
    if members[for: relationship]?[owner]?.isEmpty ?? false { members[for: relationship]?[owner] = nil }
  }

  /// Removes a deleted record from the lists of its members, even if the changes do not include this.
  private mutating func dropMembers(of row: Row) {
    for index in schema.entities[row.entity].relationships {
      guard let set = members[for: index]?.removeValue(forKey: row.id) else { continue }
      guard let inverse = schema.relationships[index].inverse else { continue }
      for member in set.list { remove(row.id, from: inverse, owner: member) }
    }
  }

  /// Removes deleted records from to-one relationships and from relationships without inverse.
  private mutating func dropReferences(to gone: Set<RecordID>) {
    let trees = Set(gone.map(\.tree))
    for relationship in schema.relationships
    where trees.contains(schema.entities[relationship.destination].tree) {
      if let slot = relationship.slot {
        let tree = schema.entities[relationship.entity].tree
        for serial in self.trees[for: tree].indices {
          guard let target = self.trees[for: tree][serial]?.toOnes[slot], gone.contains(target) else {
            continue
          }
          self.trees[for: tree][serial]?.toOnes[slot] = nil
        }
      } else if relationship.inverse == nil {
        let losses = members[for: relationship.index]?.mapValues { $0.members(among: gone) } ?? [:]
        for (owner, lost) in losses {
          for member in lost { remove(member, from: relationship.index, owner: owner) }
        }
      }
    }
  }
}

/// The members of one to-many relationship of one record.
private enum MemberSet {
  /// A separate case, because removing a member from an unordered set is fast.
  case unordered(Set<RecordID>)
  case ordered(OrderedSet<RecordID>)

  var isEmpty: Bool {
    switch self {
    case .unordered(let set): set.isEmpty
    case .ordered(let set): set.isEmpty
    }
  }

  /// The members: in their order if they are ordered, otherwise oldest first.
  var list: [RecordID] {
    switch self {
    case .unordered(let set): set.sorted()
    case .ordered(let set): Array(set)
    }
  }

  func contains(_ member: RecordID) -> Bool {
    switch self {
    case .unordered(let set): set.contains(member)
    case .ordered(let set): set.contains(member)
    }
  }

  /// Returns the members that are also in another set. Enumerates the smaller set.
  func members(among others: Set<RecordID>) -> [RecordID] {
    switch self {
    case .unordered(let set) where set.count < others.count: Array(set.intersection(others))
    case .ordered(let set) where set.count < others.count: Array(set.filter(others.contains))
    case .unordered, .ordered: others.filter(contains)
    }
  }

  mutating func insert(_ member: RecordID) {
    change {
      $0.insert(member)
    } ordered: {
      $0.append(member)
    }
  }

  mutating func remove(_ member: RecordID) {
    change {
      $0.remove(member)
    } ordered: {
      $0.remove(member)
    }
  }

  mutating func apply(_ ordering: ChangeSet.Ordering) {
    change {
      $0.formUnion(ordering.added)
    } ordered: { set in
      set.append(contentsOf: ordering.added)
      // An explicit order does not change the members.
      if let order = ordering.order { set = OrderedSet(order.filter(set.contains)).union(set) }
    }
  }

  /// Moves the set out while it is modified, so that it is not copied.
  private mutating func change<First, Second>(
    _ unordered: (inout Set<RecordID>) -> First, ordered: (inout OrderedSet<RecordID>) -> Second
  ) {
    switch self {
    case .unordered(var set):
      self = .unordered([])
      _ = unordered(&set)
      self = .unordered(set)
    case .ordered(var set):
      self = .ordered([])
      _ = ordered(&set)
      self = .ordered(set)
    }
  }
}
