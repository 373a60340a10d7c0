import RecordModel

/// Members in the order in which they came. Any of them can be taken out at once.
struct MemberList: Sequence {
  /// By member: the number of its arrival.
  private var arrivals: [RecordID: Int] = [:]
  private var nextArrival = 0

  init() {}

  init(_ members: some Sequence<RecordID>) { for member in members { append(member) } }

  var isEmpty: Bool { arrivals.isEmpty }

  func contains(_ member: RecordID) -> Bool { arrivals[member] != nil }

  /// Adds a member behind all others. One that is there already keeps its position.
  mutating func append(_ member: RecordID) {
    guard arrivals[member] == nil else { return }
    arrivals[member] = nextArrival
    nextArrival += 1
  }

  /// - Returns: whether the record was a member.
  @discardableResult
  mutating func remove(_ member: RecordID) -> Bool { arrivals.removeValue(forKey: member) != nil }

  /// Lets a member stand behind all others.
  mutating func moveLast(_ member: RecordID) { if remove(member) { append(member) } }

  /// - Complexity: O(n log n).
  func makeIterator() -> IndexingIterator<[RecordID]> {
    arrivals.sorted { $0.value < $1.value }.map(\.key).makeIterator()
  }
}
