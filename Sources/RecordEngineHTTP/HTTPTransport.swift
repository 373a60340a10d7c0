import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A type that sends requests and receives their responses. It returns redirects as responses and does not follow them.
protocol HTTPTransport: Sendable {
  /// Sends a request and returns its response and body.
  ///
  /// - Parameters:
  ///   - request: the request with the headers and cookies of the configuration.
  ///   - maximumBodySize: the maximum size of the decompressed body in bytes. A larger response fails.
  ///   - urn: the address as the caller wrote it, for errors.
  func response(
    to request: URLRequest, maximumBodySize: Int, urn: String
  ) async throws -> (HTTPURLResponse, [UInt8])

  /// Ends the connections after the last request has ended. No request follows this call.
  func finish()
}
