import Foundation
import RecordModel

/// The observers of saves: streams, and collections of new records.
// Unchecked: `continuations`, `lastNumber`, `newRecords` and `history` are accessed only while `lock` is held.
final class SaveObservers: @unchecked Sendable {
  private let lock = NSLock()
  private var continuations: [Int: AsyncStream<SavedChanges>.Continuation] = [:]
  private var lastNumber = 0
  private var newRecords: [WeakNewRecords] = []
  private var history: ChangeHistory

  private struct WeakNewRecords {
    weak var records: NewRecords?
  }

  init(_ schema: Schema) { history = ChangeHistory(schema) }

  /// The number of saves so far.
  var saveCount: Int { lock.withLock { history.count } }

  /// Returns the records that have been saved since there were `count` saves.
  func changes(since count: Int) -> ChangedRecords { lock.withLock { history.changes(since: count) } }

  /// Returns a stream of all saves from now on, in order. It ends when this object is deallocated.
  func stream() -> AsyncStream<SavedChanges> {
    AsyncStream(bufferingPolicy: .unbounded) { continuation in
      let number = lock.withLock {
        lastNumber += 1
        continuations[lastNumber] = continuation
        return lastNumber
      }
      continuation.onTermination = { [weak self] _ in self?.remove(number) }
    }
  }

  /// Returns an object that collects the new records from now on, for as long as the caller holds it.
  func newRecords(tree: TreeIndex) -> NewRecords {
    let records = NewRecords(tree: tree)
    lock.withLock {
      newRecords.removeAll { $0.records == nil }
      newRecords.append(WeakNewRecords(records: records))
    }
    return records
  }

  /// Notifies all observers of a save. The caller must hold the write lock, so that all observers see the saves in one
  /// order.
  ///
  /// - Parameters:
  ///   - changes: the saved changes.
  ///   - changed: the records that the changes affect.
  ///   - save: a closure that creates the element of the streams. It is called only if there are streams.
  func announce(_ changes: ChangeSet, _ changed: ChangedRecords, _ save: () -> SavedChanges) {
    let (subscribers, records) = lock.withLock {
      history.append(changed)
      return (Array(continuations.values), newRecords.compactMap(\.records))
    }
    for records in records { records.note(changes) }
    guard !subscribers.isEmpty else { return }
    let save = save()
    for continuation in subscribers { continuation.yield(save) }
  }

  private func remove(_ number: Int) { lock.withLock { continuations[number] = nil } }

  deinit {
    for continuation in continuations.values { continuation.finish() }
  }
}
