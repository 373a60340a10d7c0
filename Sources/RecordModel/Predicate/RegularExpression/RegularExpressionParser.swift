/// Parses a regular expression by recursive descent.
///
/// The unit is the character, as in Swift's `Regex`: a quantifier repeats a letter together with its combining marks.
struct RegularExpressionParser {
  /// The maximum nesting depth of groups. Swift's `Regex` does not accept deeper nesting, and its message does not name
  /// the limit.
  static let maximumDepth = 62
  /// The maximum number of character classes. They nest, and Swift's `Regex` recurses into them without a limit.
  static let maximumBracketCount = 100

  let characters: [Character]
  var position = 0
  private var depth = 0
  /// The inline options that apply at the position.
  var options = Options()

  /// The sets that nodes refer to by index.
  private(set) var sets: [ScalarSet] = []
  private var setIndices: [SetKey: Int] = [:]

  /// The inline options, such as `(?ims)`.
  struct Options {
    var ignoresCase = false
    var anchorsMatchLines = false
    var dotMatchesNewlines = false
  }

  private struct SetKey: Hashable {
    /// Bytes and not a string, because strings with different scalars can be equal.
    let source: [UInt8]
    let ignoresCase: Bool
  }

  init(_ text: String, ignoresCase: Bool) {
    characters = Array(text)
    options.ignoresCase = ignoresCase
  }

  mutating func parse() throws(RegularExpressionError) -> RegularExpressionNode {
    if characters.count(where: { $0 == "[" }) > Self.maximumBracketCount {
      throw RegularExpressionError(
        "invalid regular expression: it has more than \(Self.maximumBracketCount) brackets")
    }
    let node = try parseAlternatives()
    if peek() != nil { throw unclear(")") }
    return node
  }

  // MARK: Structure

  private mutating func parseAlternatives() throws(RegularExpressionError) -> RegularExpressionNode {
    var alternatives = [try parseSequence()]
    while skip("|") { alternatives.append(try parseSequence()) }
    return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
  }

