public import JSONTree

/// A server that answers from a dictionary of addresses: for tests, previews and examples.
///
/// ```swift
/// let server = CannedServer(["users": [["id": "7", "name": "Ada"]]])
/// ```
public struct CannedServer: Server {
  private let bodies: [String: JSONValue]

  /// - Parameter bodies: by address. Parameters of a request are not looked at.
  public init(_ bodies: [String: JSONValue]) { self.bodies = bodies }

  /// - Throws: ``UnknownAddress`` for an address that is none of the dictionary's.
  public func response(to request: ServerRequest) async throws -> ServerResponse {
    guard let body = bodies[request.urn] else {
      throw UnknownAddress(urn: request.urn, known: bodies.keys.sorted())
    }
    return ServerResponse(.json(body))
  }

  public func description(of request: ServerRequest) async -> ServerRequest? { request.normalised }

  /// Nobody answers at an address.
  public struct UnknownAddress: Error, CustomStringConvertible {
    public let urn: String
    public let known: [String]
    public var description: String {
      "no canned response for '\(urn)'; there are: \(known.joined(separator: ", "))"
    }
  }
}
