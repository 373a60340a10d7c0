/// A part of a parsed regular expression. Nesting is bounded by the parser.
indirect enum RegularExpressionNode {
  /// One scalar of the text.
  case scalar(ScalarTest)
  /// A condition on a position in the text.
  case assertion(TextAssertion)
  /// One part behind the other; none for the empty expression.
  case sequence([RegularExpressionNode])
  /// Two or more.
  case alternatives([RegularExpressionNode])
  /// A nil maximum is unbounded. The minimum is no greater than the maximum.
  case repetition(RegularExpressionNode, minimum: Int, maximum: Int?)

  var isEmpty: Bool { if case .sequence(let parts) = self { parts.isEmpty } else { false } }
}

/// A condition on one scalar of a text.
enum ScalarTest {
  case scalar(Unicode.Scalar)
  /// A scalar whose lowercase form is the given one.
  case lowercased(Unicode.Scalar)
  case any
  case anyButNewline
  /// A set, by its index in the program.
  case set(Int)
}

/// A condition on a position in a text, which the scalars beside it decide.
enum TextAssertion {
  case start
  case end
  /// `\Z`: the end, or before a newline that ends the text.
  case endOrFinalNewline
  /// `^` and `$` with the option `m`.
  case startOfLine
  case endOfLine
  case wordBoundary
  case noWordBoundary
  /// Not before a line feed. Behind a carriage return: `\R` takes both or neither.
  case notBeforeLineFeed
}

extension Unicode.Scalar {
  /// Whether `.` leaves it out, and lines end with it.
  var isNewline: Bool {
    switch self {
    case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// The lowercase form; the scalar itself where that is more than one scalar.
  var lowercased: Unicode.Scalar {
    if isASCII { return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) | 0x20) : self }
    let mapping = properties.lowercaseMapping.unicodeScalars
    guard let first = mapping.first, mapping.count == 1 else { return self }
    return first
  }
}
