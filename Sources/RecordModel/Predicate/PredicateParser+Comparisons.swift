extension PredicateParser {
  /// The comparison operator that the current token represents.
  var currentOperator: PredicateOperator? {
    switch current.kind {
    case .symbol("="): .equal
    case .symbol("<>"): .notEqual
    case .symbol("=<"): .lessOrEqual
    case .symbol("=>"): .greaterOrEqual
    case .symbol(let symbol): PredicateOperator(rawValue: symbol)
    default: current.keyword?.comparison
    }
  }

  /// Parses a comparison from its operator on.
  mutating func parseComparison(
    _ modifier: PredicateComparison.Modifier, _ left: PredicateOperand
  ) throws(PredicateSyntaxError) -> PredicateComparison {
    guard let `operator` = currentOperator else { throw noComparison(of: left, current.range) }
    let word = current
    advance()
    let options = try parseOptions(of: word, `operator`)
    let right =
      switch `operator` {
      case .like, .matches: try parsePattern(of: word, options)
      case .in: try parseCollection(of: word)
      case .between: try parseBounds(of: word)
      default: try parseSingleValue(of: word, `operator`)
      }
    return PredicateComparison(
      modifier: modifier, left: left, operator: `operator`, options: options, right: right)
  }

  private mutating func parseOptions(
    of word: PredicateToken, _ operator: PredicateOperator
  ) throws(PredicateSyntaxError) -> PredicateTextOptions {
    guard case .brackets(let letters) = current.kind else { return [] }
    let range = current.range
    var options: PredicateTextOptions = []
    for letter in letters.unicodeScalars {
      switch letter {
      case "c", "C": options.insert(.caseInsensitive)
      case "d", "D": options.insert(.diacriticInsensitive)
      default: options = []
      }
      if options.isEmpty { break }
    }
    if options.isEmpty {
      throw error(
        range, "unknown option '[\(letters)]'", "[c] ignores case, [d] ignores diacritics, [cd] ignores both")
    }
    if `operator` == .between { throw error(range, "'\(source(word))' takes no options") }
    advance()
    return options
  }

  // MARK: Right sides

  private mutating func parseSingleValue(
    of word: PredicateToken, _ operator: PredicateOperator
  ) throws(PredicateSyntaxError) -> PredicateOperand {
    let start = current
    let right = try parseOperand(isOnRight: true)
    let range = start.range.lowerBound..<endOfLast
    switch (`operator`, right) {
    case (_, .list):
      let advice =
        `operator` == .contains
        ? "to match any of several values, write ANY … IN \(source(range))"
        : "to match one of several values, write IN"
      throw error(range, "'\(source(word))' expects one value, found a list", advice)
    case (.beginsWith, .value(let value)), (.endsWith, .value(let value)):
      if case .string = value { return right }
      throw error(
        range, "'\(source(word))' expects a string, found \(source(range))",
        "write it in quotes, '\(source(range))'")
    default: return right
    }
  }

  private mutating func parsePattern(
    of word: PredicateToken, _ options: PredicateTextOptions
  ) throws(PredicateSyntaxError) -> PredicateOperand {
    let start = current
    guard case .string(let pattern) = start.kind else {
      if isEndOfOperands { throw missingOperand() }
      let range = rangeWithoutSpace
      throw error(
        range, "'\(source(word))' expects a string in quotes, found \(source(range))",
        "write '\(source(range))'")
    }
    if word.keyword == .matches {
      do {
        _ = try PredicatePattern(expression: pattern, options)
      } catch {
        throw self.error(start.range, error.message, error.advice)
      }
    }
    advance()
    return .value(.string(pattern))
  }

  /// The range of the current token and the tokens that follow without space, for example `foo*`.
  private var rangeWithoutSpace: Range<Int> {
    var end = current.range.upperBound
    for token in tokens[position...].dropFirst() where token.range.lowerBound == end && !token.isSymbol(")") {
      end = token.range.upperBound
    }
    return current.range.lowerBound..<end
  }

  private mutating func parseCollection(of word: PredicateToken) throws(PredicateSyntaxError)
    -> PredicateOperand
  {
    let start = current
    if start.isSymbol("(") {
      throw error(start.range, "'\(source(word))' expects a list in braces", "write IN {'a', 'b'}")
    }
    let right = try parseOperand(isOnRight: true)
    switch right {
    case .list, .keyPath, .value(.string): return right
    case .value:
      let range = start.range.lowerBound..<endOfLast
      throw error(
        range, "'\(source(word))' expects a list, a to-many relationship or a string, found \(source(range))",
        "write IN {\(source(range))}")
    }
  }

  private mutating func parseBounds(of word: PredicateToken) throws(PredicateSyntaxError) -> PredicateOperand
  {
    let start = current
    let right = try parseOperand(isOnRight: true)
    let range = start.range.lowerBound..<endOfLast
    guard case .list(let bounds) = right else {
      let isSQL = current.keyword == .and && following.kind != .end
      throw error(
        range, "'\(source(word))' expects two values in braces, found \(source(range))",
        isSQL
          ? "write BETWEEN {\(source(range)), \(source(following))}" : "write BETWEEN {1, 10}")
    }
    if bounds.count != 2 {
      throw error(
        range, "'\(source(word))' expects two values, found \(bounds.count)", "write BETWEEN {1, 10}")
    }
    return right
  }
}
