public import Foundation
public import RecordEngine

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A server over HTTP, asked with `URLSession`, or on Linux with libcurl.
///
/// ```swift
/// let server = HTTPServer(
///   baseURL: baseURL, headers: ["Accept-Language": "en"], paging: .linkHeader(),
///   prepare: { request in request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") })
/// ```
///
/// An address is relative to the base URL and what it has for a path, `users` as well as `../users`; one that begins with a
/// slash is relative to the host. It may have parameters of its own, and so may the base URL: a parameter is sent once, that
/// of the data rather than that of the address, that of the address rather than that of the base URL. GET, HEAD, DELETE and
/// OPTIONS have their data in the address, sorted by name; all others have it as their body.
///
/// An address may also be absolute, as that of a next page is. What is sent to the base URL's origin (scheme, host and port)
/// is not sent elsewhere: an address of another origin, or a redirect to one, has neither the headers of this server nor the
/// parameters of its base URL, and is not prepared; of the headers of the request only those that say what is wanted go
/// there. A body does not go there at all: the request fails, before it is sent or when it is redirected. ``trustedOrigins``
/// are treated like the base URL's own.
///
/// A status of 300 or more fails the request, as with every server, unless it is the 304 that a cache has asked for. A
/// response that says that the session has timed out throws `SessionTimeout`. Redirects are followed, 20 at most. A response
/// that is cut off, larger than ``maximumBodySize``, or not HTTP, is a failure. What goes wrong on the way is thrown as a
/// `URLError`. Nothing is cached, and cookies last as long as the server, unless the configuration says otherwise.
///
/// On Linux, `URLSession` ends the process where a connection ends within the headers of a response, and for a response with
/// trailers (swift-corelibs-foundation, issue 5285). Servers are asked with libcurl there, which knows of the configuration its
/// headers, cookies, cookie policy and number of connections for each host. A configuration
/// with `protocolClasses` of the app's own is for `URLSession` on Linux too, with that risk for the requests that these
/// classes do not take.
///
/// Rules: `httpserver.request`, `httpserver.status`.
public struct HTTPServer: Server {
  /// How parameters are written in a body.
  public enum BodyFormat: Hashable, Sendable {
    /// `name=value&…`, as HTML forms are sent.
    case form
    /// An object with a text for each parameter.
    case json
  }

  public let baseURL: URL
  /// Sent with every request to the base URL's origin, unless the request has a header of that name.
  public let headers: [String: String]
  /// The time without progress after which a request fails with `URLError.timedOut`, unless the request has a timeout of its
  /// own. On Linux, waiting for a free connection to the host does not count.
  /// Rule: `httpserver.timeout`.
  public let timeout: Duration
  /// How many bytes a body may have, decompressed.
  /// Rule: `httpserver.body-size`.
  public let maximumBodySize: Int
  public let bodyFormat: BodyFormat
  /// URLs whose origins get what the base URL's origin gets.
  public let trustedOrigins: [URL]
  public let paging: Paging?
  private let prepare: @Sendable (inout URLRequest) async throws -> Void
  /// Returns whether a response reports that the session has timed out. Rule: `httpserver.session`.
  private let isSessionTimeout: @Sendable (ServerResponse) -> Bool
  private let session: HTTPSession

  /// - Parameters:
  ///   - baseURL: where the server is, with the path that all addresses begin with.
  ///   - headers: sent with every request to the base URL's origin. `Accept` is JSON, if nobody says otherwise.
  ///   - timeout: how long nothing may happen, in whole seconds: from one, and fractions rounded up.
  ///   - maximumBodySize: how many bytes a body may have; 256 MiB if nothing else is said.
  ///   - bodyFormat: how parameters are written in the body of a `POST`, for example.
  ///   - trustedOrigins: URLs whose origins get the same headers as the base URL's.
  ///   - paging: how the server divides long answers into pages.
  ///   - configuration: what the session of this server is made with. Its `httpAdditionalHeaders` go to every origin;
  ///     credentials belong in `headers`.
  ///   - prepare: changes each request before it is sent, for authorisation and the like. What it throws fails the request.
  ///   - isSessionTimeout: whether a response says that the session has timed out, as one with status 401 often does. The
  ///     request then throws `SessionTimeout`, for which a handler can be registered that renews the session. Responses
  ///     of origins that are not trusted are not asked about.
  public init(
    baseURL: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60),
    maximumBodySize: Int = 256 << 20,
    bodyFormat: BodyFormat = .form, trustedOrigins: [URL] = [], paging: Paging? = nil,
    configuration: URLSessionConfiguration = HTTPServer.configuration,
    prepare: @escaping @Sendable (inout URLRequest) async throws -> Void = { _ in },
    isSessionTimeout: @escaping @Sendable (ServerResponse) -> Bool = { _ in false }
  ) {
    self.baseURL = baseURL
    self.headers = headers
    self.timeout = timeout
    self.maximumBodySize = maximumBodySize
    self.bodyFormat = bodyFormat
    self.trustedOrigins = trustedOrigins
    self.paging = paging
    self.prepare = prepare
    self.isSessionTimeout = isSessionTimeout
    session = HTTPSession(configuration)
  }

  /// The configuration of a server's session: ephemeral, and without a cache, so that every request reaches the server.
  public static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    return configuration
  }

  /// - Throws: `URLError` for what goes wrong on the way, ``HTTPServerError`` for a request that cannot be sent or an answer
  ///   that cannot be taken, `SessionTimeout` for one that says so, `CancellationError` if the task is cancelled, and what the
  ///   preparation throws.
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
      guard redirects <= 20 else { throw URLError(.httpTooManyRedirects) }
      urlRequest = next
    }
  }

  /// A request as it is sent: prepared, with the headers and cookies of the session. What `URLSession` or libcurl adds by
  /// itself is not in it: `Accept-Encoding`, `User-Agent` and, on Apple's platforms, `Accept-Language`, which are the same for
  /// all requests of a process, and credentials with which it answers a challenge. Responses that vary with one of them want it
  /// set by `headers` or `prepare`.
  ///
  /// With caching the preparation is asked twice for a request: for what a cache knows it by, and before it is sent. What was
  /// sent otherwise then, because somebody else has logged in for example, is not kept. Rule: `cache.store`.
  public func description(of request: ServerRequest) async throws -> ServerRequest? {
    session.sentRequest(for: try await preparedRequest(for: request))
  }

  private func preparedRequest(for request: ServerRequest) async throws -> URLRequest {
    var urlRequest = try urlRequest(for: request)
    if isTrusted(urlRequest.url) { try await prepare(&urlRequest) }
    return urlRequest
  }

  /// Whether a URL gets the headers and the preparation of this server.
  /// Rule: `httpserver.origin`.
  func isTrusted(_ url: URL?) -> Bool {
    guard let origin = Origin(url) else { return false }
    return ([baseURL] + trustedOrigins).contains { Origin($0) == origin }
  }
}

extension HTTPURLResponse {
  /// The headers, as far as they are texts.
  fileprivate var headers: [String: String] {
    var headers: [String: String] = [:]
    for (name, value) in allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    return headers
  }
}
