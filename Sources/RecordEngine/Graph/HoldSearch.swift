import HeapModule
import OrderedCollections
import RecordModel

/// A search for the records that must be kept, among those that are to be deleted.
///
/// The search runs in rounds:
///
/// 1. A round begins with the records that must be kept for their own reasons.
/// 2. Each held record also holds the records that cannot be deleted without it.
/// 3. Records that only held records would have deleted are left. They can hold other records in the next round.
///
/// Records are integers here: their positions in ``doomed``. A round processes only the changes of the previous one.
///
/// - Complexity: O(n log n) in the number of records and links, regardless of the number of rounds.
struct HoldSearch {
  typealias Hold = WorkingGraph.Hold

  private enum Fate: Equatable {
    case doomed
    /// The record must be kept, and so must every record that would delete it.
    case held(Hold)
    /// The record is kept because every record that would delete it is kept.
    case left
  }

  /// A dependency: `owner` must be kept if another record, the member, is kept.
  private struct Tie {
    var owner: Int
    /// The reason; nil if the owner is held for the reason of the member.
    var hold: Hold?
    var countsIfLeft: Bool
  }

  /// A to-many relationship with a minimum number of members.
  private struct CountedEnd {
    var relationship: SchemaRelationship
    /// The number of members that are currently known to be kept.
    var count: Int
    /// The members that it may lose, oldest first.
    var members: [(position: Int, hold: Hold)]
    /// The index of the first member that may still be doomed.
    var next = 0
    /// A Boolean value that indicates whether the owner is kept.
    var stays: Bool
    var isQueued = false
  }

  let doomed: OrderedSet<RecordID>
  private let roots: [RecordID]
  private var fates: [Fate]
  /// For each record, the members that its cascades delete.
  private var taken: [[Int]]
  /// The ties, in the order in which they were added. This order decides which reason applies.
  private var ties: [Tie] = []
  /// For each member, the indices of its ties.
  private var tiesOfMember: [[Int]]
  /// The records that must be kept regardless of other records.
  private var reasons: [(position: Int, hold: Hold)] = []

  /// For each to-many relationship, the members that it may lose.
  private(set) var losses: [RelationshipEnd: [(member: RecordID, hold: Hold)]] = [:]
  private var ends: [CountedEnd] = []
  /// For each owner and each member, the indices of the ends.
  private var endsOfOwner: [[Int]]
  private var endsOfMember: [[Int]]

  /// The records that were held in this round.
  private var heldNow: [Int] = []
  /// The held records whose ties have not been followed.
  private var pending: [Int] = []
  /// The ends to count in this round, and in the next one.
  private var queue: Heap<Int> = []
  private var postponed: [Int] = []
  private var current = -1

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - doomed: the records that are to be deleted, including those that cascades delete.
  ///   - roots: the records that are deleted directly, whether or not a cascade reaches them.
  init(_ doomed: OrderedSet<RecordID>, from roots: [RecordID]) {
    self.doomed = doomed
    self.roots = roots
    fates = Array(repeating: .doomed, count: doomed.count)
    taken = Array(repeating: [], count: doomed.count)
    tiesOfMember = taken
    endsOfOwner = taken
    endsOfMember = taken
  }
}

// MARK: - Adding records and relationships

extension HoldSearch {
  /// Adds a reason to keep a record.
  mutating func hold(_ id: RecordID, _ hold: Hold) {
    if let position = doomed.firstIndex(of: id) { reasons.append((position, hold)) }
  }

  /// Adds a dependency: a record cannot be deleted without another one.
  ///
  /// - Parameters:
  ///   - hold: the reason; nil if the record would delete the other one, and is held for the same reason.
  ///   - countsIfLeft: a Boolean value that indicates whether the record must also be kept if the other one is only
  ///     left.
  mutating func tie(_ id: RecordID, to member: RecordID, _ hold: Hold?, countsIfLeft: Bool = true) {
    guard let owner = doomed.firstIndex(of: id), let member = doomed.firstIndex(of: member) else { return }
    tiesOfMember[member].append(ties.count)
    ties.append(Tie(owner: owner, hold: hold, countsIfLeft: countsIfLeft))
  }

  /// Adds a cascade: deleting the record deletes a member.
  mutating func take(_ member: RecordID, with id: RecordID) {
    guard let owner = doomed.firstIndex(of: id), let member = doomed.firstIndex(of: member) else { return }
    taken[owner].append(member)
  }

