public import JSONTree

/// Whoever answers requests: canned responses, files, a real server.
public protocol Server: Sendable {
  /// Answers one request. What it throws fails the request and reaches the caller as it is.
  func response(to request: ServerRequest) async throws -> ServerResponse
}

/// What a server is asked.
public struct ServerRequest: Hashable, Sendable {
  /// `GET` unless the request says otherwise.
  public var method: String
  /// The address, relative to wherever the server is: `stream/global`.
  public var urn: String
  /// The parameters.
  public var data: [String: String]

  public init(method: String = "GET", urn: String, data: [String: String] = [:]) {
    self.method = method
    self.urn = urn
    self.data = data
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
  /// An HTTP status; 400 and above fail the request.
  public var status: Int
  public var headers: [String: String]

  public init(_ body: Body, status: Int = 200, headers: [String: String] = [:]) {
    self.body = body
    self.status = status
    self.headers = headers
  }
}
