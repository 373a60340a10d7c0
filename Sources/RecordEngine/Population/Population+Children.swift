import OrderedCollections
import RecordModel

/// Children keyed by a parent find their records. Rules: `population.associate`, `identity.relationship-key.*`.
extension Population {
  /// Children are tied to what their parents already have, from the root down.
  mutating func associateChildren() throws(StoreError) {
    guard hasParents else { return }
    for level in childrenByDepth() {
      let parents = level.compactMap { index in protos[index].parent.flatMap { protos[$0].record } }
      try graph.load(parents)
      try associateOnlyChildren(level)
      try associateListedChildren(level)
    }
  }

  /// Protos with a parent, those whose parents have none first: a parent is settled before its children.
  private func childrenByDepth() -> [[Int]] {
    var levels: [[Int]] = []
    for index in protos.indices where protos[index].parent != nil && protos[index].isReachable {
      var level = -1
      var current = index
      while let parent = protos[current].parent {
        level += 1
        current = parent
      }
      while levels.count <= level { levels.append([]) }
      levels[level].append(index)
    }
    return levels
  }

  // MARK: The one child

  private mutating func associateOnlyChildren(_ level: [Int]) throws(StoreError) {
    var found: [(proto: Int, child: RecordID)] = []
    for index in level {
      guard case .onlyChild(let parent, let relationship)? = protos[index].identity,
        let slot = schema.relationships[relationship].inverse.flatMap({ schema.relationships[$0].slot }),
        let owner = protos[parent].record, let place = graph.knownPlace(owner),
        let child = graph.records[place].row.toOnes[slot]
      else { continue }
      found.append((index, child))
    }
    try graph.load(found.map(\.child))
    var changing: [(row: Row, proto: Int)] = []
    for (proto, child) in found {
      guard let row = graph.knownRow(child) else { continue }
      if hasMarshalers, case .new? = childAnswer(proto, among: [child].compactMap(stored)) { continue }
      protos[proto].tie(to: child, at: graph.knownPlace(child))
      changing.append((row, proto))
    }
    try adaptEntities(changing)
  }

  // MARK: One of several

  /// An item is the oldest stored child that it would leave as it is.
  private mutating func associateListedChildren(_ level: [Int]) throws(StoreError) {
    var items: OrderedDictionary<ListedParent, [Int]> = [:]
    for index in level {
      guard case .child(let parent, let relationship, _)? = protos[index].identity,
        let owner = protos[parent].record, graph.storedRow(owner) != nil,
        let inverse = schema.relationships[relationship].inverse
      else { continue }
      items[ListedParent(relationship: inverse, owner: owner), default: []].append(index)
    }
    guard !items.isEmpty else { return }
    // The hook says what items leave behind.
    prepopulate(items.values.joined().filter { protos[$0].mayBeCreated })
    for (relationship, owners) in Dictionary(grouping: items.keys, by: \.relationship).sorted(by: {
      $0.key < $1.key
    }) {
      let members = try graph.reader.members(of: relationship, owners: owners.map(\.owner))
      try graph.load(members.joined())
      for (owner, children) in zip(owners, members) where !children.isEmpty {
        try match(inOrderOfChoice(items[owner] ?? []), with: children)
      }
    }
  }

  /// Items that make records choose first, since these are theirs when the response comes again; no item takes what another
  /// one says is there.
  private func inOrderOfChoice(_ items: [Int]) -> [Int] {
    func rank(_ proto: Int) -> (Int, Int) {
      let isLater = protos[proto].isTombstone ? 2 : protos[proto].mayBeCreated ? 0 : 1
      return (isLater, protos[proto].effective.order)
    }
    return items.sorted { rank($0) < rank($1) }
  }

  private struct ListedParent: Hashable {
    var relationship: RelationshipIndex
    var owner: RecordID
  }

