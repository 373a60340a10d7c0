extension RegularExpressionParser {
  /// Parses an escape after its backslash.
  mutating func parseEscape() throws(RegularExpressionError) -> Atom {
    let start = position - 1
    let kind = try take()
    switch kind {
    case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V":
      return Atom(node: .scalar(try set(text(from: start))))
    case "p", "P", "N": return Atom(node: .scalar(try parseProperty(from: start)))
    case "b": return Atom(node: .assertion(.wordBoundary), isQuantifiable: false)
    case "B": return Atom(node: .assertion(.noWordBoundary), isQuantifiable: false)
    case "A", "G": return Atom(node: .assertion(.start), isQuantifiable: false)
    case "z": return Atom(node: .assertion(.end), isQuantifiable: false)
    case "Z": return Atom(node: .assertion(.endOrFinalNewline), isQuantifiable: false)
    case "R": return Atom(node: try newlineSequence())
    case "Q": return Atom(node: parseQuote(), isQuantifiable: false)
    case "1"..."9", "g", "k":
      while let next = peek(), next.isASCII, next.isWholeNumber { position += 1 }
      throw unsupported("the backreference", from: start)
    case "X", "y", "Y": throw unsupported("the escape", from: start)
    case "0", "x", "u", "U": return Atom(node: .scalar(test(for: try parseCode(kind, from: start))))
    default:
      if let scalar = controls[kind] { return Atom(node: .scalar(.scalar(scalar))) }
      guard kind.isASCII, !kind.isLetter, !kind.isNumber else { throw unclear(text(from: start)) }
      return Atom(node: literal(kind))
    }
  }

  private var controls: [Character: Unicode.Scalar] {
    ["a": "\u{7}", "e": "\u{1B}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t"]
  }

  /// Parses `\p{Greek}`, `\P{L}` or `\N{GREEK SMALL LETTER ALPHA}`.
  private mutating func parseProperty(from start: Int) throws(RegularExpressionError) -> ScalarTest {
    guard skip("{") else { throw unclear(text(from: start)) }
    while try take() != "}" {}
    return try set(text(from: start))
  }

  /// Returns the node for `\R`: a newline, where a carriage return and a line feed count as one.
  private mutating func newlineSequence() throws(RegularExpressionError) -> RegularExpressionNode {
    .alternatives([
      .sequence([.scalar(.scalar("\r")), .scalar(.scalar("\n"))]),
      .sequence([.scalar(.scalar("\r")), .assertion(.notBeforeLineFeed)]),
      .scalar(try set(#"[\v--\r]"#)),
    ])
  }

  /// Parses literal text up to `\E`, or to the end.
  private mutating func parseQuote() -> RegularExpressionNode {
    var parts: [RegularExpressionNode] = []
    while let next = peek() {
      position += 1
      if next == "\\", skip("E") { break }
      parts.append(literal(next))
    }
    return .sequence(parts)
  }

  /// Parses a scalar by its number: `\0101`, `\x41`, `\x{41}`, `\u0041`, `\u{41}` or `\U00000041`.
  private mutating func parseCode(
    _ kind: Character, from start: Int
  ) throws(RegularExpressionError) -> Unicode.Scalar {
    let digits: Range<Int>
    if kind != "0", kind != "U", skip("{") {
      let first = position
      while try take() != "}" {}
      digits = first..<position - 1
    } else {
      // `\x` and `\0` also accept fewer digits.
      let count = ["0": 3, "x": 2, "u": 4, "U": 8][kind] ?? 0
      let first = position
      let base = kind == "0" ? 8 : 16
      while position < first + count, let value = peek()?.hexDigitValue, value < base { position += 1 }
      digits = first..<position
    }
    let text = String(characters[digits])
    let value = text.isEmpty && (kind == "0" || kind == "x") ? 0 : UInt32(text, radix: kind == "0" ? 8 : 16)
    guard let scalar = value.flatMap(Unicode.Scalar.init) else { throw unclear(self.text(from: start)) }
    return scalar
  }
}
