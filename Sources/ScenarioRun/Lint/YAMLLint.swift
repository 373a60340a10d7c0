import ScenarioComparison
import ScenarioFormat

/// The search for values of a YAML file that other readers of YAML understand differently, or that are probably not what
/// the author means.
///
/// Other readers are those of YAML 1.1, which many tools still use.
struct YAMLLint {
  private var warnings: [AuthorDiagnostic] = []

  /// The number of warnings after which the search ends. A file with more is probably generated.
  private static let maximumWarnings = 1000

  /// Searches a file. Linear in the number of its values, with those that aliases stand for.
  static func warnings(in root: YAMLNode) -> [AuthorDiagnostic] {
    var lint = YAMLLint()
    var rest = [root]
    while lint.warnings.count < maximumWarnings, let node = rest.popLast() {
      switch node.content {
      case .scalar(let scalar): lint.check(scalar, at: node)
      // The last node is the next one.
      case .sequence(let elements): rest += elements.reversed()
      case .mapping(let pairs):
        for pair in pairs.reversed() {
          lint.checkKey(pair)
          // A step such as `save:` has no value.
          if !pair.value.isNull || StepKind(rawValue: pair.key)?.needsNoDetails != true {
            rest.append(pair.value)
          }
        }
      }
    }
    return lint.warnings.sortedByLocation()
  }

  private mutating func check(_ scalar: YAMLScalar, at node: YAMLNode) {
    guard scalar.style == .plain, scalar.tag == nil else { return }
    let text = scalar.text
    if text.isEmpty {
      warn(
        .yamlNull, "null", at: node.span, "the value is missing, so it is null",
        advice: Self.isFollowedByComment(node)
          ? "write the value in quotes, because ' #' begins a comment"
          : "write null, or \"\" for an empty string")
    } else if Self.booleans.contains(text.lowercased()) {
      warnOfBoolean(text, at: node.span, what: "string")
    } else if let other = Self.otherNumber(text) {
      warn(
        .yamlNumber, text, at: node.span,
        "'\(text)' is \(other.here) here, but \(other.elsewhere) in YAML 1.1",
        advice: other.advice)
    }
  }

  private mutating func checkKey(_ pair: YAMLPair) {
    let isQuoted = ["\"", "'"].contains(
      pair.value.file.bytes[pair.keyRange].first.map { Character(.init($0)) })
    if !isQuoted, Self.booleans.contains(pair.key.lowercased()) {
      warnOfBoolean(pair.key, at: pair.keySpan, what: "key")
    }
  }

  private mutating func warnOfBoolean(_ text: String, at span: SourceSpan, what: String) {
    let isTrue = ["yes", "on"].contains(text.lowercased())
    warn(
      .yamlBoolean, text, at: span,
      "'\(text)' is a \(what == "key" ? "string" : what) here, but a Boolean in YAML 1.1",
      advice: what == "key" ? "write \"\(text)\"" : "write \(isTrue), or \"\(text)\" for the string")
  }

  private mutating func warn(
    _ warning: AuthorDiagnostic.Warning, _ subject: String, at span: SourceSpan, _ message: String,
    advice: String
  ) {
    warnings.append(AuthorDiagnostic(warning, of: subject, at: span, message, advice: advice))
  }

  private static let booleans: Set = ["yes", "no", "on", "off"]

  private static func isFollowedByComment(_ node: YAMLNode) -> Bool {
    let bytes = node.file.bytes
    return bytes[min(node.range.upperBound, bytes.count)...].first { $0 != 0x20 && $0 != 0x09 }
      == UInt8(ascii: "#")
  }

  /// Returns the meanings of a text that is a number in YAML 1.1 or 1.2, but not the same in both.
  private static func otherNumber(_ text: String) -> (here: String, elsewhere: String, advice: String)? {
    guard text.utf8.count <= 40, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    // Regular expressions are compiled again for each value, so most values are excluded before.
    guard let first = digits.utf8.first, (0x30...0x39).contains(first),
      first == 0x30 || digits.utf8.contains(where: { "eE_:".utf8.contains($0) })
    else { return nil }
    if digits.wholeMatch(of: /0[0-9]+/) != nil {
      guard case .number(let number, _) = YAMLScalarValue(plain: text) else { return nil }
      let octal = digits.contains { $0 > "7" } ? "a string" : "an octal number"
      return ("the number \(number)", octal, "write \(number), or \"\(text)\" for the string")
    }
    if digits.wholeMatch(of: /[0-9]+[eE][0-9]+/) != nil {
      return ("a number", "a string", "write all digits, or \"\(text)\" for the string")
    }
    if digits.wholeMatch(of: /0o[0-7]+/) != nil {
      return ("a number", "a string", "write the number in decimal digits")
    }
    if digits.wholeMatch(of: /[0-9][0-9_]*_[0-9_]*(\.[0-9_]*)?/) != nil {
      return ("a string", "a number", "write the number without '_', or \"\(text)\" for the string")
    }
    if digits.wholeMatch(of: /0b[01_]+/) != nil {
      return ("a string", "a number", "write the number in decimal digits, or \"\(text)\" for the string")
    }
    if digits.wholeMatch(of: /[1-9][0-9]*(:[0-5]?[0-9])+(\.[0-9]*)?/) != nil {
      return ("a string", "a number in base 60", "write \"\(text)\"")
    }
    return nil
  }
}
