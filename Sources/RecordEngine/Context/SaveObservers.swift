import Foundation

/// Those who want to know of saves.
// Unchecked: `continuations`, `last` and `newRecords` are read and written under `lock` alone.
final class SaveObservers: @unchecked Sendable {
  private let lock = NSLock()
  private var continuations: [Int: AsyncStream<SavedChanges>.Continuation] = [:]
  private var last = 0
  private var newRecords: [WeakNewRecords] = []

  private struct WeakNewRecords {
    weak var records: NewRecords?
  }

  /// Every save from now on, in order, until the observers go.
  func stream() -> AsyncStream<SavedChanges> {
    AsyncStream(bufferingPolicy: .unbounded) { continuation in
      let number = lock.withLock {
        last += 1
        continuations[last] = continuation
        return last
      }
      continuation.onTermination = { [weak self] _ in self?.remove(number) }
    }
  }

  /// What new records there are from now on, for as long as somebody holds the answer.
  func newRecords(tree: TreeIndex) -> NewRecords {
    let records = NewRecords(tree: tree)
    lock.withLock {
      newRecords.removeAll { $0.records == nil }
      newRecords.append(WeakNewRecords(records: records))
    }
    return records
  }

  /// To be called by whoever holds the turn to write, so that all see saves in one order.
  ///
  /// - Parameter save: made only where somebody reads saves.
  func announce(_ changes: ChangeSet, _ save: () -> SavedChanges) {
    let (waiting, records) = lock.withLock {
      (continuations.sorted { $0.key < $1.key }.map(\.value), newRecords.compactMap(\.records))
    }
    for records in records { records.note(changes) }
    guard !waiting.isEmpty else { return }
    let save = save()
    for continuation in waiting { continuation.yield(save) }
  }

  private func remove(_ number: Int) { lock.withLock { continuations[number] = nil } }

  deinit {
    for continuation in continuations.values { continuation.finish() }
  }
}
