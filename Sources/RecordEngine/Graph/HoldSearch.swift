import HeapModule
import OrderedCollections
import RecordModel

/// Finds the records that have to stay of those that are to be deleted.
///
/// The search goes in rounds. Each begins with the records that have a reason of their own to stay. A held record also holds the
/// records that cannot be deleted without it. Records that only held records would have deleted stay too, and may hold others
/// in the next round.
///
/// Records are integers here: their positions among the doomed ones. A round looks only at what the last one has changed.
///
/// - Complexity: O(n log n) in records and links, however many rounds there are.
struct HoldSearch {
  typealias Hold = WorkingGraph.Hold

  private enum Fate: Equatable {
    case doomed
    /// It has to stay. So has everything that would take it.
    case held(Hold)
    /// It stays because every record that would take it stays.
    case left
  }

  /// Why a record has to stay if another one does.
  private struct Tie {
    var owner: Int
    /// Nil: it is the member's.
    var hold: Hold?
    var countsIfLeft: Bool
  }

  /// A to-many that must not lose too many of its members.
  private struct CountedEnd {
    var relationship: SchemaRelationship
    /// How many members it keeps as things stand.
    var count: Int
    /// The members that it may lose, the oldest first.
    var members: [(position: Int, hold: Hold)]
    /// The first of them that may still be doomed.
    var next = 0
    /// Whether its owner stays.
    var stays: Bool
    var isQueued = false
  }

  let doomed: OrderedSet<RecordID>
  private let roots: [RecordID]
  private var fates: [Fate]
  /// By record: the members that it takes with it.
  private var taken: [[Int]]
  /// In the order in which they were noted, which is that of the reasons.
  private var ties: [Tie] = []
  /// By member: the indices of its ties.
  private var tiesOfMember: [[Int]]
  /// The records that have to stay whatever becomes of others.
  private var reasons: [(position: Int, hold: Hold)] = []

  /// By to-many: the members that it may lose.
  private(set) var losses: [RelationshipEnd: [(member: RecordID, hold: Hold)]] = [:]
  private var ends: [CountedEnd] = []
  /// By owner and by member: the indices of the ends.
  private var endsOfOwner: [[Int]]
  private var endsOfMember: [[Int]]

  /// What was held in this round.
  private var heldNow: [Int] = []
  /// What is held, and has not held others yet.
  private var pending: [Int] = []
  /// The ends that are to be counted in this round, and in the next one.
  private var queue: Heap<Int> = []
  private var postponed: [Int] = []
  private var current = -1

  /// - Parameters:
  ///   - doomed: the records that are to be deleted, with all that they take.
  ///   - roots: those that are to be deleted whether or not others take them.
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

// MARK: - Noting

extension HoldSearch {
  /// Notes that a record stays.
  mutating func hold(_ id: RecordID, _ hold: Hold) {
    if let position = doomed.firstIndex(of: id) { reasons.append((position, hold)) }
  }

  /// Notes that a record may not go without another one.
  ///
  /// - Parameters:
  ///   - hold: nil if the record would take the other one, and has to stay for the same reason.
  ///   - countsIfLeft: whether it has to stay with one that is only left, too.
  mutating func tie(_ id: RecordID, to member: RecordID, _ hold: Hold?, countsIfLeft: Bool = true) {
    guard let owner = doomed.firstIndex(of: id), let member = doomed.firstIndex(of: member) else { return }
    tiesOfMember[member].append(ties.count)
    ties.append(Tie(owner: owner, hold: hold, countsIfLeft: countsIfLeft))
  }

  /// Notes that a record takes another one with it.
  mutating func take(_ member: RecordID, with id: RecordID) {
    guard let owner = doomed.firstIndex(of: id), let member = doomed.firstIndex(of: member) else { return }
    taken[owner].append(member)
  }

  /// Notes that a to-many loses a record, if its owner stays.
  mutating func lose(_ id: RecordID, from end: RelationshipEnd, _ hold: Hold) {
    losses[end, default: []].append((id, hold))
  }

  /// Notes how many members a to-many of ``losses`` has. Ends are counted in the order of the calls.
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
  /// Returns the records that have to stay, each with the round in which that was found, and why.
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
    holdWhatIsTooFew()
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

  /// Holds all that may not go while something that is held stays.
  private mutating func spread() {
    while let member = pending.popLast() {
      guard case .held(let reason) = fates[member] else { continue }
      for index in tiesOfMember[member] { hold(ties[index].owner, ties[index].hold ?? reason) }
    }
  }

  /// Of the members that to-manys would lose and cannot, holds as many as they need, the oldest first.
  private mutating func holdWhatIsTooFew() {
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

  /// Counts a record that stays as a member.
  private mutating func keep(_ position: Int) {
    for index in endsOfMember[position] {
      ends[index].count += 1
      enqueue(index)
    }
  }

  /// Has an end counted: in this round if its turn is yet to come, else in the next one. An end that may be empty can need more
  /// members when it keeps one.
  private mutating func enqueue(_ index: Int) {
    guard ends[index].stays, !ends[index].isQueued else { return }
    ends[index].isQueued = true
    if index > current { queue.insert(index) } else { postponed.append(index) }
  }
}
