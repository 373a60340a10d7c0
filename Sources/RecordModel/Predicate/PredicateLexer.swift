import JSONTree

/// A token of a predicate with its position.
struct PredicateToken {
  enum Kind: Equatable {
    /// A key or a keyword.
    case word(String)
    /// A key after a `#`, which may be any text.
    case escapedKey(String)
    /// `@count`, including the `@`.
    case collectionOperator(String)
    case string(String)
    case number(JSONNumber)
    /// An operator or a punctuation mark.
    case symbol(String)
    /// `[cd]`, without the brackets.
    case brackets(String)
    case end
  }

  let kind: Kind
  /// The position of the token, in Unicode scalars.
  let range: Range<Int>

  var keyword: PredicateKeyword? {
    if case .word(let word) = kind { PredicateKeyword(word) } else { nil }
  }

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }
}

/// Splits the text of a predicate into tokens. The last token is the end.
struct PredicateLexer {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  static func tokens(of scalars: [Unicode.Scalar]) throws(PredicateSyntaxError) -> [PredicateToken] {
    var lexer = PredicateLexer(scalars: scalars)
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  /// Returns whether the text is one word, as required for a key without `#`.
  static func isWord(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, startsWord(first) else { return false }
    return text.unicodeScalars.dropFirst().allSatisfy(continuesWord)
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private mutating func next() throws(PredicateSyntaxError) -> PredicateToken {
    while let next = peek(), next.properties.isWhitespace { position += 1 }
    let start = position
    guard let first = peek() else { return PredicateToken(kind: .end, range: start..<start) }
    let kind: PredicateToken.Kind
    switch first {
    case "\"", "'": kind = .string(try string())
    case "#": kind = .escapedKey(try escapedKey())
    case "@": kind = .collectionOperator(try collectionOperator())
    case "[": kind = .brackets(try brackets())
    case "0"..."9": kind = .number(try number())
    case "-" where peek(1).map(Self.isDigit) == true: kind = .number(try number())
    case let scalar where Self.startsWord(scalar): kind = .word(word())
    default: kind = .symbol(try symbol())
    }
    return PredicateToken(kind: kind, range: start..<position)
  }

  // MARK: Kinds of tokens

  private mutating func word() -> String {
    let start = position
    while let next = peek(), Self.continuesWord(next) { position += 1 }
    return text(start..<position)
  }

  private mutating func escapedKey() throws(PredicateSyntaxError) -> String {
    let start = position
    position += 1
    guard let next = peek(), next == "\"" || next == "'" || Self.startsWord(next) else {
      throw error(start..<position, "expected a key after '#'", "write '#any' or '#\"odd key\"'")
    }
    guard next == "\"" || next == "'" else { return word() }
    let key = try string()
    if key == "@count" || MappingPath.Place(rawValue: key) != nil {
      throw error(start..<position, "a predicate cannot use a key named '\(key)'")
    }
    return key
  }

  private mutating func collectionOperator() throws(PredicateSyntaxError) -> String {
    let start = position
    position += 1
    if let next = peek(), next == "\"" || next == "'" {
      throw error(start..<position, "unexpected '@' before the string", "remove the '@'")
    }
    let name = "@" + word()
    let operators = ["@count"] + MappingPath.Place.allCases.map(\.rawValue)
    if operators.contains(name) { return name }
    if let near = nearestName(to: name, among: operators) {
      throw error(start..<position, "unknown operator '\(name)'", "did you mean '\(near)'?")
    }
    while let next = peek(), next == "." || Self.continuesWord(next) { position += 1 }
    let key = text(start..<position)
    throw error(
      start..<position, "unknown operator '\(name)'", "for a key with this name, write #\"\(key)\"")
  }

  private mutating func brackets() throws(PredicateSyntaxError) -> String {
    let start = position
    while let next = peek(), next != "]" { position += 1 }
    guard peek() != nil else { throw error(start..<start + 1, "missing ']' for '['") }
    position += 1
    return text(start + 1..<position - 1)
  }

  private mutating func number() throws(PredicateSyntaxError) -> JSONNumber {
    let start = position
    // All adjacent characters are consumed first, so that `12abc` and `1.2.3` are reported as one invalid number.
    while let next = peek() {
      let isSign =
        (next == "-" || next == "+") && position > start
        && "eE".unicodeScalars.contains(scalars[position - 1])
      guard position == start || isSign || next == "." || Self.continuesWord(next) else { break }
      position += 1
    }
    let digits = text(start..<position)
    guard let number = JSONNumber(digits: digits) else {
      throw error(
        start..<position, "'\(digits)' is not a number",
        "write numbers like 12, -1.5 or 2e3, and strings in quotes"
      )
    }
    return number
  }

  private mutating func string() throws(PredicateSyntaxError) -> String {
    let start = position
    let quote = scalars[start]
    var view = String.UnicodeScalarView()
    position += 1
    while let next = peek(), next != quote {
      view.append(next == "\\" ? try escape() : next)
      position += 1
    }
    guard peek() != nil else {
      throw error(
        start..<start + 1, "missing closing quote",
        "close the string with \(quote); inside the string, write \\\(quote)")
    }
    position += 1
    return String(view)
  }

  /// Returns the character that the escape at the position represents, and moves to the last character of the escape.
  private mutating func escape() throws(PredicateSyntaxError) -> Unicode.Scalar {
    let start = position
    position += 1
    switch peek() {
    case let scalar? where "\\\"'".unicodeScalars.contains(scalar): return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let digits = scalars.dropFirst(position + 1).prefix(4)
      if digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
        let scalar = UInt32(text(digits.indices), radix: 16).flatMap(Unicode.Scalar.init)
      {
        position += 4
        return scalar
      }
      throw error(start..<start + 2, "expected four hexadecimal digits after '\\u'")
    case let scalar?:
      throw error(start..<position + 1, "unknown escape '\\\(scalar)'", "write '\\\\' for a backslash")
    case nil:
      throw error(start..<position, "the string ends within an escape")
    }
  }

  private mutating func symbol() throws(PredicateSyntaxError) -> String {
    switch (scalars[position], peek(1)) {
    case ("=", "="), ("=", "<"), ("=", ">"), ("!", "="), ("<", ">"), ("<", "="), (">", "="), ("&", "&"),
      ("|", "|"):
      position += 2
      return text(position - 2..<position)
    case ("=", _), ("!", _), ("<", _), (">", _), ("(", _), (")", _), ("{", _), ("}", _), (",", _), (".", _),
      ("+", _), ("-", _), ("*", _), ("/", _):
      position += 1
      return text(position - 1..<position)
    default: throw strangeSymbol()
    }
  }

  private mutating func strangeSymbol() -> PredicateSyntaxError {
    let start = position
    position += 1
    switch scalars[start] {
    case "%":
      while let next = peek(), next == "@" || Self.continuesWord(next) { position += 1 }
      let placeholder = text(start..<position)
      let isKey = placeholder == "%K"
      return error(
        start..<position, "'\(placeholder)' is a placeholder without an argument",
        isKey ? "write the key itself, 'user.name'" : "write the value itself, 'Ada' in quotes, 7 or nil")
    case "$":
      while let next = peek(), Self.continuesWord(next) { position += 1 }
      let name = text(start..<position)
      return error(
        start..<position, "'\(name)' is a variable without a value",
        "write the value itself; for a key with this name, write #\"\(name)\"")
    case "&", "|":
      let double = "\(scalars[start])\(scalars[start])"
      return error(start..<position, "unexpected '\(scalars[start])'", "did you mean '\(double)'?")
    case "“", "”", "„", "‘", "’", "«", "»":
      return error(
        start..<position, "'\(scalars[start])' is a typographic quote", "use straight quotes, ' or \"")
    case "~":
      return error(
        start..<position, "unexpected '~'", "write MATCHES to compare with a regular expression")
    default:
      return error(start..<position, "unexpected '\(scalars[start])'")
    }
  }

  // MARK: Helpers

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  private func error(_ range: Range<Int>, _ message: String, _ advice: String? = nil) -> PredicateSyntaxError
  {
    PredicateSyntaxError(range: range, message: message, advice: advice)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func startsWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDStart
  }

  private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isXIDContinue }
}
