import Dispatch

/// A dispatch queue as an isolation, so that what belongs to a queue can take part in a request. Rule: `request.callback`.
actor QueueIsolation {
  private let executor: QueueExecutor

  init(_ queue: DispatchQueue) { executor = QueueExecutor(queue) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Does something on the queue with what belongs to it.
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

/// What belongs to a queue, on its way to it.
// Unchecked: it is opened on the queue alone.
struct QueueBound<Value>: @unchecked Sendable {
  let value: Value
}
