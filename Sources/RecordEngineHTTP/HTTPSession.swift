import Foundation
import RecordEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session of a server. It ends when nobody holds the server any more and its last request has ended.
final class HTTPSession: Sendable {
  private let transport: any HTTPTransport
  /// Nil if the session does not send them.
  private let cookies: HTTPCookieStorage?
  /// What the configuration adds to requests that do not have it.
  private let headers: [String: String]

  init(_ configuration: URLSessionConfiguration) {
    transport = Self.transport(configuration)
    cookies = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
    var headers: [String: String] = [:]
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] { headers["\(name)"] = "\(value)" }
    self.headers = headers
  }

  deinit { transport.finish() }

  /// `URLSession`, except on Linux, unless the app has protocols of its own: it alone knows them.
  private static func transport(_ configuration: URLSessionConfiguration) -> any HTTPTransport {
    // As Package.swift and Curl have it. What FoundationNetworking does in its own way goes by canImport.
    #if os(Linux)
      let usual = (URLSessionConfiguration.ephemeral.protocolClasses ?? []).map(ObjectIdentifier.init)
      if (configuration.protocolClasses ?? []).allSatisfy({ usual.contains(ObjectIdentifier($0)) }) {
        return CurlTransport(configuration)
      }
    #endif
    return URLSessionTransport(configuration)
  }

  /// A request as the session sends it by now: with the headers of its configuration and its cookies.
  func sentRequest(for request: URLRequest) -> ServerRequest {
    var sent = ServerRequest(method: request.httpMethod ?? "GET", urn: request.url?.absoluteString ?? "")
    // Each takes the place of those before it.
    for headers in [headers, request.allHTTPHeaderFields ?? [:], cookieHeaders(for: request)] {
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
        sent.headers.setHeader(name, to: value)
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
    try HTTPServer.check(sent, urn: urn)
    var whole = request
    whole.allHTTPHeaderFields = sent.headers
    let (response, body) = try await transport.response(
      to: whole, maximumBodySize: maximumBodySize, urn: urn)
    let (before, after) = (sent.header("Cookie"), sentRequest(for: request).header("Cookie"))
    // Which of them were sent nobody can tell. What has both is like neither.
    if before != after { sent.headers["Cookie"] = "(\(before ?? "")), (\(after ?? ""))" }
    return (response, body, sent)
  }
}
