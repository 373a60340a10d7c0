import RecordModel

/// A map from records to indices of an array that has one element for each record.
struct RecordIndexMap<Element> {
  private var table = HashIndex()
  /// The record at each index.
  private var ids: [RecordID] = []
  private(set) var count = 0

  init() {}

  /// Creates a map of unique records to their indices in `ids`.
  init(_ ids: [RecordID]) {
    for (index, id) in ids.enumerated() { insert(id, at: ElementIndex(index)) }
  }

  /// The records of the map, in the order of their indices.
  var known: [RecordID] {
    ids.enumerated().filter { self[$0.element]?.rawValue == $0.offset }.map(\.element)
  }

  @inline(__always)
  subscript(id: RecordID) -> ElementIndex<Element>? {
    table.position(hash: Self.hash(id)) { ids[$0] == id }.map { ElementIndex($0) }
  }

  /// Adds a record that is not in the map, at the next index or at one that has become free.
  mutating func insert(_ id: RecordID, at index: ElementIndex<Element>) {
    if index.rawValue == ids.count { ids.append(id) } else { ids[for: index] = id }
    table.insert(index.rawValue, hash: Self.hash(id))
    count += 1
  }

  mutating func remove(_ id: RecordID) {
    guard let index = self[id] else { return }
    table.remove(index.rawValue, hash: Self.hash(id))
    count -= 1
  }

  mutating func reserveCapacity(_ capacity: Int) {
    table.reserveCapacity(capacity)
    ids.reserveCapacity(capacity)
  }

  static func hash(_ id: RecordID) -> UInt64 { HashIndex.hash(UInt64(bitPattern: id.rawValue)) }
}
