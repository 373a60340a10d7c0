/// Where records stand in an array.
struct RecordPlaces {
  private var index = HashIndex()
  /// By place.
  private var ids: [RecordID] = []

  subscript(id: RecordID) -> Int? {
    index.position(hash: Self.hash(id)) { ids[$0] == id }
  }

  /// Notes a record that is not there: in the place behind the last one, or in one that has been left.
  mutating func insert(_ id: RecordID, at place: Int) {
    if place == ids.count { ids.append(id) } else { ids[place] = id }
    index.insert(place, hash: Self.hash(id))
  }

  mutating func remove(_ id: RecordID) {
    if let place = self[id] { index.remove(place, hash: Self.hash(id)) }
  }

  mutating func reserveCapacity(_ capacity: Int) {
    index.reserveCapacity(capacity)
    ids.reserveCapacity(capacity)
  }

  private static func hash(_ id: RecordID) -> UInt64 { HashIndex.hash(UInt64(bitPattern: id.rawValue)) }
}
