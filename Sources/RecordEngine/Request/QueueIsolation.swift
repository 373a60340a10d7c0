import Dispatch

/// An actor that runs on a dispatch queue, so that values that belong to the queue can be used in a request.
/// Rule: `request.callback`.
actor QueueIsolation {
  private let executor: QueueExecutor

  init(_ queue: DispatchQueue) { executor = QueueExecutor(queue) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Runs a closure on the queue with a value that belongs to the queue.
  func run<Bound>(
    _ bound: QueueBound<Bound>, _ body: @Sendable (Bound, isolated QueueIsolation) async -> Void
  ) async {
    await body(bound.value, self)
  }
}

private final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: UnownedJob) {
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// A value that belongs to a queue, on its way there.
// Unchecked: the value is accessed only on the queue.
struct QueueBound<Value>: @unchecked Sendable {
  let value: Value
}
