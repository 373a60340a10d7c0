/// The cancellation of requests that wait for the mutex. Rule: `request.cancel`.
extension TaskMutex.Waiter {
  /// Waits for the mutex, in the order in which the requests have queued.
  ///
  /// - Throws: `cancelled` if the request or its task is canceled first. The caller then does not own the mutex.
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
