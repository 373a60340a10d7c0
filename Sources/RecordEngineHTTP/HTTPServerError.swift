public import Foundation

/// Why a request to an ``HTTPServer`` was not sent, or its answer not taken.
public struct HTTPServerError: Error, Hashable, Sendable {
  /// A kind of failure.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The address is none of HTTP.
    public static let address = Kind(rawValue: "address")
    /// The method or a header is nothing that HTTP can send.
    public static let request = Kind(rawValue: "request")
    /// A body would go to another origin than that of the server.
    public static let untrustedOrigin = Kind(rawValue: "untrusted-origin")
    /// The ``HTTPServerError/status`` says neither success nor failure, and where it sends on to cannot be asked.
    public static let status = Kind(rawValue: "status")
    /// The body is larger than ``HTTPServer/maximumBodySize``. On Linux also: a stream with the body of a request is larger
    /// than 256 MiB.
    public static let bodyTooLarge = Kind(rawValue: "body-too-large")
    /// The headers are larger than 256 KiB, or one of them than 100 KiB, on Linux. On Apple's platforms `URLSession` has
    /// limits of its own.
    public static let headTooLarge = Kind(rawValue: "head-too-large")
  }

  public let kind: Kind
  /// The status, where it is what is wrong.
  public let status: Int?
  /// The address that was asked.
  public let urn: String
  /// One line, without the address.
  public let message: String

  init(_ kind: Kind, _ urn: String, status: Int? = nil, _ message: String) {
    self.kind = kind
    self.status = status
    self.urn = urn
    self.message = message
  }
}

extension HTTPServerError: CustomStringConvertible, LocalizedError {
  public var description: String { "\(message) (asked for '\(urn)')" }
  public var errorDescription: String? { description }
}
