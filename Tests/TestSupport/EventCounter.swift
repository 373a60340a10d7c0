import Foundation

/// Counts events, and lets a test wait for a number of events.
// Unchecked: all mutable state is only accessed while `lock` is held.
package final class EventCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var events = 0
  private var lastWait = 0
  private var waiting: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

  package init() {}

  package var count: Int { lock.withLock { events } }

  /// Counts an event, and returns its number, starting at 1.
  @discardableResult
  package func note() -> Int {
    let (number, ready) = lock.withLock {
      events += 1
      let ready = waiting.filter { $0.value.count <= events }
      for wait in ready.keys { waiting[wait] = nil }
      return (events, ready.values)
    }
    for one in ready { one.continuation.resume() }
    return number
  }

  /// Waits for events, or until the task is cancelled. A task is cancelled when its test fails or exceeds its time
  /// limit.
  package func wait(for count: Int = 1) async {
    let wait = lock.withLock {
      lastWait += 1
      return lastWait
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = lock.withLock {
          if events >= count || Task.isCancelled { return true }
          waiting[wait] = (count, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      lock.withLock { waiting.removeValue(forKey: wait) }?.continuation.resume()
    }
  }
}
