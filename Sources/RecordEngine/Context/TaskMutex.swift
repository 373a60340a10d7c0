import Foundation

/// A mutex for tasks. They acquire it in the order in which they have queued.
// Unchecked: `isLocked`, `queue` and the state of waiters are accessed only while `lock` is held.
final class TaskMutex: @unchecked Sendable {
  /// A task that waits for the mutex.
  // Unchecked: `continuation` and `isOwner` are accessed only while the lock of the mutex is held.
  final class Waiter: @unchecked Sendable {
    fileprivate let mutex: TaskMutex
    fileprivate var continuation: CheckedContinuation<Bool, Never>?
    /// True if the waiter has acquired the mutex, false if it has left the queue, nil while it waits.
    fileprivate var isOwner: Bool?

    fileprivate init(_ mutex: TaskMutex) { self.mutex = mutex }
  }

  fileprivate let lock = NSLock()
  private var isLocked = false
  fileprivate var queue: [Waiter] = []

  /// Returns a waiter at the end of the queue; nil if the mutex was free and has been acquired immediately.
  func enqueue() -> Waiter? {
    lock.withLock {
      guard isLocked else {
        isLocked = true
        return nil
      }
      let waiter = Waiter(self)
      queue.append(waiter)
      return waiter
    }
  }

  /// Releases the mutex. The owner calls it once.
  func unlock() {
    lock.withLock { () -> CheckedContinuation<Bool, Never>? in
      // The mutex passes directly to the next waiter, so that no task can overtake it.
      guard !queue.isEmpty else {
        isLocked = false
        return nil
      }
      let next = queue.removeFirst()
      next.isOwner = true
      return next.continuation
    }?.resume(returning: true)
  }
}

extension TaskMutex.Waiter {
  /// Waits until the waiter has acquired the mutex or left the queue. Returns false if it has left the queue.
  func wait() async -> Bool {
    await withCheckedContinuation { continuation in
      let known = mutex.lock.withLock {
        if isOwner == nil { self.continuation = continuation }
        return isOwner
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Leaves the queue, unless the waiter has already acquired the mutex.
  func cancel() {
    mutex.lock.withLock { () -> CheckedContinuation<Bool, Never>? in
      guard let index = mutex.queue.firstIndex(where: { $0 === self }) else { return nil }
      mutex.queue.remove(at: index)
      isOwner = false
      return continuation
    }?.resume(returning: false)
  }
}
