import Foundation
import JSONTree

extension PredicateParser {
  /// Parses one side of a comparison.
  ///
  /// - Parameter isOnRight: a Boolean value that indicates whether a plain word might be text without its quotes.
  mutating func parseOperand(isOnRight: Bool = false) throws(PredicateSyntaxError) -> PredicateOperand {
    switch current.kind {
    case .string(let text):
      advance()
      return .value(.string(text))
    case .number(let number):
      advance()
      return .value(.number(number))
    case .symbol("{"): return try parseList()
    case .symbol("("): return try parseParenthesised(isOnRight)
    case .word, .escapedKey, .collectionOperator:
      if isEndOfOperands { throw missingOperand() }
      return try parseWord(isOnRight)
    default: throw missingOperand()
    }
  }

  /// A Boolean value that indicates whether the current token cannot begin an operand, because it belongs to the text
  /// on its left.
  var isEndOfOperands: Bool {
    switch current.keyword {
    case .and, .or: true
    case let keyword?: keyword.comparison != nil && !canBeKey
    case nil:
      current.kind == .end || current.isSymbol(")") || current.isSymbol("&&") || current.isSymbol("||")
    }
  }

  /// A Boolean value that indicates whether a keyword might be meant as a key, because an operator follows it.
  private var canBeKey: Bool {
    switch following.kind {
    case .symbol("("), .symbol("{"), .symbol("!"), .brackets: false
    case .symbol: true
    default: following.keyword?.comparison != nil
    }
  }

  private mutating func parseWord(_ isOnRight: Bool) throws(PredicateSyntaxError) -> PredicateOperand {
    switch current.keyword {
    case .yes, .true: return literal(.boolean(true))
    case .no, .false: return literal(.boolean(false))
    case .nil, .null: return literal(.null)
    case .cast: return try parseCast()
    case nil, .itself:
      if case .word = current.kind, following.isSymbol("("),
        following.range.lowerBound == current.range.upperBound
      {
        throw error(
          current.range, "'\(source(current))' looks like a function, and predicates do not support functions"
        )
      }
      return try parseKeyPath(isOnRight)
    default:
      throw error(
        current.range, "expected a key path or a value, found \(source(current))",
        "'\(source(current))' is a reserved word; for a key with this name, write #\(source(current))")
    }
  }

  private mutating func literal(_ value: PredicateValue) -> PredicateOperand {
    advance()
    return .value(value)
  }

  // MARK: Key paths

  private mutating func parseKeyPath(_ isOnRight: Bool) throws(PredicateSyntaxError) -> PredicateOperand {
    let start = current
    var keys: [String] = []
    if start.keyword == .itself { advance() } else { keys.append(try parseKey()) }
    while current.isSymbol(".") {
      if let last = keys.last, ["@count", "@key", "@index"].contains(last) {
        throw error(tokens[position - 1].range, "'\(last)' must be the last part of a key path")
      }
      advance()
      let key = try parseKey()
      if let place = MappingPath.Place(rawValue: key),
        keys.contains(where: { $0 != "@parent" }) || [.root, .request].contains(place)
      {
        throw error(tokens[position - 1].range, "'\(key)' must be at the start of a key path")
      }
      keys.append(key)
    }
    let range = start.range.lowerBound..<endOfLast
    let isPlainWord = if case .word = start.kind { keys.count == 1 } else { false }
    keyPaths.append(
      PredicateKeyPath(keys: keys, range: range, mayBeUnquotedText: isOnRight && isPlainWord))
    return .keyPath(keys)
  }

  /// Parses a key. Any word is a key here, including keywords.
  private mutating func parseKey() throws(PredicateSyntaxError) -> String {
    switch current.kind {
    case .word(let key), .escapedKey(let key), .collectionOperator(let key):
      advance()
      return key
    case .end: throw error(current.range, "expected a key after '.'")
    default:
      throw error(
        current.range, "expected a key after '.', found \(source(current))",
        "write a key with special characters as #\"odd-key\"")
    }
  }

  // MARK: Composed values

  /// Parses an operand in parentheses, such as `("text")`.
  private mutating func parseParenthesised(_ isOnRight: Bool) throws(PredicateSyntaxError) -> PredicateOperand
  {
    let start = current
    try descend()
    advance()
    let inner = try parseOperand(isOnRight: isOnRight)
    guard current.isSymbol(")") else { throw missingParenthesis(start) }
    advance()
    depth -= 1
    return inner
  }

  private mutating func parseList() throws(PredicateSyntaxError) -> PredicateOperand {
    let start = current
    try descend()
    advance()
    var elements: [PredicateOperand] = []
    if !current.isSymbol("}") {
      while true {
        let element = current
        if element.isSymbol("{") { throw error(element.range, "a list cannot contain a list") }
        if element.isSymbol("}") || element.isSymbol(",") {
          throw error(element.range, "expected a value, found \(source(element))")
        }
        if element.kind == .end { throw error(start.range, "missing '}' at the end of the list") }
        elements.append(try parseOperand(isOnRight: true))
        guard current.isSymbol(",") else { break }
        advance()
      }
    }
    guard current.isSymbol("}") else {
      if current.kind == .end { throw error(start.range, "missing '}' at the end of the list") }
      throw error(current.range, "expected ',' or '}', found \(source(current))")
    }
    advance()
    depth -= 1
    return .list(elements)
  }

  /// Parses `CAST("2000-01-01T00:00:00Z", "NSDate")`. The first argument may also be the number of seconds since
  /// 2001-01-01T00:00:00Z.
  private mutating func parseCast() throws(PredicateSyntaxError) -> PredicateOperand {
    let form = "CAST(\"2000-01-01T00:00:00Z\", \"NSDate\")"
    advance()
    try expect("(", "write \(form)")
    let value = current
    let date: Date? =
      switch value.kind {
      case .string(let text): predicateDate(text)
      case .number(let number): number.doubleValue.map(Date.init(timeIntervalSinceReferenceDate:))
      default: nil
      }
    guard let date else {
      throw error(
        value.range, "expected a date as a string, found \(source(value))",
        "write RFC 3339, \"2000-01-01T00:00:00Z\"")
    }
    advance()
    try expect(",", "write \(form)")
    guard case .string("NSDate") = current.kind else {
      throw error(
        current.range, "expected \"NSDate\", found \(source(current))", "CAST only converts to dates: \(form)"
      )
    }
    advance()
    try expect(")", "write \(form)")
    return .value(.date(date))
  }

  private mutating func expect(_ symbol: String, _ advice: String) throws(PredicateSyntaxError) {
    guard current.isSymbol(symbol) else {
      throw error(current.range, "expected '\(symbol)', found \(source(current))", advice)
    }
    advance()
  }
}
