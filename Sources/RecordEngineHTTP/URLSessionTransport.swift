import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport that sends requests with `URLSession`.
final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let exchanges = HTTPExchanges()

  init(_ configuration: URLSessionConfiguration) {
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  func finish() { session.finishTasksAndInvalidate() }

  func response(
    to request: URLRequest, maximumBodySize: Int, urn: String
  ) async throws -> (HTTPURLResponse, [UInt8]) {
    let task = session.dataTask(with: request)
    let exchange = HTTPExchange(task, urn: urn, maximumBodySize: maximumBodySize)
    exchanges.add(exchange, for: task)
    defer { exchanges.remove(task) }
    return try await exchange.response()
  }
}

/// The in-flight exchanges, to which the session reports.
// Unchecked: `exchanges` is accessed only under `lock`.
private final class HTTPExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  /// The exchanges by task identifier.
  private var exchanges: [Int: HTTPExchange] = [:]

  func add(_ exchange: HTTPExchange, for task: URLSessionTask) {
    lock.withLock { exchanges[task.taskIdentifier] = exchange }
  }

  func remove(_ task: URLSessionTask) {
    lock.withLock { _ = exchanges.removeValue(forKey: task.taskIdentifier) }
  }

  private func exchange(_ task: URLSessionTask) -> HTTPExchange? {
    lock.withLock { exchanges[task.taskIdentifier] }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    exchange(task)?.whileUnderWay { completionHandler(nil) }
  }

  #if canImport(FoundationNetworking)
    /// Ends a task whose challenge has no credential, because on Linux such a task never ends. The response has already
    /// arrived.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      if challenge.proposedCredential != nil { return completionHandler(.performDefaultHandling, nil) }
      exchange(task)?.complete(task.response, nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  #endif

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    exchange(task)?.complete(task.response, error)
  }
}
