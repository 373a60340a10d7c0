import Foundation

/// Whose turn it is: one task has it at a time, in the order in which they have queued.
// Unchecked: `isTaken`, `queue` and what places hold are read and written under `lock` alone.
final class TaskTurn: @unchecked Sendable {
  /// One that waits.
  // Unchecked: `continuation` and `hasTurn` are read and written under the lock of the turn alone.
  final class Place: @unchecked Sendable {
    fileprivate let turn: TaskTurn
    fileprivate var continuation: CheckedContinuation<Bool, Never>?
    /// Nil as long as it waits; false if it has left.
    fileprivate var hasTurn: Bool?

    fileprivate init(_ turn: TaskTurn) { self.turn = turn }
  }

  fileprivate let lock = NSLock()
  private var isTaken = false
  fileprivate var queue: [Place] = []

  /// Takes a place behind those that wait; nil if it is its turn at once.
  func join() -> Place? {
    lock.withLock {
      guard isTaken else {
        isTaken = true
        return nil
      }
      let place = Place(self)
      queue.append(place)
      return place
    }
  }

  /// To be called once by whoever has the turn.
  func end() {
    lock.withLock { () -> CheckedContinuation<Bool, Never>? in
      // It goes straight to the next one: nobody who comes meanwhile is before.
      guard !queue.isEmpty else {
        isTaken = false
        return nil
      }
      let next = queue.removeFirst()
      next.hasTurn = true
      return next.continuation
    }?.resume(returning: true)
  }
}

extension TaskTurn.Place {
  /// Comes back when it is the place's turn, or when it has left: false then.
  func wait() async -> Bool {
    await withCheckedContinuation { continuation in
      let known = turn.lock.withLock {
        if hasTurn == nil { self.continuation = continuation }
        return hasTurn
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Gives the place up, unless it is its turn already.
  func leave() {
    turn.lock.withLock { () -> CheckedContinuation<Bool, Never>? in
      guard let index = turn.queue.firstIndex(where: { $0 === self }) else { return nil }
      turn.queue.remove(at: index)
      hasTurn = false
      return continuation
    }?.resume(returning: false)
  }
}
