import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request and its response. It ends exactly once, whatever the session reports, and however often.
// Unchecked: all mutable state is accessed only under `lock`.
final class HTTPExchange: @unchecked Sendable {
  private typealias Outcome = Result<(HTTPURLResponse, [UInt8]), any Error>

  private let task: URLSessionTask
  private let urn: String
  private let maximumBodySize: Int
  /// The lock that guards the properties below.
  private let lock = NSLock()
  private var continuation: CheckedContinuation<(HTTPURLResponse, [UInt8]), any Error>?
  private var hasEnded = false
  private var body: [UInt8] = []

  init(_ task: URLSessionTask, urn: String, maximumBodySize: Int) {
    self.task = task
    self.urn = urn
    self.maximumBodySize = maximumBodySize
  }

  /// Returns the response and its body. A canceled task ends the exchange. Rule: `httpserver.cancel`.
  func response() async throws -> (HTTPURLResponse, [UInt8]) {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = lock.withLock {
          if !hasEnded { self.continuation = continuation }
          return hasEnded
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { task.resume() }
      }
    } onCancel: {
      abort(CancellationError())
    }
  }

  // MARK: Session callbacks

  func receive(_ data: Data) {
    let isTooLarge = lock.withLock {
      if hasEnded { return false }
      if data.count > maximumBodySize - body.count { return true }
      body.append(contentsOf: data)
      return false
    }
    if isTooLarge {
      abort(HTTPServerError(.bodyTooLarge, urn, "the body has more than \(maximumBodySize) bytes"))
    }
  }

  /// Calls `answer` unless the exchange has ended. On Linux, the session must not be answered after its task was
  /// canceled. A task is therefore canceled only after the exchange has ended, and both the end and `answer` require
  /// the lock.
  func whileUnderWay(_ answer: () -> Void) {
    lock.withLock { if !hasEnded { answer() } }
  }

  func complete(_ response: URLResponse?, _ error: (any Error)?) {
    if let error { return end(with: .failure(Self.urlError(error))) }
    guard let response = response as? HTTPURLResponse else {
      return end(with: .failure(URLError(.badServerResponse)))
    }
    end(with: .success((response, lock.withLock { body })))
  }

  // MARK: Completion

  /// Ends the exchange before the session has ended it.
  private func abort(_ error: any Error) {
    end(with: .failure(error))
    task.cancel()
  }

  /// Ends the exchange. Only the first call has an effect.
  private func end(with outcome: Outcome) {
    let continuation = lock.withLock {
      hasEnded = true
      defer { (self.continuation, body) = (nil, []) }
      return self.continuation
    }
    continuation?.resume(with: outcome)
  }

  /// Returns the error as a `URLError` if it belongs to the error domain of URLs. On Linux, such an error may have
  /// another type. Rule: `httpserver.failure`.
  private static func urlError(_ error: any Error) -> any Error {
    #if canImport(FoundationNetworking)
      let found = error as NSError
      if !(error is URLError), found.domain == NSURLErrorDomain {
        return URLError(URLError.Code(rawValue: found.code) ?? .unknown, userInfo: found.userInfo)
      }
    #endif
    return error
  }
}
