import RecordModel

/// The way of a request from the server to its result.
///
/// What happens away from the caller, asking and populating, hands over values that are Sendable; what touches the
/// caller's context happens in the caller's isolation, in one piece at the end. So several requests of one context may
/// be under way at once.
struct RequestPipeline: Sendable {
  let coordinator: PersistentStoreCoordinator
  let servers: ServerRegistry
  let defaults: RequestDefaultsRegistry
  let inFlight = InFlightRequests()
  let sessionTimeout: SessionTimeoutRegistration
  /// Who answers: the servers, or something before them.
  let source: any ResponseSource
  let transformers: [String: any RecordValueTransformer]
  let customisation: Customisation
  /// Judges responses whose requests bring no debugger of their own.
  let debugger: (any Debugger)?
  let tweaks: TweakFile?
  let log: RequestLog

  /// Performs one request from its beginning to its end.
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

  /// Performs a step of a request. It ends when the task is cancelled, or the token.
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
