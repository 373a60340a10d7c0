import RecordModel

/// Where records stand in an array that has one element for each of them.
struct RecordIndexMap<Element> {
  private var table = HashIndex()
  /// By place.
  private var ids: [RecordID] = []
  private(set) var count = 0

  init() {}

  /// Records that stand in the order of `ids`, each of them once.
  init(_ ids: [RecordID]) {
    for (index, id) in ids.enumerated() { insert(id, at: ElementIndex(index)) }
  }

  /// Who is there, in the order of the places.
  var known: [RecordID] {
    ids.enumerated().filter { self[$0.element]?.rawValue == $0.offset }.map(\.element)
  }

  @inline(__always)
  subscript(id: RecordID) -> ElementIndex<Element>? {
    table.position(hash: Self.hash(id)) { ids[$0] == id }.map { ElementIndex($0) }
  }

  /// Notes a record that is not there: in the place behind the last one, or in one that has been left.
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

  private static func hash(_ id: RecordID) -> UInt64 { HashIndex.hash(UInt64(bitPattern: id.rawValue)) }
}
