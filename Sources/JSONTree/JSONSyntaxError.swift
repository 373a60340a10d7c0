/// The reason why bytes are not valid JSON, and its location.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// The location of the error.
  public let location: JSONLocation
  /// One line without the location: `expected ',' or ']', found '}'`.
  public let message: String
}

extension JSONSyntaxError: CustomStringConvertible {
  /// The location and the message: `line 3, column 14: expected ',' or ']', found '}'`.
  public var description: String { "\(location): \(message)" }
}
