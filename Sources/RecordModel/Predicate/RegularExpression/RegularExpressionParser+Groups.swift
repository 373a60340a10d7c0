extension RegularExpressionParser {
  /// Parses a group, a comment or a change of options, after the opening parenthesis. Returns nil for a comment or a
  /// change of options.
  mutating func parseGroup() throws(RegularExpressionError) -> Atom? {
    let start = position - 1
    if skip("*") { throw unsupported("the group", from: start) }
    guard skip("?") else { return Atom(node: try parseGroupContents()) }
    switch peek() {
    case ":":
      position += 1
      return Atom(node: try parseGroupContents())
    case "#":
      while try take() != ")" {}
      return nil
    case "P", "<", "'": return try parseNamedGroup(from: start)
    case "=", "!": throw lookAround(from: start)
    case ">":
      position += 1
      throw unsupported("the atomic group", from: start)
    default: return try parseOptions(from: start)
    }
  }

  private mutating func lookAround(from start: Int) -> RegularExpressionError {
    position += 1
    return unsupported("the look-around", from: start)
  }

  /// Parses `(?<name>…)`, `(?P<name>…)` or `(?'name'…)`. The name is not used.
  private mutating func parseNamedGroup(from start: Int) throws(RegularExpressionError) -> Atom {
    if skip("P"), peek() != "<" {
      position = min(position + 1, characters.count)
      throw unsupported("the backreference", from: start)
    }
    let close: Character = skip("'") ? "'" : ">"
    if close == ">" {
      _ = skip("<")
      if peek() == "=" || peek() == "!" { throw lookAround(from: start) }
    }
    while let next = peek(), next.isLetter || next.isNumber || next == "_" { position += 1 }
    guard skip(close) else {
      position = min(position + 1, characters.count)
      throw unclear(text(from: start))
    }
    return Atom(node: try parseGroupContents())
  }

  /// Parses `(?i)`, which applies to the end of the enclosing group, or `(?i:…)`.
  private mutating func parseOptions(from start: Int) throws(RegularExpressionError) -> Atom? {
    var changed = options
    var isOn = true
    while true {
      switch try take() {
      case "i": changed.ignoresCase = isOn
      case "m": changed.anchorsMatchLines = isOn
      case "s": changed.dotMatchesNewlines = isOn
      case "-": isOn = false
      case ":": return Atom(node: try parseGroupContents(changed))
      case ")":
        options = changed
        return nil
      default:
        let message = "'\(text(from: start))' is not supported in a regular expression"
        throw RegularExpressionError(message, advice: "use the options i, m and s")
      }
    }
  }
}