  /// Adds a member that a to-many relationship loses if its owner is kept.
  mutating func lose(_ id: RecordID, from end: RelationshipEnd, _ hold: Hold) {
    losses[end, default: []].append((id, hold))
  }

  /// Adds the number of members of a to-many relationship of ``losses``. Relationships are checked in the order of the
  /// calls.
  mutating func count(_ end: RelationshipEnd, _ relationship: SchemaRelationship, members: Int) {
    let lost = (losses[end] ?? []).sorted { $0.member < $1.member }.compactMap { member, hold in
      doomed.firstIndex(of: member).map { (position: $0, hold: hold) }
    }
    let owner = doomed.firstIndex(of: end.owner)
    if let owner { endsOfOwner[owner].append(ends.count) }
    for (position, _) in lost { endsOfMember[position].append(ends.count) }
    ends.append(
      CountedEnd(
        relationship: relationship, count: members - lost.count, members: lost, stays: owner == nil))
  }
}

// MARK: - Searching

extension HoldSearch {
  /// Returns the records that must be kept, each with the round in which it was found and the reason.
  mutating func run() -> [RecordID: (round: Int, hold: Hold)] {
    for (position, hold) in reasons { self.hold(position, hold) }
    for index in ends.indices { enqueue(index) }
    endRound()
    if heldNow.isEmpty { return [:] }
    var held: [RecordID: (round: Int, hold: Hold)] = [:]
    var support = CascadeSupport(taken, roots: OrderedSet(roots).compactMap { doomed.firstIndex(of: $0) })
    var round = 0
    repeat {
      for position in heldNow {
        if case .held(let hold) = fates[position] { held[doomed[position]] = (round, hold) }
      }
      beginRound(left: support.withdraw(heldNow) { fates[$0] == .doomed })
      endRound()
      round += 1
    } while !heldNow.isEmpty
    return held
  }

  private mutating func endRound() {
    spread()
    holdMissingMembers()
  }

  private mutating func beginRound(left: [Int]) {
    queue.insert(contentsOf: postponed)
    postponed = []
    for position in left {
      fates[position] = .left
      keep(position)
    }
    for position in heldNow + left {
      for index in endsOfOwner[position] {
        ends[index].stays = true
        enqueue(index)
      }
    }
    heldNow = []
    for index in left.flatMap({ tiesOfMember[$0] }).sorted() where ties[index].countsIfLeft {
      if let hold = ties[index].hold { self.hold(ties[index].owner, hold) }
    }
  }

  private mutating func hold(_ position: Int, _ hold: Hold) {
    guard fates[position] == .doomed else { return }
    fates[position] = .held(hold)
    heldNow.append(position)
    pending.append(position)
    keep(position)
  }

  /// Holds all records that cannot be deleted without a held one.
  private mutating func spread() {
    while let member = pending.popLast() {
      guard case .held(let reason) = fates[member] else { continue }
      for index in tiesOfMember[member] { hold(ties[index].owner, ties[index].hold ?? reason) }
    }
  }

  /// Holds as many of the members that to-many relationships would lose as these require, oldest first.
  private mutating func holdMissingMembers() {
    while let index = queue.popMin() {
      current = index
      ends[index].isQueued = false
      for (position, hold) in missingMembers(of: index) {
        self.hold(position, hold)
        spread()
      }
    }
    current = -1
  }

  private mutating func missingMembers(of index: Int) -> [(position: Int, hold: Hold)] {
    let missing = ends[index].relationship.shortfall(of: ends[index].count)
    var found: [(position: Int, hold: Hold)] = []
    while found.count < missing, ends[index].next < ends[index].members.count {
      let member = ends[index].members[ends[index].next]
      ends[index].next += 1
      if fates[member.position] == .doomed { found.append(member) }
    }
    return found
  }

  /// Counts a kept record as a member.
  private mutating func keep(_ position: Int) {
    for index in endsOfMember[position] {
      ends[index].count += 1
      enqueue(index)
    }
  }

  /// Schedules the check of an end: in this round if its index is higher than the current one, otherwise in the next
  /// round. An optional end can require more members once it keeps one.
  private mutating func enqueue(_ index: Int) {
    guard ends[index].stays, !ends[index].isQueued else { return }
    ends[index].isQueued = true
    if index > current { queue.insert(index) } else { postponed.append(index) }
  }
}
