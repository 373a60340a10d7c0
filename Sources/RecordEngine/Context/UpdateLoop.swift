import RecordModel

/// The loop of a sequence of updates: it waits for changes of a context, and evaluates them.
///
/// The loop does not keep the context alive. It belongs to the isolation of the context.
final class UpdateLoop<Update> {
  enum Step {
    case unchanged
    case update(Update)
    case end
  }

  private weak var context: ManagedObjectContext?
  private let signal = UpdateSignal()
  private let trees: [TreeIndex]
  private let evaluate: (ManagedObjectContext) throws(RequestFailure) -> Step
  /// The revisions of the context at the last evaluation; nil before the first one.
  private var revisions: TreeRevisions?
  private var isFinished = false

  /// Creates a loop that observes a context from now on.
  ///
  /// - Parameters:
  ///   - context: the context; nil if it is already deallocated.
  ///   - trees: the inheritance trees that the updates depend on.
  ///   - evaluate: a closure that determines the next update. It must not hold the context.
  init(
    _ context: ManagedObjectContext?, trees: some Sequence<TreeIndex>,
    _ evaluate: @escaping (ManagedObjectContext) throws(RequestFailure) -> Step
  ) {
    self.context = context
    self.trees = Set(trees).sorted()
    self.evaluate = evaluate
    context?.addObserver(signal)
  }

  /// Waits for the next update. Returns nil after the last one. An error is also the end.
  func next(isolation: isolated (any Actor)? = #isolation) async throws(RequestFailure) -> Update? {
    do throws(RequestFailure) {
      while !isFinished, !Task.isCancelled {
        switch try step() {
        case .update(let update): return update
        case .unchanged: if await signal.wait() { continue }
        case .end: break
        }
        break
      }
    } catch {
      isFinished = true
      throw error
    }
    isFinished = true
    return nil
  }

  /// Evaluates the changes since the last evaluation, without waiting.
  func step() throws(RequestFailure) -> Step {
    guard let context else { return .end }
    let current = context.revisions
    if let revisions, trees.allSatisfy({ current[$0] == revisions[$0] }) { return .unchanged }
    revisions = current
    return try evaluate(context)
  }
}
