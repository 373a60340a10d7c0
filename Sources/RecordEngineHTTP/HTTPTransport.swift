import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests and receives their responses. Redirects are not followed: they are responses.
protocol HTTPTransport: Sendable {
  /// - Parameters:
  ///   - request: with the headers of the configuration and its cookies.
  ///   - maximumBodySize: the number of bytes beyond which a response fails, decompressed.
  ///   - urn: the address as the caller wrote it, for errors.
  func response(
    to request: URLRequest, maximumBodySize: Int, urn: String
  ) async throws -> (HTTPURLResponse, [UInt8])

  /// Ends the connections once the last request has ended. No request follows.
  func finish()
}
