public import JSONTree

/// A type that responds to requests, for example with canned responses, with files or over HTTP.
///
/// A server is called outside the caller's isolation. If the request is canceled, the task of the call is canceled, and
/// its response is ignored.
///
/// A server can perform requests of a container, for example to get a token, in the task of the call or a child of it.
/// In a `Task.detached` or on a dispatch queue, the engine does not recognize that such a request belongs to the first
/// one. If the two requests are identical and caching is on, the new one waits for the first one, and neither ends.
public protocol Server: Sendable {
  /// Returns the response to a request. An error that this method throws fails the request and is passed to the caller
  /// unchanged. Rule: `request.failure`.
  func response(to request: ServerRequest) async throws -> ServerResponse

  /// The paging of this server, or nil if it does not divide lists into pages. The default is nil.
  /// Rule: `request.page`.
  var paging: Paging? { get }

  /// Returns a request as this server sends it: with the whole address including all parameters, with the body, and with
  /// all headers, including those that the server adds. The cache identifies responses by this description. By default,
  /// the method returns nil, which means that the server does not describe its requests. Its responses are then not
  /// cached.
  ///
  /// The method is called before a request is sent, if the response may be cached or may make cached responses
  /// outdated. If the method throws, the request is sent nevertheless, its response is not cached, and the diagnostic
  /// `undescribed-request` reports the error. A server that forwards requests to another server also forwards this
  /// call: see ``ServerWrapper``. Rule: `cache.store`.
  func description(of request: ServerRequest) async throws -> ServerRequest?

  /// Returns the address that a request is sent to, in a form that is the same for all ways of writing it. By default,
  /// this is the address of the request. Pages are identified by this address: a page that was requested by a relative
  /// address can be named by its absolute address later. The result is needed immediately and does not include changes
  /// that the server prepares for ``Server/description(of:)``. Rule: `request.page.loop`.
  func address(of request: ServerRequest) -> String
}

extension Server {
  public var paging: Paging? { nil }

  public func description(of request: ServerRequest) async throws -> ServerRequest? { nil }

  public func address(of request: ServerRequest) -> String { request.urn }
}

/// A request to a server.
public struct ServerRequest: Hashable, Sendable {
  /// The HTTP method, `GET` by default.
  public var method: String
  /// The address, relative to the location of the server: `stream/global`. It can contain parameters: `posts?tag=a&tag=b`.
  public var urn: String
  /// The parameters that are added to the address, by name. They replace parameters of the same name in the address.
  public var query: [String: String]
  /// The body, or nil for a request without one. Rule: `request.body`.
  public var body: RequestBody?
  /// The headers, in addition to those that the server adds.
  public var headers: [String: String]
  /// The time that the response may take, or nil for the timeout of the server.
  public var timeout: Duration?
  /// A Boolean value that indicates whether the response may be one of several pages. Rule: `request.page`.
  public var isPaged: Bool
  /// The domain of the request, by which it can be canceled. Rule: `request.cancel`.
  public var domain: String?
  /// A tag by which the server recognizes the request, whatever it asks for. Scenarios use it to respond to
  /// simultaneous requests in their order. The requests for further pages have the same tag.
  package var tag: String?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: the HTTP method.
  ///   - urn: the address, relative to the location of the server.
  ///   - query: the parameters that are added to the address, by name.
  ///   - body: the body, or nil for a request without one.
  ///   - headers: the headers, in addition to those that the server adds.
  ///   - timeout: the time that the response may take, or nil for the timeout of the server.
  ///   - isPaged: a Boolean value that indicates whether the response may be one of several pages.
  ///   - domain: the domain of the request, by which it can be canceled.
  public init(
    method: String = "GET", urn: String, query: [String: String] = [:], body: RequestBody? = nil,
    headers: [String: String] = [:], timeout: Duration? = nil, isPaged: Bool = false, domain: String? = nil
  ) {
    self.method = method
    self.urn = urn
    self.query = query
    self.body = body
    self.headers = headers
    self.timeout = timeout
    self.isPaged = isPaged
    self.domain = domain
  }

  /// Returns the value of a header. The case of the name is ignored.
  public func header(_ name: String) -> String? { headers.header(name) }
}

/// Requests are equal if their texts have the same Unicode scalars, because these are sent.
extension ServerRequest {
  public static func == (left: ServerRequest, right: ServerRequest) -> Bool {
    left.method == right.method && haveSameScalars(left.urn, right.urn)
      && haveSameScalars(left.query, right.query) && left.body == right.body
      && haveSameScalars(left.headers, right.headers) && left.timeout == right.timeout
      && left.isPaged == right.isPaged
      && left.domain == right.domain && left.tag == right.tag
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(scalarsOf: urn)
    hasher.combine(query)
    hasher.combine(body)
    hasher.combine(headers)
  }
}

/// A response of a server. Rule: `response.source`.
public struct ServerResponse: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    /// JSON text, or no bytes.
    case bytes([UInt8])
    /// A value that is created in Swift. Diagnostics about it contain JSON pointers, but no lines.
    case json(JSONValue)
  }

  /// The body of the response.
  public var body: Body
  /// The HTTP status. A status of 300 or above fails the request, except a 304 response to the conditions of a cache.
  /// Status 206 fails a request without a `Range` header. Rule: `request.failure`.
  public var status: Int
  /// The headers of the response. Names can have any case. If a name has several spellings, the engine uses one of
  /// them, and a cache stores the values of all.
  public var headers: [String: String]
  /// The request for this response as it was sent, in the form of ``Server/description(of:)``. After redirects, this is
  /// the last request. The default is nil, which means that the request was sent as described.
  ///
  /// The cache identifies responses by the description that it has received before. A response is not cached, and does
  /// not confirm a cached response, in these cases:
  ///
  /// - It comes from another address, for example through a redirect.
  /// - It varies with a header that was not sent as described.
  ///
  /// Rule: `cache.store`.
  public var sentRequest: ServerRequest?
  /// A mark by which the server recognizes the response. Scenarios use it to find the source of a value.
  package var mark: Int?
  /// The mark of the response that redirected the request first; nil without a redirect.
  package var redirectMark: Int?

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - body: the body, which contains JSON or nothing.
  ///   - status: the HTTP status; see ``status``.
  ///   - headers: the headers, with names in any case.
  public init(_ body: Body, status: Int = 200, headers: [String: String] = [:]) {
    self.body = body
    self.status = status
    self.headers = headers
  }

  /// Returns the value of a header. The case of the name is ignored.
  public func header(_ name: String) -> String? { headers.header(name) }

  /// The JSON of the body, or nil if the body is empty.
  ///
  /// - Throws: `JSONSyntaxError` if the body is not JSON.
  /// - Complexity: O(*n*) for each access, where *n* is the size of the body.
  public var responseObject: JSONNode? {
    get throws(JSONSyntaxError) { try ResponseBody(body).document?.root }
  }
}
