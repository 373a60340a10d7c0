/// Requests that wait for their turn end when they are cancelled. Rule: `request.cancel`.
extension TaskMutex.Waiter {
  /// Waits for the turn, in the order in which requests have come.
  ///
  /// - Throws: `cancelled`, if the request or its task is cancelled before; it has no turn to end then.
  func wait(_ token: RequestToken) async throws(RequestFailure) {
    defer { token.forgetHandler() }
    token.onCancel { self.cancel() }
    let isOwner = await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      token.cancel()
    }
    if !isOwner { throw .cancelled }
  }
}
