/// The reason why a literal is not a value of an attribute's type.
package struct LiteralError: Error, Hashable, Sendable {
  /// The expected value, for example `an integer from -32768 to 32767`.
  package let expected: String
  /// The kind and the text of the literal, for example `string "7"`.
  package let found: String
  /// The correction to suggest, if there is one, for example `write 7`.
  package let advice: String?

  /// One line, without the location.
  package var message: String { "expected \(expected), found \(found)" }
}
