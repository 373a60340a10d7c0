import Foundation

/// Those who want to know of saves.
// Unchecked: `continuations` and `last` are read and written under `lock` alone.
final class SaveObservers: @unchecked Sendable {
  private let lock = NSLock()
  private var continuations: [Int: AsyncStream<SavedChanges>.Continuation] = [:]
  private var last = 0

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

  /// To be called by whoever holds the turn to write, so that all see saves in one order.
  func announce(_ save: SavedChanges) {
    let waiting = lock.withLock { continuations.sorted { $0.key < $1.key }.map(\.value) }
    for continuation in waiting { continuation.yield(save) }
  }

  var isEmpty: Bool { lock.withLock { continuations.isEmpty } }

  private func remove(_ number: Int) { lock.withLock { continuations[number] = nil } }

  deinit {
    for continuation in continuations.values { continuation.finish() }
  }
}
