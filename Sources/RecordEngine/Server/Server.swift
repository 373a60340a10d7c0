public import JSONTree

/// Whoever answers requests: canned responses, files, a real server.
///
/// A server is asked off the caller's isolation. When the request is cancelled, the task in which it is asked is: what it
/// answers then is no longer looked at.
///
/// A server may ask a container itself, for a token for example, within that task or a child of it. What it would ask from a
/// `Task.detached` or a dispatch queue nobody knows to be asked on behalf of the request: where it is the same as that one and
/// caching is on, it waits for that one's end, and neither ends.
public protocol Server: Sendable {
  /// Answers one request. What it throws fails the request and reaches the caller as it is. Rule: `request.failure`.
  func response(to request: ServerRequest) async throws -> ServerResponse

  /// How this server divides long answers into pages; nil if it does not. Rule: `request.page`.
  var paging: Paging? { get }

  /// A request as this server sends it: its whole address with all parameters, and all headers, those that the server adds
  /// included. A cache knows responses by it. Nil, the default, if it does not say: then its responses are not cached.
  ///
  /// It is asked only for requests whose responses may be cached, or may make cached ones useless, before they are sent.
  /// If it throws, the request is made all the same, nothing of it is cached, and `undescribed-request` tells why. A server
  /// that stands before another one hands it on: see ``ServerWrapper``. Rule: `cache.store`.
  func description(of request: ServerRequest) async throws -> ServerRequest?

  /// The address that a request is sent to, in the form that is the same for all ways to write it; the request's own where a
  /// server does not say. Pages are told apart by it: one that is asked for by a relative address may be named by its whole
  /// one later. It is asked at once, before anything is prepared as for ``Server/description(of:)``. Rule: `request.page.loop`.
  func address(of request: ServerRequest) -> String
}

extension Server {
  public var paging: Paging? { nil }

  public func description(of request: ServerRequest) async throws -> ServerRequest? { nil }

  public func address(of request: ServerRequest) -> String { request.urn }
}

/// What a server is asked.
public struct ServerRequest: Hashable, Sendable {
  /// `GET` unless the request says otherwise.
  public var method: String
  /// The address, relative to wherever the server is: `stream/global`.
  public var urn: String
  /// The parameters.
  public var data: [String: String]
  /// The headers, beside those that the server sends by itself.
  public var headers: [String: String]
  /// How long the answer may take; nil: as long as the server lets it.
  public var timeout: Duration?
  /// Whether the answer may be one page of several. Rule: `request.page`.
  public var isPaged: Bool
  /// What the request belongs to, for cancelling. Rule: `request.cancel`.
  public var domain: String?
  /// What the server knows the request by, beside what it asks for: scenarios answer several at once in their order. Further
  /// pages have it too.
  package var tag: String?

  /// - Parameters:
  ///   - method: as HTTP has it.
  ///   - urn: the address, relative to wherever the server is.
  ///   - data: the parameters.
  ///   - headers: those beside what the server sends by itself.
  ///   - timeout: how long the answer may take; nil: as long as the server lets it.
  ///   - isPaged: whether the answer may be one page of several.
  ///   - domain: what the request belongs to, for cancelling.
  public init(
    method: String = "GET", urn: String, data: [String: String] = [:], headers: [String: String] = [:],
    timeout: Duration? = nil, isPaged: Bool = false, domain: String? = nil
  ) {
    self.method = method
    self.urn = urn
    self.data = data
    self.headers = headers
    self.timeout = timeout
    self.isPaged = isPaged
    self.domain = domain
  }

  /// The value of a header, whose name may be written in any case.
  public func header(_ name: String) -> String? { headers.header(name) }
}

/// Two requests are one if their texts have the same Unicode scalars, as they are sent.
extension ServerRequest {
  public static func == (left: ServerRequest, right: ServerRequest) -> Bool {
    left.method == right.method && haveSameScalars(left.urn, right.urn)
      && haveSameScalars(left.data, right.data) && haveSameScalars(left.headers, right.headers)
      && left.timeout == right.timeout && left.isPaged == right.isPaged && left.domain == right.domain
      && left.tag == right.tag
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(scalarsOf: urn)
    hasher.combine(data)
    hasher.combine(headers)
  }
}

/// What a server answers. Rule: `response.source`.
public struct ServerResponse: Sendable {
  public enum Body: Sendable {
    /// JSON text, or nothing at all.
    case bytes([UInt8])
    /// A value built in Swift. Diagnostics about it have pointers, but no lines.
    case json(JSONValue)
  }

  public var body: Body
  /// An HTTP status; 300 and above fail the request, but for a 304 to the conditions of a cache, and so does a 206 without a
  /// `Range` in the request.
  /// Rule: `request.failure`.
  public var status: Int
  /// Names may be written in any case; of several spellings of one name the engine takes one, and a cache keeps all.
  public var headers: [String: String]
  /// The request that this answers, as it was sent, in the form of ``Server/description(of:)``: of several redirects the last.
  /// Nil, the default: it was sent as described.
  ///
  /// A cache knows responses by what was described before. What went elsewhere, over a redirect for example, is not kept and
  /// confirms nothing that is; nor is a response that varies with a header that was sent otherwise. Rule: `cache.store`.
  public var sentRequest: ServerRequest?

  /// - Parameters:
  ///   - body: JSON, or nothing.
  ///   - status: an HTTP status; see ``status``.
  ///   - headers: their names in any case.
  public init(_ body: Body, status: Int = 200, headers: [String: String] = [:]) {
    self.body = body
    self.status = status
    self.headers = headers
  }

  /// The value of a header, whose name may be written in any case.
  public func header(_ name: String) -> String? { headers.header(name) }

  /// What the body says; nil for an empty one. Linear in the body, each time that it is asked for.
  ///
  /// - Throws: `JSONSyntaxError` if it is no JSON.
  public var responseObject: JSONNode? {
    get throws(JSONSyntaxError) { try ResponseBody(body).document?.root }
  }
}
