public import Foundation

/// Why a request to an ``HTTPServer`` was not sent, or its answer not taken.
public struct HTTPServerError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The address is none of HTTP.
    case address
    /// The method or a header is nothing that HTTP can send.
    case request
    /// A body would go to another origin than that of the server.
    case untrustedOrigin
    /// The status says neither success nor failure, and where it sends on to cannot be asked.
    case status(Int)
    /// The body is larger than ``HTTPServer/maximumBodySize``.
    case bodyTooLarge
  }

  public let kind: Kind
  /// The address that was asked.
  public let urn: String
  /// One line, without the address.
  public let message: String

  init(_ kind: Kind, _ urn: String, _ message: String) {
    self.kind = kind
    self.urn = urn
    self.message = message
  }
}

extension HTTPServerError: CustomStringConvertible, LocalizedError {
  public var description: String { "\(message) (asked for '\(urn)')" }
  public var errorDescription: String? { description }
}
