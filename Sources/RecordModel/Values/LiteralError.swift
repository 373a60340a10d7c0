/// Why a literal is no value of an attribute's type.
package struct LiteralError: Error, Hashable, Sendable {
  /// `an integer from -32768 to 32767`.
  package let expected: String
  /// The kind and the text: `string "7"`.
  package let found: String
  /// The way out, if there is one to name: `write 7`.
  package let advice: String?

  /// One line, without the place.
  package var message: String { "expected \(expected), found \(found)" }
}
