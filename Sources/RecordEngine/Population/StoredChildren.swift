import RecordModel

/// The stored children of one parent. Each item claims one of them.
struct StoredChildren {
  /// The children, from oldest to youngest.
  private let rows: [Row]
  private var isClaimed: [Bool]
  /// The children that no item has claimed. Only filled if there are marshalers.
  private(set) var free: [PopulatedRecord]
  /// For each column, the children with each value. Built on first access.
  private var indices: [ColumnIndex: [AttributeValue?: Candidates]] = [:]
  private var all: Candidates
  /// The values of all children, claimed or not, by the entity and the columns that were selected. Built on first access.
  private var selections: [Selection: Set<[AttributeValue?]>] = [:]

  /// Columns of the children of an entity or its sub-entities.
  private struct Selection: Hashable {
    let entity: EntityIndex
    let columns: [ColumnIndex]
  }

  private struct Candidates {
    var positions: [Int] = []
    /// The index of the first child that may be unclaimed.
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

  /// Claims a certain child. Returns nil if the record is not a child or has been claimed.
  mutating func claim(_ id: RecordID) -> Row? {
    let position = Self.position(of: id, in: rows, id: \.id)
    guard position < rows.count, rows[position].id == id, !isClaimed[position] else { return nil }
    return claim(position)
  }

  private mutating func claim(_ position: Int) -> Row {
    isClaimed[position] = true
    let id = rows[position].id
    let freeIndex = Self.position(of: id, in: free, id: \.recordID)
    if freeIndex < free.count, free[freeIndex].recordID == id { free.remove(at: freeIndex) }
    return rows[position]
  }

  /// Returns the position of the first element that is not older than a record.
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

  /// Claims the oldest child that an item leaves unchanged: a child of the given entity or a sub-entity that already
  /// has all values of the item.
  ///
  /// Only the children with the rarest of the values are searched, beginning with the first unclaimed one. When the
  /// same response is populated again, that is the matching one.
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

  /// Returns a Boolean value that indicates whether an item would leave one of the children unchanged, claimed or not.
  ///
  /// - Complexity: linear in the number of children for the first item of an entity that sets certain columns, constant
  ///   for each further one.
  mutating func containsMatch(for outcome: ItemOutcome, of entity: EntityIndex, _ schema: Schema) -> Bool {
    let selection = Selection(entity: entity, columns: outcome.columns)
    let values =
      selections[selection]
      ?? Set(
        rows.lazy.filter { schema.isKind($0.entity, of: entity) }
          .map { row in outcome.columns.map { row.values[$0] } })
    selections[selection] = values
    return values.contains(outcome.values)
  }

  private func index(_ column: ColumnIndex) -> [AttributeValue?: Candidates] {
    var index: [AttributeValue?: Candidates] = [:]
    for (position, row) in rows.enumerated() {
      index[row.values[column], default: Candidates()].positions.append(position)
    }
    return index
  }
}
