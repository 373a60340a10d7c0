/// A part of a parsed regular expression. The parser limits the nesting depth.
indirect enum RegularExpressionNode {
  /// A test of one scalar of the text.
  case scalar(ScalarTest)
  /// A condition on a position in the text.
  case assertion(TextAssertion)
  /// Consecutive parts; empty for the empty expression.
  case sequence([RegularExpressionNode])
  /// Two or more alternatives.
  case alternatives([RegularExpressionNode])
  /// A repetition. A nil maximum means no limit. The minimum does not exceed the maximum.
  case repetition(RegularExpressionNode, minimum: Int, maximum: Int?)

  var isEmpty: Bool { if case .sequence(let parts) = self { parts.isEmpty } else { false } }
}

/// A condition on a scalar of a text.
enum ScalarTest {
  case scalar(Unicode.Scalar)
  /// A scalar whose lowercase form is the given scalar.
  case lowercased(Unicode.Scalar)
  case any
  case anyButNewline
  /// A member of a set, by the index of the set in the program.
  case set(Int)
}

/// A condition on a position in a text, which depends on the adjacent scalars.
enum TextAssertion {
  case start
  case end
  /// `\Z`: the end, or the position before a newline at the end.
  case endOrFinalNewline
  /// `^` with the option `m`.
  case startOfLine
  /// `$` with the option `m`.
  case endOfLine
  case wordBoundary
  case noWordBoundary
  /// Not before a line feed. After a carriage return, `\R` consumes both or neither.
  case notBeforeLineFeed
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the scalar ends a line, so that `.` does not match it.
  var isNewline: Bool {
    switch self {
    case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// The lowercase form; the scalar itself if its lowercase form has several scalars.
  var lowercased: Unicode.Scalar {
    if isASCII { return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) | 0x20) : self }
    let mapping = properties.lowercaseMapping.unicodeScalars
    guard let first = mapping.first, mapping.count == 1 else { return self }
    return first
  }
}
