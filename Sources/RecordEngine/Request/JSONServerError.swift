public import Foundation
public import JSONTree

/// Why a ``JSONServer`` has no answer.
public struct JSONServerError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// No fragment is part of the address.
    case noFile
    /// The file is missing, or may not be read.
    case unreadable
    /// The file is no JSON from this place on.
    case malformed(JSONLocation)
  }

  public let kind: Kind
  /// The address that was asked, with the parameters of the request's data.
  public let urn: String
  /// The file, if there is one for the address.
  public let file: URL?
  /// One line, without file and place.
  public let message: String
}

extension JSONServerError: CustomStringConvertible, LocalizedError {
  /// `/app/Users.json:3:14: expected ',' or ']', found '}' (asked for 'users')`.
  public var description: String {
    guard let file else { return "nothing answers '\(urn)': \(message)" }
    let place = if case .malformed(let location) = kind { ":\(location.line):\(location.column)" } else { "" }
    return "\(file.path)\(place): \(message) (asked for '\(urn)')"
  }

  public var errorDescription: String? { description }
}
