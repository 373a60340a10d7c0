import RecordModel

/// The steps of a request from the server to its result.
///
/// Asking the server and populating the response run outside the caller's isolation and exchange Sendable values. The
/// caller's context is accessed only in the caller's isolation, in one synchronous step at the end. Several requests of
/// one context can therefore be in flight at the same time.
struct RequestPipeline: Sendable {
  let coordinator: PersistentStoreCoordinator
  let servers: ServerRegistry
  let defaults: RequestDefaultsRegistry
  let inFlight = InFlightRequests()
  let sessionTimeout: SessionTimeoutRegistration
  /// The source of answers: the servers, or a cache in front of them.
  let source: any ResponseSource
  let transformers: [String: any RecordValueTransformer]
  let customization: Customization
  /// The debugger for requests that have none.
  let debugger: (any Debugger)?
  let tweaks: TweakFile?
  /// A Boolean value that indicates whether the provenance of records is recorded.
  let recordsProvenance: Bool
  /// The responses that need not be populated again; nil if code of the app takes part in the population, or if provenance is
  /// recorded.
  var repeatedResponses: RepeatedResponses?
  let log: RequestLog

  /// Performs a request from its start to its end.
  func perform<Element: Record>(
    _ request: PreparedRequest, _ context: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    var operation = RequestOperation<Element>(request, context, self)
    while true {
      let outcome = await perform(operation.work, request.token)
      if let end = operation.advance(outcome) { return try end.get() }
    }
  }

  /// Performs a step of a request. It ends when the task or the token is canceled.
  nonisolated func perform(
    _ work: RequestWork, _ token: RequestToken
  ) async -> Result<RequestOutcome, any Error> {
    await withTaskCancellationHandler {
      do {
        switch work {
        case .answer(let request): return .success(.answered(try await answer(request)))
        case .wait(let waiter, let answered):
          try await waiter.wait(token)
          return .success(.ownsMutex(answered))
        case .populate(let answered, let destination):
          return .success(.populated(try await populate(answered, destination)))
        }
      } catch {
        return .failure(error)
      }
    } onCancel: {
      token.cancel()
    }
  }
}
