import OrderedCollections
import RecordModel

/// A search for the records that must be kept, among those that are to be deleted.
///
/// A record is kept for a reason of its own, or because a record to which it is tied is kept.
struct HoldSearch {
  typealias Hold = WorkingGraph.Hold

  let doomed: OrderedSet<RecordID>
  private(set) var held: [RecordID: Hold] = [:]
  /// The held records whose ties have not been followed, in the order in which they were found.
  private var pending: [RecordID] = []
  /// For each record, those that must be kept with it. Without a reason, they are held for the reason of the record.
  private var ties: [RecordID: [(id: RecordID, hold: Hold?)]] = [:]

  init(_ doomed: OrderedSet<RecordID>) { self.doomed = doomed }

  /// Adds a reason to keep a record.
  mutating func hold(_ id: RecordID, _ hold: Hold) {
    guard held[id] == nil, doomed.contains(id) else { return }
    held[id] = hold
    pending.append(id)
  }

  /// Adds a dependency: a record must be kept if another one is.
  ///
  /// - Parameter hold: the reason; nil for the reason of the other record.
  mutating func tie(_ id: RecordID, to other: RecordID, _ hold: Hold?) {
    ties[other, default: []].append((id, hold))
  }

  /// Finds the held records, each with the first reason that was found.
  ///
  /// - Complexity: linear in the number of records and ties.
  mutating func run() {
    var next = 0
    while next < pending.count {
      let id = pending[next]
      next += 1
      for tie in ties[id] ?? [] {
        if let reason = tie.hold ?? held[id] { hold(tie.id, reason) }
      }
    }
  }
}
