/// Why bytes are no JSON, and where.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  public let location: JSONLocation
  /// One line, without place: `expected ',' or ']', found '}'`.
  public let message: String
}

extension JSONSyntaxError: CustomStringConvertible {
  /// `line 3, column 14: expected ',' or ']', found '}'`.
  public var description: String { "\(location): \(message)" }
}
