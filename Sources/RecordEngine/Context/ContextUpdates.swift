/// The results of a fetch, or the states of a record, over time: the current one, and a new one after each change of the
/// context that affects it.
///
/// ```swift
/// for try await update in try context.updates(of: Post.self, where: "user.name == 'Ada'") {
///   screen.show(update.records)
/// }
/// ```
///
/// - The first element is the current result or state.
/// - If the context changes several times before the next element is requested, the element contains the latest result, and all
///   changes since the last element.
///
/// The sequence ends when its task is canceled, when the context is deallocated, or after an error. A sequence for one record
/// also ends when the record is deleted or becomes one of another type. The sequence does not keep the context alive, but the
/// records of an element do. Use it in the isolation of its context. Each iterator observes the context independently.
///
/// See <doc:Fetching#Observe-a-fetch>.
public struct ContextUpdates<Element>: AsyncSequence {
  private weak var context: ManagedObjectContext?
  private let dependencies: UpdateDependencies
  private let makeEvaluation: () -> UpdateLoop<Element>.Evaluation

  /// Creates a sequence.
  ///
  /// - Parameter makeEvaluation: a closure that returns the evaluation of an iterator, which must not hold the context.
  init(
    _ context: ManagedObjectContext, _ dependencies: UpdateDependencies,
    _ makeEvaluation: @escaping () -> UpdateLoop<Element>.Evaluation
  ) {
    (self.context, self.dependencies, self.makeEvaluation) = (context, dependencies, makeEvaluation)
  }

  /// Returns an iterator that observes the context from now on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(loop: UpdateLoop(context, dependencies, makeEvaluation()))
  }

  /// An iterator over the elements of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    let loop: UpdateLoop<Element>

    /// Waits for the next element and returns it. The first call returns immediately.
    ///
    /// - Returns: the element; nil if the sequence has ended.
    /// - Throws: ``RequestFailure`` with `fetch-error` if the store cannot be read.
    public func nextUpdate(isolation: isolated (any Actor)? = #isolation) async throws -> Element? {
      try await loop.next()
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public func next(isolation: isolated (any Actor)?) async throws -> Element? {
      try await nextUpdate(isolation: isolation)
    }

    public nonisolated(nonsending) func next() async throws -> Element? {
      try await nextUpdate(isolation: #isolation)
    }
  }
}