  /// Ties items to the stored children of their parent.
  ///
  /// The same response finds the same children again, if the items are gone over in the order in which new records are
  /// made of them, and the children from the oldest to the youngest: a child that was made of an item is younger than all
  /// that the items before it take.
  private mutating func match(_ items: [Int], with children: [RecordID]) throws(StoreError) {
    let children = children.sorted()
    var stored = StoredChildren(
      children.compactMap { graph.knownRow($0) },
      free: hasMarshalers ? children.compactMap { self.stored($0) } : [])
    var changing: [(row: Row, proto: Int)] = []
    for proto in items {
      if hasMarshalers, let answer = childAnswer(proto, among: stored.free) {
        guard case .child(let child) = answer, let row = stored.claim(child.recordID) else { continue }
        protos[proto].tie(to: row.id, at: graph.knownPlace(row.id))
        changing.append((row, proto))
        continue
      }
      let outcome = outcome(of: proto)
      // An item that says nothing of itself does not say which child is gone.
      let saysWhich = !protos[proto].isTombstone || !outcome.columns.isEmpty
      if saysWhich, let row = stored.claim(leftAsItIsBy: outcome, of: protos[proto].entity, schema) {
        protos[proto].tie(to: row.id, at: graph.knownPlace(row.id))
        if protos[proto].isTombstone { takeOthers(like: proto, outcome, from: &stored) }
      } else {
        report(
          .unmatchedChild, entity: protos[proto].entity,
          at: protos[proto].effective.item.node,
          "the parent has children, and none equals the item, so "
            + (protos[proto].isTombstone ? "none was deleted" : "another one was made"))
      }
    }
    try adaptEntities(changing)
  }

  /// An item that says that its record is gone says so of all children that it may be: the next time none is left.
  private mutating func takeOthers(
    like tombstone: Int, _ outcome: ItemOutcome, from stored: inout StoredChildren
  ) {
    while let row = stored.claim(leftAsItIsBy: outcome, of: protos[tombstone].entity, schema) {
      var other = protos[tombstone]
      other.tie(to: row.id, at: graph.knownPlace(row.id))
      protos.append(other)
    }
  }
}

/// The stored children of one parent, of which each item takes one.
private struct StoredChildren {
  /// From the oldest to the youngest.
  private let rows: [Row]
  private var isClaimed: [Bool]
  /// Those that no item has taken yet, where a marshaler asks.
  private(set) var free: [PopulatedRecord]
  /// The children that have a value, by column. Made when asked for.
  private var indices: [ColumnIndex: [AttributeValue?: Candidates]] = [:]
  private var all: Candidates

  private struct Candidates {
    var positions: [Int] = []
    /// All before it have been taken.
    var next = 0

    var count: Int { positions.count - next }

    mutating func skip(_ isClaimed: [Bool]) {
      while next < positions.count, isClaimed[positions[next]] { next += 1 }
    }
  }

  init(_ rows: [Row], free: [PopulatedRecord]) {
    self.rows = rows
    self.free = free
    isClaimed = Array(repeating: false, count: rows.count)
    all = Candidates(positions: Array(rows.indices))
  }

  /// Takes a certain child; nil if it is none, or was taken.
  mutating func claim(_ id: RecordID) -> Row? {
    let position = Self.position(of: id, in: rows, id: \.id)
    guard position < rows.count, rows[position].id == id, !isClaimed[position] else { return nil }
    return claim(position)
  }

  private mutating func claim(_ position: Int) -> Row {
    isClaimed[position] = true
    let id = rows[position].id
    let place = Self.position(of: id, in: free, id: \.recordID)
    if place < free.count, free[place].recordID == id { free.remove(at: place) }
    return rows[position]
  }

  /// The position of the first element that is no older than a record.
  private static func position<Element>(
    of id: RecordID, in elements: [Element], id key: (Element) -> RecordID
  )
    -> Int
  {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if key(elements[middle]) < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Takes the oldest child that an item of an entity leaves as it is: one of that entity, or of one below it, that has
  /// all values already. Only those are looked at that have the rarest of the values, from the first that is left on: where
  /// the same response comes again, that is the one.
  mutating func claim(leftAsItIsBy outcome: ItemOutcome, of entity: EntityIndex, _ schema: Schema) -> Row? {
    var rarest = all
    rarest.skip(isClaimed)
    all = rarest
    for (column, value) in zip(outcome.columns, outcome.values) {
      if indices[column] == nil { indices[column] = index(column) }
      indices[column]?[value]?.skip(isClaimed)
      guard let candidates = indices[column]?[value] else { return nil }
      if candidates.count < rarest.count { rarest = candidates }
    }
    for position in rarest.positions[rarest.next...] where !isClaimed[position] {
      let row = rows[position]
      let isLeftAsItIs = zip(outcome.columns, outcome.values).allSatisfy { row.values[$0] == $1 }
      if isLeftAsItIs, schema.isKind(row.entity, of: entity) { return claim(position) }
    }
    return nil
  }

  private func index(_ column: ColumnIndex) -> [AttributeValue?: Candidates] {
    var index: [AttributeValue?: Candidates] = [:]
    for (position, row) in rows.enumerated() {
      index[row.values[column], default: Candidates()].positions.append(position)
    }
    return index
  }
}
