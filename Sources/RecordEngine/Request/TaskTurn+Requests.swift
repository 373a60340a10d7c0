/// Requests that wait for their turn end when they are cancelled. Rule: `request.cancel`.
extension TaskTurn {
  /// Waits for the turn, in the order in which requests have come here.
  ///
  /// - Throws: `cancelled`, if the request or its task is cancelled before; it has no turn to end then.
  func take(_ token: RequestToken, isolation: isolated (any Actor)? = #isolation) async throws(RequestFailure)
  {
    if let place = join() { try await wait(place, token) }
  }

  /// Waits for the turn of a place; otherwise as `take`.
  func wait(_ place: Place, _ token: RequestToken) async throws(RequestFailure) {
    defer { token.forgetHandler() }
    token.onCancel { self.leave(place) }
    let hasTurn = await withTaskCancellationHandler {
      await wait(place)
    } onCancel: {
      token.cancel()
    }
    if !hasTurn { throw .cancelled }
  }
}
