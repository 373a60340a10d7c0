import Foundation

/// One question to a server, which ends with its answer or with the request's being cancelled, whichever comes first,
/// whatever the server does afterwards. Rules: `request.once`, `request.cancel`.
// Unchecked: `continuation` is read and written under `lock` alone.
final class ServerCall<Answer: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Answer, any Error>?

  private init(_ continuation: CheckedContinuation<Answer, any Error>) {
    self.continuation = continuation
  }

  /// - Parameter ask: asks the server; cancelled when the request is.
  static func answer(
    _ token: RequestToken, _ ask: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    defer { token.forgetHandler() }
    return try await withCheckedThrowingContinuation { continuation in
      let call = ServerCall(continuation)
      let task = Task {
        do {
          call.end(.success(try await ask()))
        } catch {
          call.end(.failure(error))
        }
      }
      token.onCancel {
        call.end(.failure(RequestFailure.cancelled))
        task.cancel()
      }
    }
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
