/// A server that forwards requests to another server, and changes some of their behavior.
///
/// ```swift
/// /// Repeats a request once if the server is temporarily unavailable.
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
/// By default, a wrapper forwards all requirements to the other server: paging, the description of requests, and
/// addresses. Caching and pages therefore work as without the wrapper. A wrapper that changes the addresses, parameters
/// or methods of requests must change them in ``Server/response(to:)``, ``Server/description(of:)`` and
/// ``Server/address(of:)``.
public protocol ServerWrapper: Server {
  /// The wrapped server.
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
