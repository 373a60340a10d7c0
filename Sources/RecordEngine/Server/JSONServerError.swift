public import Foundation
public import JSONTree

/// Why a ``JSONServer`` has no answer.
public struct JSONServerError: Error, Hashable, Sendable {
  /// A kind of failure.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No fragment is part of the address.
    public static let noFile = Kind(rawValue: "no-file")
    /// The file is missing, or may not be read.
    public static let unreadable = Kind(rawValue: "unreadable")
    /// The file is no JSON from ``JSONServerError/location`` on.
    public static let malformed = Kind(rawValue: "malformed")
  }

  public let kind: Kind
  /// The address that was asked, with the parameters of the request's data.
  public let urn: String
  /// The file, if there is one for the address.
  public let file: URL?
  /// From where on the file is no JSON.
  public let location: JSONLocation?
  /// One line, without file and place.
  public let message: String

  init(_ kind: Kind, _ urn: String, file: URL? = nil, location: JSONLocation? = nil, _ message: String) {
    self.kind = kind
    self.urn = urn
    self.file = file
    self.location = location
    self.message = message
  }
}

extension JSONServerError: CustomStringConvertible, LocalizedError {
  /// `/app/Users.json:3:14: expected ',' or ']', found '}' (asked for 'users')`.
  public var description: String {
    guard let file else { return "nothing answers '\(urn)': \(message)" }
    let prefix = location.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file.path)\(prefix): \(message) (asked for '\(urn)')"
  }

  public var errorDescription: String? { description }
}
