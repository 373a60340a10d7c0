public import RecordEngine

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension HTTPServer {
  /// Returns the URL request for a request, before it is prepared. Equal requests have equal URL requests.
  /// Rules: `httpserver.request`, `httpserver.body`.
  ///
  /// - Throws: ``HTTPServerError`` if the address is invalid, or if the method, a header or the body cannot be sent.
  public func urlRequest(for request: ServerRequest) throws(HTTPServerError) -> URLRequest {
    let url = try url(for: request)
    var result = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    result.timeoutInterval = wholeSeconds(request.timeout ?? timeout)
    try Self.check(method: request.method, urn: request.urn)
    result.httpMethod = request.method
    result.setValue("application/json", forHTTPHeaderField: "Accept")
    let isTrusted = isTrusted(url)
    if let body = request.body {
      guard allowsBody(method: request.method) else {
        throw HTTPServerError(
          .request, request.urn,
          "a \(request.method) request cannot have a body; pass its parameters in 'query'")
      }
      guard isTrusted else { throw Self.bodyForAnotherOrigin(url, urn: request.urn) }
      try Self.check(header: "Content-Type", body.contentType, urn: request.urn)
      result.httpBody = body.encoded
      result.setValue(body.contentType, forHTTPHeaderField: "Content-Type")
    }
    let requestHeaders = request.headers.filter { isTrusted || Redirect.isHarmless($0.key) }
    for headers in [isTrusted ? headers : [:], requestHeaders] {
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
        try Self.check(header: name, value, urn: request.urn)
        result.setValue(value, forHTTPHeaderField: name)
      }
    }
    return result
  }

  /// Returns the duration in whole seconds, from one second to 30 days. `URLSession` on Linux ignores fractions.
  private func wholeSeconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = min(duration, .seconds(30 * 24 * 3600)).components
    return Double(max(attoseconds > 0 ? seconds + 1 : seconds, 1))
  }

  // MARK: Address

  /// Returns the whole address, including the parameters of the query. Rule: `request.page.loop`.
  public func address(of request: ServerRequest) -> String {
    (try? url(for: request))?.absoluteString ?? request.urn
  }

  /// Returns the URL of a request, with the parameters that belong to it. Rule: `httpserver.parameters`.
  private func url(for request: ServerRequest) throws(HTTPServerError) -> URL {
    let base = WebAddress(baseURL.absoluteString)
    guard Origin(baseURL) != nil else {
      throw HTTPServerError(.address, request.urn, "the base URL '\(baseURL)' is not an HTTP URL")
    }
    let reference = WebAddress(request.urn)
    var folder = base
    // A relative address is resolved below the path of the base URL, whether or not that path ends with a slash.
    if !reference.path.isEmpty, !folder.path.hasSuffix("/") { folder.path += "/" }
    var address = folder.resolving(reference)
    var parameters = address.parameters
    if reference.query == nil, !reference.isAbsolute, reference.path.isEmpty { parameters = [] }
    parameters.removeAll { request.query[$0.name] != nil }
    parameters += request.query.sorted { $0.key < $1.key }
      .map { WebAddress.Parameter(name: $0.key, value: $0.value) }
    // The parameters of the base URL may be secret.
    if Origin(URL(string: address.text)) == Origin(baseURL) {
      let names = Set(parameters.map(\.name))
      parameters = base.parameters.filter { !names.contains($0.name) } + parameters
    }
    address.parameters = parameters
    guard let authority = address.authority, authority.utf8.allSatisfy(Self.isAuthorityByte),
      let url = URL(string: address.text), Origin(url) != nil
    else {
      throw HTTPServerError(.address, request.urn, "'\(address.text)' is not an HTTP address")
    }
    return url
  }

  // MARK: Redirects

  /// Returns the request that follows a redirect, or nil if the response is not a redirect.
  /// Rule: `httpserver.redirect`.
  func redirect(
    from response: HTTPURLResponse, to request: URLRequest, urn: String
  ) throws(HTTPServerError) -> URLRequest? {
    let status = response.statusCode
    if 200..<300 ~= status || status == 304 || status >= 400 { return nil }
    guard let from = request.url, let location = response.value(forHTTPHeaderField: "Location"),
      let redirect = Redirect(
        status: status, location: location, method: request.httpMethod ?? "GET", from: from.absoluteString)
    else { throw HTTPServerError(.status, urn, status: status, "the server answered with status \(status)") }
    guard let authority = redirect.address.authority, authority.utf8.allSatisfy(Self.isAuthorityByte),
      let url = URL(string: redirect.address.text), Origin(url) != nil
    else {
      throw HTTPServerError(
        .status, urn, status: status, "the server redirects to '\(location)', which is not an HTTP address")
    }
    var next = request
    next.url = url
    next.httpMethod = redirect.method
    if redirect.becomesGet {
      next.httpBody = nil
      next.httpBodyStream = nil
    }
    // Data for one origin must not be sent to another origin, unless both are trusted.
    let staysTrusted = Origin(url) == Origin(from) || isTrusted(url) && isTrusted(from)
    guard staysTrusted || next.httpBody == nil && next.httpBodyStream == nil else {
      throw Self.bodyForAnotherOrigin(url, urn: urn)
    }
    guard next.httpBodyStream == nil else {
      throw HTTPServerError(
        .status, urn, status: status,
        "the server redirects a request whose body is a stream, which cannot be sent again; set 'httpBody' instead"
      )
    }
    for name in (request.allHTTPHeaderFields ?? [:]).keys
    where !redirect.keepsHeader(name, staysTrusted: staysTrusted) {
      next.setValue(nil, forHTTPHeaderField: name)
    }
    return next
  }

  // MARK: Validation

  /// Returns the error for a body that would be sent to an untrusted origin. The caller has intended the body for the
  /// server, so that an address in a response must not send it elsewhere.
  private static func bodyForAnotherOrigin(_ url: URL, urn: String) -> HTTPServerError {
    let origin = (url.scheme ?? "") + "://" + (url.host ?? "") + (url.port.map { ":\($0)" } ?? "")
    return HTTPServerError(
      .untrustedOrigin, urn, "the body is not sent to '\(origin)', which is not in 'trustedOrigins'")
  }

  /// Throws an error if a request cannot be sent. The headers that `prepare` and the configuration have added are also
  /// checked.
  static func check(_ request: ServerRequest, urn: String) throws(HTTPServerError) {
    try check(method: request.method, urn: urn)
    for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
      try check(header: name, value, urn: urn)
    }
  }

  private static func check(method: String, urn: String) throws(HTTPServerError) {
    guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte) else {
      throw HTTPServerError(.request, urn, "'\(method)' is not an HTTP method")
    }
  }

  private static func check(header name: String, _ value: String, urn: String) throws(HTTPServerError) {
    guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
      throw HTTPServerError(.request, urn, "'\(name)' is not a header name")
    }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw HTTPServerError(.request, urn, "the value of the header '\(name)' contains control characters")
    }
  }

  private static func isAuthorityByte(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || authorityBytes.contains(byte)
  }
  private static let authorityBytes = Set("-._~:@[]%!$&'()*+,;=".utf8)
}
