public import Foundation

/// An error that is thrown if an ``HTTPServer`` cannot send a request or cannot accept its response.
public struct HTTPServerError: Error, Hashable, Sendable {
  /// The kind of an ``HTTPServer`` error.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The address is not an HTTP address.
    public static let address = Kind(rawValue: "address")
    /// HTTP does not allow the method or a header.
    public static let request = Kind(rawValue: "request")
    /// A body would be sent to an origin that is not trusted.
    public static let untrustedOrigin = Kind(rawValue: "untrusted-origin")
    /// The ``HTTPServerError/status`` is neither a success nor a failure, and the response is not a redirect that can
    /// be followed.
    public static let status = Kind(rawValue: "status")
    /// The body is larger than ``HTTPServer/maximumBodySize``. On Linux, also a request body from a stream that is
    /// larger than 256 MiB.
    public static let bodyTooLarge = Kind(rawValue: "body-too-large")
    /// On Linux, the headers are larger than 256 KiB, or one header is larger than 100 KiB. On Apple platforms,
    /// `URLSession` has its own limits.
    public static let headTooLarge = Kind(rawValue: "head-too-large")
  }

  /// The kind of the error.
  public let kind: Kind
  /// The status if it is the cause of the error, otherwise nil.
  public let status: Int?
  /// The address of the request.
  public let urn: String
  /// The message in one line, without the address.
  public let message: String

  init(_ kind: Kind, _ urn: String, status: Int? = nil, _ message: String) {
    self.kind = kind
    self.status = status
    self.urn = urn
    self.message = message
  }
}

extension HTTPServerError: CustomStringConvertible, LocalizedError {
  public var description: String { "\(message) (requested '\(urn)')" }
  public var errorDescription: String? { description }
}
