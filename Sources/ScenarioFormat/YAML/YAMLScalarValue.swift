/// The value of a scalar in the core schema of YAML 1.2: `no`, `off` and `2001-01-01` are strings, and `012` is twelve.
package enum YAMLScalarValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// An integer or a float as a JSON number in decimal notation, with the significant digits as written.
  case number(digits: String, isInteger: Bool)
  /// One of `.inf`, `-.inf` and `.nan`, which JSON cannot represent.
  case noNumber(String)
  /// An octal or hexadecimal integer beyond 64 bits.
  case tooLarge(String)
  case string(String)
}

extension YAMLScalarValue {
  /// The kind of the value with its article, as in messages.
  package var kindName: String {
    switch self {
    case .null: "nothing"
    case .boolean: "a boolean"
    case .number(_, let isInteger): isInteger ? "an integer" : "a number"
    case .noNumber, .tooLarge: "a number"
    case .string: "a string"
    }
  }
}

extension YAMLScalar {
  /// The value of the scalar by its tag, style and text. Linear in the length of the text.
  package var value: YAMLScalarValue {
    if let tag { return Self.value(of: text, tagged: tag) ?? .string(text) }
    return style == .plain ? YAMLScalarValue(plain: text) : .string(text)
  }

  /// Returns the value of a text with a tag; nil if the text is not valid for the tag.
  package static func value(of text: String, tagged tag: YAMLScalarTag) -> YAMLScalarValue? {
    if tag == .string { return .string(text) }
    let value = YAMLScalarValue(plain: text)
    switch (tag, value) {
    case (.null, .null), (.boolean, .boolean), (.float, .noNumber), (.integer, .tooLarge): return value
    case (.integer, .number(_, let isInteger)): return isInteger ? value : nil
    case (.float, .number(let digits, _)): return .number(digits: digits, isInteger: false)
    default: return nil
    }
  }
}

extension YAMLScalarValue {
  package init(plain text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true", "True", "TRUE": self = .boolean(true)
    case "false", "False", "FALSE": self = .boolean(false)
    default: self = Self.number(text) ?? .string(text)
    }
  }

  private static func number(_ text: String) -> YAMLScalarValue? {
    var rest = Substring(text)
    guard let first = rest.utf8.first, first <= UInt8(ascii: "9"), first >= UInt8(ascii: "+") else {
      return nil
    }
    if rest.hasPrefix("0o") { return integer(rest.dropFirst(2), radix: 8, written: text) }
    if rest.hasPrefix("0x") { return integer(rest.dropFirst(2), radix: 16, written: text) }

    let isNegative = first == UInt8(ascii: "-")
    if isNegative || first == UInt8(ascii: "+") { rest.removeFirst() }
    switch rest {
    case ".inf", ".Inf", ".INF": return .noNumber(text)
    case ".nan", ".NaN", ".NAN": return rest.startIndex == text.startIndex ? .noNumber(text) : nil
    default: return decimal(rest, isNegative: isNegative)
    }
  }

  private static func integer(_ digits: Substring, radix: Int, written: String) -> YAMLScalarValue? {
    guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      digits.allSatisfy({ $0.isASCII && ($0.hexDigitValue ?? radix) < radix })
    else { return nil }
    guard let value = UInt64(digits, radix: radix) else { return .tooLarge(written) }
    return .number(digits: String(value), isInteger: true)
  }

  /// Parses a decimal number without its sign, such as `12`, `012`, `1.5`, `.5`, `5.` or `1e3`, and converts it to the
  /// grammar of JSON.
  private static func decimal(_ text: Substring, isNegative: Bool) -> YAMLScalarValue? {
    var rest = text.utf8[...]
    func digits() -> Substring {
      let run = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      rest = rest[run.endIndex...]
      return Substring(run)
    }

    let whole = digits()
    var result = isNegative ? "-" : ""
    let significant = whole.drop { $0 == "0" }
    result += significant.isEmpty ? "0" : significant
    var isInteger = true
    var hasDigits = !whole.isEmpty
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = digits()
      hasDigits = hasDigits || !fraction.isEmpty
      isInteger = false
      result += "." + (fraction.isEmpty ? "0" : fraction)
    }
    guard hasDigits else { return nil }
    if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
      rest.removeFirst()
      isInteger = false
      result += mark == UInt8(ascii: "e") ? "e" : "E"
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        rest.removeFirst()
        result += sign == UInt8(ascii: "+") ? "+" : "-"
      }
      let exponent = digits()
      guard !exponent.isEmpty else { return nil }
      result += exponent
    }
    return rest.isEmpty ? .number(digits: result, isInteger: isInteger) : nil
  }
}
