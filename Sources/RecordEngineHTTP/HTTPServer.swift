public import Foundation
public import RecordEngine

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A server that sends requests over HTTP, with `URLSession` or, on Linux, with libcurl.
///
/// ```swift
/// let server = HTTPServer(
///   baseURL: baseURL, headers: ["Accept-Language": "en"], paging: .linkHeader(),
///   prepare: { request in request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") })
/// ```
///
/// The base URL and its path are the base of relative addresses, such as `users` and `../users`. An address that begins
/// with a slash is relative to the host. An address can also be absolute, like that of a next page.
///
/// The address and the base URL can contain parameters. Each parameter is sent once, in the address. The query of the
/// request takes precedence over its address, and the address takes precedence over the base URL.
///
/// The body is sent as JSON, as a form, or as the given bytes. Its media type is the `Content-Type`, unless the headers of
/// the request or of this server contain another one. A `GET`, `HEAD` or `TRACE` request cannot have a body.
///
/// The origin of the base URL consists of its scheme, host and port. Requests to another origin, and redirects to one,
/// differ in the following ways:
///
/// - They do not have the headers of this server, nor the parameters of its base URL.
/// - They are not prepared.
/// - Of the headers of the request, they have only those that describe the requested data.
/// - They fail if they have a body: before they are sent, or when they are redirected.
///
/// The ``trustedOrigins`` are treated like the origin of the base URL.
///
/// As with every server, a status of 300 or above fails the request, except a 304 response to the conditions of a
/// cache. Redirects are followed, 20 at most. If a response reports that the session has timed out, `SessionTimeout` is
/// thrown. A response that is truncated, larger than ``maximumBodySize`` or not HTTP fails the request. Errors of the
/// connection are thrown as `URLError`. By default, the session caches nothing, and cookies exist as long as the
/// server. The configuration can change this.
///
/// On Linux, `URLSession` ends the process if a connection ends within the headers of a response, or if a response has
/// trailers (swift-corelibs-foundation, issue 5285). Requests are therefore sent with libcurl. Of the configuration,
/// libcurl uses the headers, the cookies, the cookie policy and the maximum number of connections per host. If the
/// configuration has custom `protocolClasses`, `URLSession` is used on Linux too. The risk then applies to the requests
/// that these classes do not handle.
///
/// Rules: `httpserver.request`, `httpserver.status`.
public struct HTTPServer: Server {
  /// The base URL, including the path of relative addresses.
  public let baseURL: URL
  /// The headers of every request to the origin of the base URL. A header of the same name in the request takes
  /// precedence.
  public let headers: [String: String]
  /// The time without progress after which a request fails with `URLError.timedOut`, unless the request has its own
  /// timeout. On Linux, the time in which a request waits for a free connection to the host does not count.
  /// Rule: `httpserver.timeout`.
  public let timeout: Duration
  /// The maximum size of a decompressed body in bytes. Rule: `httpserver.body-size`.
  public let maximumBodySize: Int
  /// The URLs whose origins are treated like the origin of the base URL.
  public let trustedOrigins: [URL]
  /// The paging of the server, or nil if it does not divide lists into pages.
  public let paging: Paging?
  private let prepare: @Sendable (inout URLRequest) async throws -> Void
  /// A closure that returns whether a response reports that the session has timed out. Rule: `httpserver.session`.
  private let isSessionTimeout: @Sendable (ServerResponse) -> Bool
  private let session: HTTPSession

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - baseURL: the URL of the server, including the path of relative addresses.
  ///   - headers: the headers of every request to the origin of the base URL. By default, `Accept` is
  ///     `application/json`.
  ///   - timeout: the time without progress after which a request fails, 60 seconds by default. It is rounded up to
  ///     whole seconds, and is at least one second.
  ///   - maximumBodySize: the maximum size of a decompressed body in bytes, 256 MiB by default.
  ///   - trustedOrigins: the URLs whose origins are treated like the origin of the base URL.
  ///   - paging: the way in which the server divides long lists into pages.
  ///   - configuration: the configuration of the server's session. Its `httpAdditionalHeaders` are sent to every
  ///     origin. Credentials therefore belong in `headers`.
  ///   - prepare: a closure that changes each request before it is sent, for example for authorization. An error that
  ///     it throws fails the request.
  ///   - isSessionTimeout: a closure that returns whether a response reports that the session has timed out, which
  ///     often has the status 401. The request then throws `SessionTimeout`. A handler for this error can renew the
  ///     session. The closure is not called for responses from untrusted origins.
  public init(
    baseURL: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60),
    maximumBodySize: Int = 256 << 20, trustedOrigins: [URL] = [], paging: Paging? = nil,
    configuration: URLSessionConfiguration = HTTPServer.configuration,
    prepare: @escaping @Sendable (inout URLRequest) async throws -> Void = { _ in },
    isSessionTimeout: @escaping @Sendable (ServerResponse) -> Bool = { _ in false }
  ) {
    self.baseURL = baseURL
    self.headers = headers
    self.timeout = timeout
    self.maximumBodySize = maximumBodySize
    self.trustedOrigins = trustedOrigins
    self.paging = paging
    self.prepare = prepare
    self.isSessionTimeout = isSessionTimeout
    session = HTTPSession(configuration)
  }

  /// The default configuration of a server's session. It is ephemeral and has no cache, so that every request reaches
  /// the server.
  public static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    return configuration
  }

  /// Sends a request and returns its response, after redirects.
  ///
  /// - Throws: `URLError` for errors of the connection, ``HTTPServerError`` if the request cannot be sent or the
  ///   response cannot be accepted, `SessionTimeout` if the response reports that the session has timed out,
  ///   `CancellationError` if the task is canceled, and the errors of `prepare`.
  public func response(to request: ServerRequest) async throws -> ServerResponse {
    var urlRequest = try await preparedRequest(for: request)
    var redirects = 0
    while true {
      let (response, body, sent) = try await session.response(
        to: urlRequest, maximumBodySize: maximumBodySize, urn: request.urn)
      guard let next = try redirect(from: response, to: urlRequest, urn: request.urn) else {
        var answer = ServerResponse(
          .bytes(body), status: response.statusCode, headers: response.headers)
        answer.sentRequest = sent
        if isTrusted(urlRequest.url), isSessionTimeout(answer) {
          throw SessionTimeout("the session has timed out: the server answered with status \(answer.status)")
        }
        return answer
      }
      redirects += 1
      guard redirects <= Redirect.limit else { throw URLError(.httpTooManyRedirects) }
      urlRequest = next
    }
  }

  /// Returns a request as it is sent: prepared, with the headers and cookies of the session. The description does not
  /// contain the headers that `URLSession` or libcurl adds:
  ///
  /// - `Accept-Encoding`, `User-Agent` and, on Apple platforms, `Accept-Language`, which are the same for all requests
  ///   of a process
  /// - credentials that answer a challenge
  ///
  /// If responses vary with one of these headers, set it in `headers` or in `prepare`.
  ///
  /// If caching is on, `prepare` is called twice for a request: for the description by which the cache identifies the
  /// response, and before the request is sent. If the sent request then differs in its address or in a header that the
  /// response varies with, for example because another user has signed in, the response is not cached.
  /// Rule: `cache.store`.
  public func description(of request: ServerRequest) async throws -> ServerRequest? {
    session.sentRequest(for: try await preparedRequest(for: request))
  }

  private func preparedRequest(for request: ServerRequest) async throws -> URLRequest {
    var urlRequest = try urlRequest(for: request)
    if isTrusted(urlRequest.url) { try await prepare(&urlRequest) }
    return urlRequest
  }

  /// Returns a Boolean value that indicates whether requests to a URL have the headers of this server and are prepared.
  /// Rule: `httpserver.origin`.
  func isTrusted(_ url: URL?) -> Bool {
    guard let origin = Origin(url) else { return false }
    return ([baseURL] + trustedOrigins).contains { Origin($0) == origin }
  }
}

extension HTTPURLResponse {
  /// The headers whose names and values are strings.
  fileprivate var headers: [String: String] {
    var headers: [String: String] = [:]
    for (name, value) in allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    return headers
  }
}
