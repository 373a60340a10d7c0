internal import Foundation

/// A queue of values that concurrent tasks send to one receiver.
///
/// Waking the receiver takes as long as the work on a small scenario. The receiver therefore takes all waiting values at
/// once, and is not woken in the millisecond after.
// Unchecked: the properties below `lock` are accessed only while it is held.
final class Inbox<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value] = []
  private var receiver: CheckedContinuation<Void, Never>?
  private var isResting = false
  private var isCancelled = false

  /// Adds a value.
  func send(_ value: Value) { change { values.append(value) } }

  /// Returns the values that were sent since the last call, in their order. Waits until there are some. Returns nil if the
  /// task is cancelled.
  func receive(isolation: isolated (any Actor)? = #isolation) async -> [Value]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        change { receiver = continuation }
      }
    } onCancel: {
      change { isCancelled = true }
    }
    let received = lock.withLock {
      isResting = true
      defer { values = [] }
      return isCancelled ? nil : values
    }
    // Scenarios may occupy all threads that tasks share, so the timer does not use them.
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { [weak self] in
      self?.change { self?.isResting = false }
    }
    return received
  }

  /// A Boolean value that indicates whether the receiver waits.
  var isReceiving: Bool { lock.withLock { receiver != nil } }

  /// Changes the state, and wakes the receiver if it has nothing left to wait for.
  private func change(_ change: () -> Void) {
    let woken = lock.withLock {
      change()
      guard isCancelled || !values.isEmpty && !isResting else {
        return CheckedContinuation<Void, Never>?.none
      }
      defer { receiver = nil }
      return receiver
    }
    woken?.resume()
  }
}
