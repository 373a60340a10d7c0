/// A word or a sign of Swift source. Comments and the text of string literals are not tokens.
struct SwiftToken: Equatable {
  var text: String
  /// The line, starting at 1.
  var line: Int
  /// A Boolean value that indicates whether the token directly follows the previous token.
  var isAdjacent: Bool

  var isName: Bool { text.unicodeScalars.first.map { $0 == "_" || $0.properties.isAlphabetic } ?? false }
}

/// Splits Swift source into tokens. Supports nested comments, strings of every kind, and the code within their
/// interpolations. Does not support regular expression literals, whose characters become tokens.
struct SwiftTokens {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  private var lastEnd = 0
  private var tokens: [SwiftToken] = []

  static func tokens(of source: String) -> [SwiftToken] {
    var reader = SwiftTokens(scalars: Array(source.unicodeScalars))
    reader.readCode(isInterpolation: false)
    return reader.tokens
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private func sees(_ text: String) -> Bool {
    text.unicodeScalars.enumerated().allSatisfy { peek($0.offset) == $0.element }
  }

  private mutating func skip(_ count: Int = 1) {
    for _ in 0..<count where position < scalars.count {
      if scalars[position] == "\n" { line += 1 }
      position += 1
    }
  }

  /// Reads code to the end of the source, or to after the parenthesis that closes an interpolation.
  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while let next = peek() {
      if sees("//") {
        while let next = peek(), next != "\n" { skip() }
      } else if sees("/*") {
        skipBlockComment()
      } else if let hashes = hashesBeforeQuote() {
        readString(hashes: hashes)
      } else if next.properties.isWhitespace {
        skip()
      } else if next == "`" {
        skip()
      } else if isWordScalar(next) {
        readWord()
      } else {
        if next == "(" { depth += 1 }
        if next == ")" {
          depth -= 1
          if isInterpolation, depth < 0 {
            skip()
            return
          }
        }
        append(length: 1)
      }
    }
  }

  private func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private mutating func readWord() {
    var length = 0
    while let next = peek(length), isWordScalar(next) { length += 1 }
    append(length: length)
  }

  private mutating func append(length: Int) {
    let text = String(String.UnicodeScalarView(scalars[position..<position + length]))
    tokens.append(SwiftToken(text: text, line: line, isAdjacent: position == lastEnd && position > 0))
    skip(length)
    lastEnd = position
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if sees("/*") {
        depth += 1
        skip(2)
      } else if sees("*/") {
        depth -= 1
        skip(2)
      } else {
        skip()
      }
    } while depth > 0 && peek() != nil
  }

  /// Returns the number of `#` signs of a string literal that starts here; nil if there is no literal.
  private func hashesBeforeQuote() -> Int? {
    var hashes = 0
    while peek(hashes) == "#" { hashes += 1 }
    return peek(hashes) == "\"" ? hashes : nil
  }

  private mutating func readString(hashes: Int) {
    skip(hashes)
    let isMultiline = sees("\"\"\"")
    let quotes = isMultiline ? "\"\"\"" : "\""
    let signs = String(repeating: "#", count: hashes)
    skip(quotes.count)
    while let next = peek() {
      if sees(quotes + signs) {
        skip(quotes.count + hashes)
        return
      } else if sees("\\" + signs + "(") {
        skip(hashes + 2)
        readCode(isInterpolation: true)
      } else if sees("\\" + signs) {
        skip(hashes + 2)
      } else if next == "\n", !isMultiline {
        // The literal is not closed. It does not reach the next line.
        return
      } else {
        skip()
      }
    }
  }
}
