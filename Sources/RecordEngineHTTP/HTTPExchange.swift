import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its response. It ends exactly once, whatever the session reports and however often.
// Unchecked: what changes is read and written under `lock` alone.
final class HTTPExchange: @unchecked Sendable {
  private typealias Outcome = Result<(HTTPURLResponse, [UInt8]), any Error>

  private let task: URLSessionTask
  private let urn: String
  private let maximumBodySize: Int
  /// Guards all that follows.
  private let lock = NSLock()
  private var continuation: CheckedContinuation<(HTTPURLResponse, [UInt8]), any Error>?
  private var hasEnded = false
  private var body: [UInt8] = []

  init(_ task: URLSessionTask, urn: String, maximumBodySize: Int) {
    self.task = task
    self.urn = urn
    self.maximumBodySize = maximumBodySize
  }

  /// Waits for the response; a cancelled task ends the exchange. Rule: `httpserver.cancel`.
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

  // MARK: What the session reports

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

  /// On Linux the session must not be answered once its task was cancelled: the answer is given under the lock, behind
  /// which a task is cancelled.
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

  // MARK: The end

  /// Ends it before the session has.
  private func abort(_ error: any Error) {
    end(with: .failure(error))
    task.cancel()
  }

  /// The first outcome counts.
  private func end(with outcome: Outcome) {
    let continuation = lock.withLock {
      hasEnded = true
      defer { (self.continuation, body) = (nil, []) }
      return self.continuation
    }
    continuation?.resume(with: outcome)
  }

  /// The error as callers expect it: on Linux it may be one of the domain without being of the type.
  /// Rule: `httpserver.failure`.
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
