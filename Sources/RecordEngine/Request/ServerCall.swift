import Foundation

/// One call of a server. It ends with the response or with the cancellation of the request, whichever happens first,
/// whatever the server does afterwards. Rules: `request.once`, `request.cancel`.
// Unchecked: `continuation` and `task` are accessed only while `lock` is held.
final class ServerCall<Answer: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Answer, any Error>?
  private var task: Task<Void, Never>?

  private init(_ continuation: CheckedContinuation<Answer, any Error>) {
    self.continuation = continuation
  }

  /// Returns the result of a call for a request.
  static func answer(
    to request: PreparedRequest, _ ask: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    try await answer(request.token, startsImmediately: request.server is any QueueingServer, ask)
  }

  /// Returns the result of a call.
  ///
  /// - Parameters:
  ///   - startsImmediately: a Boolean value that indicates whether the closure runs on the current thread until it
  ///     suspends. This saves time, but a closure that blocks cannot be canceled meanwhile.
  ///   - ask: a closure that asks the server. It is canceled with the request, and not called if the request already is
  ///     canceled.
  static func answer(
    _ token: RequestToken, startsImmediately: Bool, _ ask: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    defer { token.forgetHandler() }
    return try await withCheckedThrowingContinuation { continuation in
      let call = ServerCall(continuation)
      // The handler is set before the call, so that a request that has reached the server can be canceled.
      token.onCancel { call.cancel() }
      call.start(startsImmediately, ask)
    }
  }

  private func start(_ startsImmediately: Bool, _ ask: @escaping @Sendable () async throws -> Answer) {
    guard lock.withLock({ continuation != nil }) else { return }
    let operation: @Sendable () async -> Void = {
      do {
        self.end(.success(try await ask()))
      } catch {
        self.end(.failure(error))
      }
    }
    let task: Task<Void, Never>
    if startsImmediately, #available(macOS 26, iOS 26, *) {
      task = Task.immediate(operation: operation)
    } else {
      task = Task(operation: operation)
    }
    let hasEnded = lock.withLock {
      self.task = task
      return continuation == nil
    }
    // The call may have been canceled before it had its task.
    if hasEnded { task.cancel() }
  }

  private func cancel() {
    end(.failure(RequestFailure.cancelled))
    lock.withLock { task }?.cancel()
  }

  /// Ends the call. Only the first end counts.
  private func end(_ result: Result<Answer, any Error>) {
    let pending = lock.withLock {
      defer { continuation = nil }
      return continuation
    }
    pending?.resume(with: result)
  }
}
