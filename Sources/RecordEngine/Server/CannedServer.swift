public import JSONTree

/// A server that responds with the values of a dictionary, for tests, previews and examples.
///
/// ```swift
/// let server = CannedServer(["users": [["id": "7", "name": "Ada"]]])
/// ```
public struct CannedServer: Server {
  private let bodies: [String: JSONValue]

  /// Creates a server.
  ///
  /// - Parameter bodies: the bodies of the responses, by ``ServerRequest/urn``. The server ignores the method, the
  ///   ``ServerRequest/query`` and the body of a request. The status of every response is 200.
  public init(_ bodies: [String: JSONValue]) { self.bodies = bodies }

  /// Returns the body for the address of the request.
  ///
  /// - Throws: ``UnknownAddress`` if the dictionary does not contain the address.
  public func response(to request: ServerRequest) async throws -> ServerResponse {
    guard let body = bodies[request.urn] else {
      throw UnknownAddress(urn: request.urn, known: bodies.keys.sorted())
    }
    return ServerResponse(.json(body))
  }

  public func description(of request: ServerRequest) async -> ServerRequest? { request.normalized }

  /// An error that is thrown for an address that the dictionary does not contain.
  public struct UnknownAddress: Error, CustomStringConvertible {
    /// The address of the request.
    public let urn: String
    /// The addresses of the dictionary, in alphabetical order.
    public let known: [String]
    public var description: String {
      "no canned response for '\(urn)'"
        + (known.isEmpty ? "" : "; the responses are: \(known.joined(separator: ", "))")
    }
  }
}
