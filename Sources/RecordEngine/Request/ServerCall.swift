import Foundation

/// One question to a server, which ends with its answer or with the request's being cancelled, whichever comes first,
/// whatever the server does afterwards. Rules: `request.once`, `request.cancel`.
// Unchecked: `continuation` and `task` are read and written under `lock` alone.
final class ServerCall<Answer: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Answer, any Error>?
  private var task: Task<Void, Never>?

  private init(_ continuation: CheckedContinuation<Answer, any Error>) {
    self.continuation = continuation
  }

  /// - Parameter ask: asks the server; cancelled when the request is, and not called if it has been.
  static func answer(
    _ token: RequestToken, _ ask: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    defer { token.forgetHandler() }
    return try await withCheckedThrowingContinuation { continuation in
      let call = ServerCall(continuation)
      // Before the server is asked: a request that has reached it can be cancelled.
      token.onCancel { call.cancel() }
      call.start(ask)
    }
  }

  private func start(_ ask: @escaping @Sendable () async throws -> Answer) {
    lock.withLock {
      guard continuation != nil else { return }
      // Under the lock, so that no cancellation finds the call begun and its task missing.
      task = Task {
        do {
          end(.success(try await ask()))
        } catch {
          end(.failure(error))
        }
      }
    }
  }

  private func cancel() {
    end(.failure(RequestFailure.cancelled))
    lock.withLock { task }?.cancel()
  }

  /// Only the first end counts.
  private func end(_ result: Result<Answer, any Error>) {
    let waiting = lock.withLock {
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(with: result)
  }
}
