import Foundation

/// Counts events, and lets a test wait until there have been so many.
// Unchecked: everything that changes is read and written under `lock` alone.
package final class EventCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var events = 0
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  package init() {}

  package var count: Int { lock.withLock { events } }

  /// Counts an event, and returns its number, from 1 on.
  @discardableResult
  package func note() -> Int {
    let (number, ready) = lock.withLock {
      events += 1
      let ready = waiting.filter { $0.count <= events }
      waiting.removeAll { $0.count <= events }
      return (events, ready)
    }
    for one in ready { one.continuation.resume() }
    return number
  }

  package func wait(for count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = lock.withLock {
        if events < count { waiting.append((count, continuation)) }
        return events >= count
      }
      if isThere { continuation.resume() }
    }
  }
}
