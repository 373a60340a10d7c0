import Foundation
import RecordEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session of a server. It ends when nobody holds the server any more and its last request has ended.
final class HTTPSession: Sendable {
  private let session: URLSession
  private let exchanges = HTTPExchanges()
  /// Nil if the session does not send them.
  private let cookies: HTTPCookieStorage?
  /// What the configuration adds to requests that do not have it.
  private let headers: [String: String]

  init(_ configuration: URLSessionConfiguration) {
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    cookies = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
    var headers: [String: String] = [:]
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] { headers["\(name)"] = "\(value)" }
    self.headers = headers
  }

  deinit { session.finishTasksAndInvalidate() }

  /// A request as the session sends it by now: with the headers of its configuration and its cookies.
  func sentRequest(for request: URLRequest) -> ServerRequest {
    var sent = ServerRequest(method: request.httpMethod ?? "GET", urn: request.url?.absoluteString ?? "")
    // Each takes the place of those before it.
    for headers in [headers, request.allHTTPHeaderFields ?? [:], cookieHeaders(for: request)] {
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
        for other in sent.headers.keys where other.lowercased() == name.lowercased() {
          sent.headers[other] = nil
        }
        sent.headers[name] = value
      }
    }
    return sent
  }

  private func cookieHeaders(for request: URLRequest) -> [String: String] {
    guard request.httpShouldHandleCookies, let url = request.url,
      let found = cookies?.cookies(for: url), !found.isEmpty
    else { return [:] }
    return HTTPCookie.requestHeaderFields(with: found)
  }

  /// Redirects are not followed: they are responses.
  ///
  /// - Returns: the response, its body, and what it answers.
  func response(
    to request: URLRequest, maximumBodySize: Int, urn: String
  ) async throws -> (HTTPURLResponse, [UInt8], ServerRequest) {
    var sent = sentRequest(for: request)
    let task = session.dataTask(with: request)
    let exchange = HTTPExchange(task, urn: urn, maximumBodySize: maximumBodySize)
    exchanges.add(exchange, for: task)
    defer { exchanges.remove(task) }
    let (response, body) = try await exchange.response()
    let (before, after) = (sent.header("Cookie"), sentRequest(for: request).header("Cookie"))
    // Which of them were sent nobody can tell. What has both is like neither.
    if before != after { sent.headers["Cookie"] = "(\(before ?? "")), (\(after ?? ""))" }
    return (response, body, sent)
  }
}

/// The exchanges that are under way, for the session to report to.
// Unchecked: `exchanges` is read and written under `lock` alone.
private final class HTTPExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  /// By task.
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
    /// Without a credential, a task never ends on Linux; the response has come by then, and is the answer.
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
