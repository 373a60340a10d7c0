/// A server that stands before another one: it answers as that does, but for what it says otherwise itself.
///
/// ```swift
/// /// Asks once more if the server is not there for a moment.
/// struct PatientServer: ServerWrapper {
///   let server: any Server
///
///   func response(to request: ServerRequest) async throws -> ServerResponse {
///     let response = try await server.response(to: request)
///     guard response.status == 503 else { return response }
///     return try await server.response(to: request)
///   }
/// }
/// ```
///
/// What a wrapper does not say is the other server's: its pages, what it sends and its addresses, so that caching and pages
/// work as without it. One that changes addresses, parameters or methods of requests has to change them in all that is asked
/// about them: ``Server/response(to:)``, ``Server/description(of:)`` and ``Server/address(of:)``.
public protocol ServerWrapper: Server {
  /// Who stands behind this one.
  var server: any Server { get }
}

extension ServerWrapper {
  public func response(to request: ServerRequest) async throws -> ServerResponse {
    try await server.response(to: request)
  }

  public var paging: Paging? { server.paging }

  public func description(of request: ServerRequest) async throws -> ServerRequest? {
    try await server.description(of: request)
  }

  public func address(of request: ServerRequest) -> String { server.address(of: request) }
}
