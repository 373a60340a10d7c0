import RecordModel

/// A signal that wakes a sequence of updates after its context has changed.
///
/// A signal that is sent while no task waits is kept for the next one that does. Several signals count as one.
final class UpdateSignal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func send() { continuation.yield() }

  /// Ends all waiting, because the context is deallocated.
  func finish() { continuation.finish() }

  /// Waits for a signal. Returns false if there will be none: the task is canceled, or the context is deallocated.
  func wait(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    for await _ in stream { return true }
    return false
  }
}

/// The signals of the sequences that observe a context or one of its children. They end when the context is
/// deallocated.
final class UpdateSignals {
  private struct Weak {
    weak var signal: UpdateSignal?
    let trees: Set<TreeIndex>
  }

  private var signals: [Weak] = []

  /// A Boolean value that indicates whether no sequence observes the context.
  var isEmpty: Bool { signals.allSatisfy { $0.signal == nil } }

  /// Adds the signal of a sequence that depends on the records of some inheritance trees.
  func add(_ signal: UpdateSignal, of trees: Set<TreeIndex>) {
    signals.removeAll { $0.signal == nil }
    signals.append(Weak(signal: signal, trees: trees))
  }

  /// Sends the signals of the sequences that depend on the records of some inheritance trees.
  func send(_ trees: Set<TreeIndex>) {
    for weak in signals where !weak.trees.isDisjoint(with: trees) { weak.signal?.send() }
  }

  deinit { for weak in signals { weak.signal?.finish() } }
}
