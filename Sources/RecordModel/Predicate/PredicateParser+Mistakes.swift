/// The errors of the parser.
extension PredicateParser {
  func error(_ range: Range<Int>, _ message: String, _ advice: String? = nil) -> PredicateSyntaxError {
    PredicateSyntaxError(range: range, message: message, advice: advice)
  }

  /// Returns the original text, truncated after 40 characters.
  func source(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range].prefix(40))
    return String(view) + (range.count > 40 ? "…" : "")
  }

  func source(_ token: PredicateToken) -> String { token.kind == .end ? "the end" : source(token.range) }

  func missingParenthesis(_ opening: PredicateToken) -> PredicateSyntaxError {
    if current.kind == .end { return error(opening.range, "missing ')' for '('") }
    return error(current.range, "expected ')', found \(source(current))")
  }

  /// Returns the error for a missing side of a comparison.
  func missingOperand() -> PredicateSyntaxError {
    let found = source(current)
    guard let before = wordBefore, !before.isSymbol("(") else {
      if position > 0, current.isSymbol(")") { return error(current.range, "the parentheses are empty") }
      return missingLeft() ?? error(current.range, "expected a key path or a value, found \(found)")
    }
    let isWord = current.keyword?.comparison != nil
    if Self.joins.contains(before.kind) || before.keyword.map(Self.joiningWords.contains) == true,
      isWord || !isEndOfOperands, let error = missingLeft()
    {
      return error
    }
    if isEndOfOperands {
      return error(
        before.range, "missing operand after '\(source(before))'",
        isWord ? "'\(found)' is a reserved word; write a string in quotes" : nil)
    }
    return error(
      current.range, "expected a key path or a value, found \(found)",
      current.isSymbol(".") ? "write a digit before the decimal point, such as 0.5" : nil)
  }

  private static let joins: [PredicateToken.Kind] = [.symbol("&&"), .symbol("||"), .symbol("!")]
  private static let joiningWords: [PredicateKeyword] = [.and, .or, .not]

  private func missingLeft() -> PredicateSyntaxError? {
    guard current.kind != .end, currentOperator != nil || isEndOfOperands else { return nil }
    return error(current.range, "missing operand before '\(source(current))'")
  }

  /// The last token that was read, without options.
  private var wordBefore: PredicateToken? {
    let read = tokens[..<position].last
    if case .brackets = read?.kind { return tokens[..<(position - 1)].last }
    return read
  }

  /// Returns the error for a key path or value that no comparison follows. The current token is the one after it.
  func noComparison(of operand: PredicateOperand, _ range: Range<Int>) -> PredicateSyntaxError {
    let left = source(range)
    switch current.kind {
    case _ where isEndOfOperands:
      let advice =
        if case .keyPath = operand { "to test a Boolean, write \(left) == YES" } else { nil as String? }
      return error(range, "missing comparison after \(left)", advice)
    case .word(let word): return noComparison(left, word)
    case .symbol("!"): return error(current.range, "'!' is not a comparison operator", "did you mean '!='?")
    case .symbol("-"), .symbol("+"), .symbol("*"), .symbol("/"):
      let sign = source(current)
      // A minus before a digit starts a number, so `a -1` is another case, but `a - 1` arrives here.
      let isOneWord =
        current.range.lowerBound == range.upperBound && current.range.upperBound == following.range.lowerBound
      return error(
        current.range, "'\(sign)' is not a comparison operator, and predicates do not support arithmetic",
        isOneWord ? "if this is one key, write #\"\(left)\(sign)\(source(following))\"" : nil)
    case .number where source(current).hasPrefix("-"):
      return error(
        current.range, "expected a comparison, found \(source(current)); predicates do not support arithmetic"
      )
    case .brackets:
      return error(
        current.range, "unexpected '\(source(current))'",
        "write options after the operator: name ==[c] 'ada'; use ANY or ALL for a to-many relationship")
    default:
      return error(current.range, "expected a comparison after \(left), found \(source(current))")
    }
  }

  private func noComparison(_ left: String, _ word: String) -> PredicateSyntaxError {
    if word.uppercased() == "IS" {
      let isNot = following.keyword == .not
      let right = tokens[min(position + (isNot ? 2 : 1), tokens.count - 1)]
      let isValue =
        switch right.kind {
        case .string, .number: true
        default: right.keyword?.isBoolean == true
        }
      let value = isValue ? source(right) : "nil"
      return error(
        current.range, "'\(word)' is not a comparison operator",
        "write \(left) \(isNot ? "!=" : "==") \(value)")
    }
    if current.keyword == .not {
      return error(
        current.range, "'\(word)' must come before the whole comparison",
        "write NOT \(left) \(following.kind == .end ? "== …" : source(following) + " …")")
    }
    let near =
      Self.otherOperators[word.uppercased()] ?? nearestName(to: word, among: PredicateKeyword.comparisons)
    return error(
      current.range, "'\(word)' is not a comparison operator", near.map { "did you mean '\($0)'?" })
  }

  /// The names of operators in other languages, for suggestions.
  private static let otherOperators = [
    "STARTSWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH", "PREFIX": "BEGINSWITH", "HASSUFFIX": "ENDSWITH",
    "SUFFIX": "ENDSWITH", "INCLUDES": "CONTAINS", "HAS": "CONTAINS", "REGEX": "MATCHES", "RLIKE": "MATCHES",
    "EQ": "==", "EQUALS": "==", "NE": "!=", "LT": "<", "LTE": "<=", "LE": "<=", "GT": ">", "GTE": ">=",
    "GE": ">=",
  ]

  /// Returns the error for the current token, which follows a complete predicate.
  func unexpectedEnd() -> PredicateSyntaxError {
    let found = source(current)
    if current.isSymbol(")") { return error(current.range, "missing '(' for ')'") }
    if currentOperator != nil {
      return error(
        current.range, "comparisons cannot be chained", "write two comparisons, 1 < a AND a < 5")
    }
    let advice: String?
    switch current.kind {
    case .word(let word):
      if let near = nearestName(to: word, among: ["AND", "OR"]) {
        advice = "did you mean '\(near)'?"
      } else if let last = keyPaths.last, last.mayBeUnquotedText, last.range.upperBound == endOfLast {
        advice = "write a string in quotes: '\(source(last.range.lowerBound..<current.range.upperBound))'"
      } else {
        advice = nil
      }
    case .symbol("-"), .symbol("+"), .symbol("*"), .symbol("/"):
      advice = "predicates do not support arithmetic; write a string in quotes"
    case .number where found.hasPrefix("-"): advice = "predicates do not support arithmetic"
    case .symbol(","): advice = "join conditions with AND or OR"
    default: advice = nil
    }
    return error(current.range, "expected AND, OR or the end, found \(found)", advice)
  }
}
