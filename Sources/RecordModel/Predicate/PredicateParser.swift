/// Parses a predicate by recursive descent. The nesting depth is limited, so that no text exhausts the stack.
/// Rule: `predicate.logic`.
struct PredicateParser {
  /// The maximum nesting depth of parentheses, `NOT` and braces together.
  static let maximumDepth = 64

  let scalars: [Unicode.Scalar]
  let tokens: [PredicateToken]
  var position = 0
  var depth = 0
  /// The key paths that were read, in the order of the text.
  var keyPaths: [PredicateKeyPath] = []

  /// The result of parsing a part between logical operators. A parenthesis may contain either kind, which only the
  /// token after it decides.
  enum Unit {
    case predicate(PredicateTree)
    case operand(PredicateOperand, Range<Int>)
  }

  init(_ text: String) throws(PredicateSyntaxError) {
    scalars = Array(text.unicodeScalars)
    tokens = try PredicateLexer.tokens(of: scalars)
  }

  mutating func parse() throws(PredicateSyntaxError) -> PredicateTree {
    if current.kind == .end {
      throw error(current.range, "the predicate is empty", "TRUEPREDICATE matches everything")
    }
    let unit = try parseOr()
    let tree = try predicate(unit)
    if current.kind != .end { throw unexpectedEnd() }
    return tree
  }

  // MARK: Logic

  private mutating func parseOr() throws(PredicateSyntaxError) -> Unit {
    let first = try parseAnd()
    guard isOr else { return first }
    var parts = [try predicate(first)]
    while isOr {
      advance()
      let next = try parseAnd()
      parts.append(try predicate(next))
    }
    return .predicate(.or(parts))
  }

  private mutating func parseAnd() throws(PredicateSyntaxError) -> Unit {
    let first = try parseNot()
    guard isAnd else { return first }
    var parts = [try predicate(first)]
    while isAnd {
      advance()
      let next = try parseNot()
      parts.append(try predicate(next))
    }
    return .predicate(.and(parts))
  }

  private var isOr: Bool { current.keyword == .or || current.isSymbol("||") }
  private var isAnd: Bool { current.keyword == .and || current.isSymbol("&&") }

  private mutating func parseNot() throws(PredicateSyntaxError) -> Unit {
    guard current.keyword == .not || current.isSymbol("!") else { return try parseUnit() }
    try descend()
    advance()
    let unit = try parseNot()
    let part = try predicate(unit)
    depth -= 1
    return .predicate(.not(part))
  }

  private mutating func parseUnit() throws(PredicateSyntaxError) -> Unit {
    let start = current
    switch start.keyword {
    case .truePredicate, .falsePredicate:
      advance()
      return .predicate(.constant(start.keyword == .truePredicate))
    case .any, .someOf: return try parseAggregate(.any)
    case .all: return try parseAggregate(.all)
    case .noneOf: return try parseAggregate(.any, isNegated: true)
    default: break
    }
    guard start.isSymbol("(") else {
      let left = try parseOperand()
      return try parseComparison(of: left, start.range.lowerBound..<endOfLast)
    }
    try descend()
    advance()
    let inner = try parseOr()
    guard current.isSymbol(")") else {
      if case .operand(let operand, let range) = inner { throw noComparison(of: operand, range) }
      throw missingParenthesis(start)
    }
    advance()
    depth -= 1
    guard case .operand(let operand, _) = inner else { return inner }
    return try parseComparison(of: operand, start.range.lowerBound..<endOfLast)
  }

  /// Parses the comparison that starts with the operand. Returns the operand if no comparison follows.
  private mutating func parseComparison(
    of left: PredicateOperand, _ range: Range<Int>
  ) throws(PredicateSyntaxError) -> Unit {
    guard currentOperator != nil else { return .operand(left, range) }
    return .predicate(.comparison(try parseComparison(.direct, left)))
  }

  /// Parses a comparison with a modifier, such as `ANY tags.text == "a"`.
  private mutating func parseAggregate(
    _ modifier: PredicateComparison.Modifier, isNegated: Bool = false
  ) throws(PredicateSyntaxError) -> Unit {
    let word = current
    advance()
    let start = current
    if start.isSymbol("(") {
      throw error(
        word.range, "'\(source(word))' must come before a comparison, not before a parenthesis",
        "write it before each comparison, \(source(word)) tags.text == 'a'")
    }
    if currentOperator != nil {
      throw error(
        word.range, "missing key path after '\(source(word))'",
        "for a key with this name, write #\(source(word))")
    }
    let left = try parseOperand()
    let range = start.range.lowerBound..<endOfLast
    guard case .keyPath(let keys) = left, !keys.isEmpty else {
      throw error(
        range, "'\(source(word))' expects the key path of a to-many relationship, found '\(source(range))'",
        "write the key path on the left, \(source(word)) tags.text == 'a'")
    }
    guard currentOperator != nil else { throw noComparison(of: left, range) }
    let comparison = PredicateTree.comparison(try parseComparison(modifier, left))
    return .predicate(isNegated ? .not(comparison) : comparison)
  }

  // MARK: Helpers

  var current: PredicateToken { tokens[position] }
  /// The token after the current one. The end is followed by itself.
  var following: PredicateToken { tokens[min(position + 1, tokens.count - 1)] }
  /// The end of the last token that was read.
  var endOfLast: Int { position > 0 ? tokens[position - 1].range.upperBound : 0 }

  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  mutating func descend() throws(PredicateSyntaxError) {
    depth += 1
    if depth > Self.maximumDepth {
      throw error(current.range, "the predicate is nested more than \(Self.maximumDepth) levels deep")
    }
  }

  /// Returns the unit before the current token as a predicate; throws if it is an operand.
  private func predicate(_ unit: Unit) throws(PredicateSyntaxError) -> PredicateTree {
    switch unit {
    case .predicate(let tree): return tree
    case .operand(let operand, let range): throw noComparison(of: operand, range)
    }
  }
}
