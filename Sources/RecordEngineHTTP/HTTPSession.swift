import Foundation
import RecordEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session of a server. It ends after the server has been released and its last request has ended.
final class HTTPSession: Sendable {
  private let transport: any HTTPTransport
  /// The cookies, or nil if the session does not send them.
  private let cookies: HTTPCookieStorage?
  /// The headers that the configuration adds to requests that do not have them.
  private let headers: [String: String]

  init(_ configuration: URLSessionConfiguration) {
    transport = Self.transport(configuration)
    cookies = configuration.httpShouldSetCookies ? configuration.httpCookieStorage : nil
    var headers: [String: String] = [:]
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] { headers["\(name)"] = "\(value)" }
    self.headers = headers
  }

  deinit { transport.finish() }

  /// Returns the transport for a configuration: `URLSession`, or libcurl on Linux. Only `URLSession` supports the
  /// custom protocols of an app, so that it is used for these on Linux too.
  private static func transport(_ configuration: URLSessionConfiguration) -> any HTTPTransport {
    // The same condition as in Package.swift and Curl. Code that depends on FoundationNetworking uses `canImport`.
    #if os(Linux)
      let standard = (URLSessionConfiguration.ephemeral.protocolClasses ?? []).map(ObjectIdentifier.init)
      if (configuration.protocolClasses ?? []).allSatisfy({ standard.contains(ObjectIdentifier($0)) }) {
        return CurlTransport(configuration)
      }
    #endif
    return URLSessionTransport(configuration)
  }

  /// Returns a request as the session currently sends it, with the headers and cookies of its configuration.
  func sentRequest(for request: URLRequest) -> ServerRequest {
    var sent = ServerRequest(method: request.httpMethod ?? "GET", urn: request.url?.absoluteString ?? "")
    // The later headers replace the earlier ones.
    for headers in [headers, request.allHTTPHeaderFields ?? [:], cookieHeaders(for: request)] {
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
        sent.headers.setHeader(name, to: value)
      }
    }
    sent.body = request.httpBody.map { .data($0, contentType: sent.header("Content-Type") ?? "") }
    return sent
  }

  private func cookieHeaders(for request: URLRequest) -> [String: String] {
    guard request.httpShouldHandleCookies, let url = request.url,
      let found = cookies?.cookies(for: url), !found.isEmpty
    else { return [:] }
    return HTTPCookie.requestHeaderFields(with: found)
  }

  /// Sends a request. Redirects are returned as responses and not followed.
  ///
  /// - Returns: the response, its body, and the request as it was sent.
  func response(
    to request: URLRequest, maximumBodySize: Int, urn: String
  ) async throws -> (HTTPURLResponse, [UInt8], ServerRequest) {
    var sent = sentRequest(for: request)
    try HTTPServer.check(sent, urn: urn)
    var completeRequest = request
    completeRequest.allHTTPHeaderFields = sent.headers
    let (response, body) = try await transport.response(
      to: completeRequest, maximumBodySize: maximumBodySize, urn: urn)
    let (before, after) = (sent.header("Cookie"), sentRequest(for: request).header("Cookie"))
    // It is unknown which of the two values was sent. The combined value is equal to neither.
    if before != after { sent.headers["Cookie"] = "(\(before ?? "")), (\(after ?? ""))" }
    return (response, body, sent)
  }
}
