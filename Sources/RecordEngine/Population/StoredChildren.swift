import RecordModel

/// The stored children of one parent, of which each item takes one.
struct StoredChildren {
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
    let freeIndex = Self.position(of: id, in: free, id: \.recordID)
    if freeIndex < free.count, free[freeIndex].recordID == id { free.remove(at: freeIndex) }
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
