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

  /// A closure that determines the next update from the changes since the last call. The first call receives `any`.
  typealias Evaluation = (ManagedObjectContext, UpdateDependencies.Effect) throws(RequestFailure) -> Step

  private weak var context: ManagedObjectContext?
  private let signal = UpdateSignal()
  private let dependencies: UpdateDependencies
  private let evaluate: Evaluation
  /// The change counts of the context at the last evaluation; nil before the first one.
  private var counts: [Int]?
  private var isFinished = false

  /// Creates a loop that observes a context from now on.
  ///
  /// - Parameters:
  ///   - context: the context; nil if it is already deallocated.
  ///   - dependencies: the records that the updates depend on.
  ///   - evaluate: the evaluation, which must not hold the context.
  init(
    _ context: ManagedObjectContext?, _ dependencies: UpdateDependencies,
    _ evaluate: @escaping Evaluation
  ) {
    self.context = context
    self.dependencies = dependencies
    self.evaluate = evaluate
    context?.addObserver(signal, of: dependencies.trees)
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
    let former = counts
    counts = context.changeCounts
    let effect = former.map { dependencies.effect(of: context.changes(since: $0)) } ?? .any
    if case .none = effect { return .unchanged }
    return try evaluate(context, effect)
  }
}