  private mutating func parseSequence() throws(RegularExpressionError) -> RegularExpressionNode {
    var parts: [RegularExpressionNode] = []
    while let next = peek(), next != "|", next != ")" {
      guard let part = try parseAtom() else { continue }
      let repeated = part.isQuantifiable ? try parseQuantifier(of: part.node) : part.node
      if !repeated.isEmpty { parts.append(repeated) }
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  /// A parsed part, with a Boolean value that indicates whether a quantifier may follow it.
  struct Atom {
    var node: RegularExpressionNode
    var isQuantifiable = true
  }

  /// Parses an atom. Returns nil for a comment or a change of options, which match nothing.
  private mutating func parseAtom() throws(RegularExpressionError) -> Atom? {
    let start = position
    let next = try take()
    switch next {
    case "(": return try parseGroup()
    case "[": return Atom(node: .scalar(try parseClass(from: start)))
    case ".": return Atom(node: .scalar(options.dotMatchesNewlines ? .any : .anyButNewline))
    case "^":
      return Atom(
        node: .assertion(options.anchorsMatchLines ? .startOfLine : .start), isQuantifiable: false)
    case "$":
      return Atom(node: .assertion(options.anchorsMatchLines ? .endOfLine : .end), isQuantifiable: false)
    case "\\": return try parseEscape()
    case "*", "+", "?": throw unclear(String(next))
    case "{":
      position = start
      if try parseCount() != nil { throw unclear("{") }
      position = start + 1
      return Atom(node: literal("{"))
    default: return Atom(node: literal(next))
    }
  }

  /// Parses the contents of a group, after its opening, and the end of the group.
  mutating func parseGroupContents(
    _ options: Options? = nil
  ) throws(RegularExpressionError) -> RegularExpressionNode {
    depth += 1
    if depth > Self.maximumDepth {
      throw RegularExpressionError(
        "the groups of the regular expression are nested more than \(Self.maximumDepth) levels deep")
    }
    let enclosing = self.options
    if let options { self.options = options }
    let node = try parseAlternatives()
    guard skip(")") else { throw unclear("(") }
    self.options = enclosing
    depth -= 1
    return node
  }

  // MARK: Quantifiers

  private mutating func parseQuantifier(
    of node: RegularExpressionNode
  ) throws(RegularExpressionError) -> RegularExpressionNode {
    let start = position
    let bounds: (minimum: Int, maximum: Int?)
    switch peek() {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{":
      guard let count = try parseCount() else { return node }
      bounds = count
    default: return node
    }
    if position == start { position += 1 }
    if peek() == "+" {
      position += 1
      throw unsupported("the possessive quantifier", from: start)
    }
    // A lazy quantifier has no effect, because only whole texts are matched.
    _ = skip("?")
    if node.isEmpty { return node }
    return .repetition(node, minimum: bounds.minimum, maximum: bounds.maximum)
  }

  /// Parses `{2}`, `{2,}`, `{2,4}` or `{,4}`. Returns nil and reads nothing for any other text, which is literal.
  private mutating func parseCount() throws(RegularExpressionError) -> (minimum: Int, maximum: Int?)? {
    let start = position
    guard skip("{") else { return nil }
    let first = parseNumber()
    var bounds = (minimum: first ?? 0, maximum: first)
    if skip(",") {
      bounds.maximum = parseNumber()
      if first == nil, bounds.maximum == nil {
        position = start
        return nil
      }
    } else if first == nil {
      position = start
      return nil
    }
    guard skip("}") else {
      position = start
      return nil
    }
    // The limit of the program also applies to counts, because each repetition takes an instruction.
    let limit = RegularExpressionProgram.maximumInstructionCount
    guard max(bounds.minimum, bounds.maximum ?? 0) <= limit else {
      throw RegularExpressionError(
        "a count in the regular expression is greater than \(limit): '\(excerpt(from: start, closing: "}"))'",
        advice: "lower the count, or repeat without an upper limit")
    }
    if let maximum = bounds.maximum, maximum < bounds.minimum { throw unclear("{") }
    return bounds
  }

  /// Parses a number; returns `Int.max` if it does not fit an `Int`.
  private mutating func parseNumber() -> Int? {
    skipSpaces()
    let start = position
    while let next = peek(), next.isASCII, next.isWholeNumber { position += 1 }
    guard start < position else { return nil }
    let number = Int(String(characters[start..<position])) ?? .max
    skipSpaces()
    return number
  }

  private mutating func skipSpaces() { while peek() == " " || peek() == "\t" { position += 1 } }

  // MARK: Scalars

  /// Returns a node that matches the scalars of a character.
  func literal(_ character: Character) -> RegularExpressionNode {
    let scalars = Array(character.unicodeScalars)
    return scalars.count == 1
      ? .scalar(test(for: scalars[0])) : .sequence(scalars.map { .scalar(test(for: $0)) })
  }

  func test(for scalar: Unicode.Scalar) -> ScalarTest {
    options.ignoresCase && scalar.properties.isCased ? .lowercased(scalar.lowercased) : .scalar(scalar)
  }

  /// Parses a character class such as `[a-z&&[^b]]`, after its opening bracket at `start`.
  private mutating func parseClass(from start: Int) throws(RegularExpressionError) -> ScalarTest {
    var open = 1
    while open > 0 {
      guard let next = peek() else { throw unclear("[") }
      position += 1
      switch next {
      case "[": open += 1
      case "]": open -= 1
      case "\\":
        // A quote may contain literal brackets.
        let escape = position - 1
        if try take() == "Q" { throw unsupported("the quote in a character class", from: escape) }
      default: break
      }
    }
    return try set(text(from: start))
  }

  /// Returns a test for a set in the syntax of Swift's `Regex`.
  mutating func set(_ source: String) throws(RegularExpressionError) -> ScalarTest {
    let key = SetKey(source: Array(source.utf8), ignoresCase: options.ignoresCase)
    if let index = setIndices[key] { return .set(index) }
    do {
      sets.append(try ScalarSet(source, ignoresCase: options.ignoresCase))
    } catch {
      throw RegularExpressionError("invalid regular expression: \(error)", isSyntax: true)
    }
    setIndices[key] = sets.count - 1
    return .set(sets.count - 1)
  }

  // MARK: Helpers

  func peek() -> Character? { position < characters.count ? characters[position] : nil }

  mutating func take() throws(RegularExpressionError) -> Character {
    guard let next = peek() else { throw unclear("\\") }
    position += 1
    return next
  }

  mutating func skip(_ character: Character) -> Bool {
    guard peek() == character else { return false }
    position += 1
    return true
  }

  /// Returns the text from a position to the current position.
  func text(from start: Int) -> String { String(characters[start..<position]) }

  /// Returns the text from a position to the current position. After 40 characters it is truncated to `…` and the
  /// closing sign.
  private func excerpt(from start: Int, closing: String = "") -> String {
    let part = characters[start..<position]
    return part.count > 40 ? String(part.prefix(40)) + "…" + closing : String(part)
  }

  /// Returns the error for the construct since `start`, which cannot be matched in one pass over the text.
  func unsupported(_ kind: String, from start: Int) -> RegularExpressionError {
    RegularExpressionError(
      "\(kind) '\(excerpt(from: start))' is not supported",
      advice:
        "MATCHES runs in linear time and does not support look-around, backreferences or possessive quantifiers"
    )
  }

  /// Returns the error for an unknown part. Swift's `Regex` may have a more precise message.
  func unclear(_ part: String) -> RegularExpressionError {
    RegularExpressionError("'\(part)' is not supported here in a regular expression", isSyntax: true)
  }
}
