import Foundation

/// Counts events, and lets a test wait until there have been so many.
// Unchecked: everything that changes is read and written under `lock` alone.
package final class EventCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var events = 0
  private var lastWait = 0
  private var waiting: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

  package init() {}

  package var count: Int { lock.withLock { events } }

  /// Counts an event, and returns its number, from 1 on.
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

  /// Waits for events, or until the task is cancelled, as it is when a test fails or takes longer than its time limit.
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
