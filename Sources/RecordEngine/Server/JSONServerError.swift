public import Foundation
public import JSONTree

/// An error that is thrown if a ``JSONServer`` has no response to a request.
public struct JSONServerError: Error, Hashable, Sendable {
  /// The kind of a ``JSONServer`` error.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The address contains no fragment.
    public static let noFile = Kind(rawValue: "no-file")
    /// The file is missing or cannot be read.
    public static let unreadable = Kind(rawValue: "unreadable")
    /// The file is not valid JSON. ``JSONServerError/location`` is the location of the error.
    public static let malformed = Kind(rawValue: "malformed")
  }

  /// The kind of the error.
  public let kind: Kind
  /// The address of the request, including the parameters of its query.
  public let urn: String
  /// The URL of the file, or nil if there is no file for the address.
  public let file: URL?
  /// The location of the syntax error in the file, or nil for another kind of error.
  public let location: JSONLocation?
  /// The message in one line, without the file and the location.
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
  /// The text of the error, such as `/app/Users.json:3:14: expected ',' or ']', found '}' (requested 'users')`.
  public var description: String {
    guard let file else { return "no response for '\(urn)': \(message)" }
    let position = location.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file.path)\(position): \(message) (requested '\(urn)')"
  }

  public var errorDescription: String? { description }
}
