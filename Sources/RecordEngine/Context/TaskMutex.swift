import Foundation

/// Whose mutex it is: one task has it at a time, in the order in which they have queued.
// Unchecked: `isLocked`, `queue` and what places hold are read and written under `lock` alone.
final class TaskMutex: @unchecked Sendable {
  /// One that waits.
  // Unchecked: `continuation` and `isOwner` are read and written under the lock of the mutex alone.
  final class Waiter: @unchecked Sendable {
    fileprivate let mutex: TaskMutex
    fileprivate var continuation: CheckedContinuation<Bool, Never>?
    /// Nil as long as it waits; false if it has left.
    fileprivate var isOwner: Bool?

    fileprivate init(_ mutex: TaskMutex) { self.mutex = mutex }
  }

  fileprivate let lock = NSLock()
  private var isLocked = false
  fileprivate var queue: [Waiter] = []

  /// Takes a place behind those that wait; nil if it is its mutex at once.
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

  /// To be called once by whoever has the mutex.
  func unlock() {
    lock.withLock { () -> CheckedContinuation<Bool, Never>? in
      // It goes straight to the next one: nobody who comes meanwhile is before.
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
  /// Comes back when it is the place's mutex, or when it has left: false then.
  func wait() async -> Bool {
    await withCheckedContinuation { continuation in
      let known = mutex.lock.withLock {
        if isOwner == nil { self.continuation = continuation }
        return isOwner
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Gives the place up, unless it is its mutex already.
  func cancel() {
    mutex.lock.withLock { () -> CheckedContinuation<Bool, Never>? in
      guard let index = mutex.queue.firstIndex(where: { $0 === self }) else { return nil }
      mutex.queue.remove(at: index)
      isOwner = false
      return continuation
    }?.resume(returning: false)
  }
}
