import RecordModel

/// Members in the order in which they were added. Membership tests and removals take constant time.
struct MemberList: Sequence {
  /// For each member, the serial number of its addition.
  private var arrivals: [RecordID: Int] = [:]
  private var nextArrival = 0

  init() {}

  init(_ members: some Sequence<RecordID>) { for member in members { append(member) } }

  var isEmpty: Bool { arrivals.isEmpty }

  func contains(_ member: RecordID) -> Bool { arrivals[member] != nil }

  /// Adds a member at the end. An existing member keeps its position.
  mutating func append(_ member: RecordID) {
    guard arrivals[member] == nil else { return }
    arrivals[member] = nextArrival
    nextArrival += 1
  }

  /// - Returns: a Boolean value that indicates whether the record was a member.
  @discardableResult
  mutating func remove(_ member: RecordID) -> Bool { arrivals.removeValue(forKey: member) != nil }

  /// Moves a member to the end.
  mutating func moveLast(_ member: RecordID) { if remove(member) { append(member) } }

  /// - Complexity: O(n log n).
  func makeIterator() -> IndexingIterator<[RecordID]> {
    arrivals.sorted { $0.value < $1.value }.map(\.key).makeIterator()
  }
}
