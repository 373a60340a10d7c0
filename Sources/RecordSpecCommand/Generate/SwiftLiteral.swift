import JSONTree
import RecordModel

/// The literals of generated Swift code.
enum SwiftLiteral {
  /// Returns a string literal. Characters that are not visible are escaped.
  static func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": literal += "\\\\"
      case "\"": literal += "\\\""
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        // A mark at the start would combine with the quotation mark.
        if isVisible(scalar), literal != "\"" || !isMark(scalar) {
          literal.unicodeScalars.append(scalar)
        } else {
          literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
      }
    }
    return literal + "\""
  }

  /// Returns a Boolean value that indicates whether a character looks like itself in source code.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [.nonspacingMark, .enclosingMark, .spacingMark].contains(scalar.properties.generalCategory)
  }

  /// Returns an integer literal. Digits are grouped as `swift format` does, from seven digits on.
  static func integer(_ value: Int64) -> String {
    let digits = String(value.magnitude)
    let sign = value < 0 ? "-" : ""
    guard digits.utf8.count >= 7 else { return sign + digits }
    var grouped = ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.utf8.count - position).isMultiple(of: 3) { grouped += "_" }
      grouped.append(digit)
    }
    return sign + grouped
  }

  static func strings(_ texts: [String]) -> SwiftExpression {
    .list(texts.map { .text(string($0)) })
  }

  /// Returns an expression for a JSON value.
  ///
  /// - Parameter number: the name of the type `JSONNumber`.
  static func json(_ value: JSONValue, number: String) -> SwiftExpression {
    switch value {
    case .null: return .text("nil")
    case .boolean(let value): return .text(String(value))
    case .string(let text): return .text(string(text))
    case .array(let elements): return .list(elements.map { json($0, number: number) })
    case .object(let members):
      if members.isEmpty { return .text("[:]") }
      return .list(members.map { .pair(key: string($0.key), value: json($0.value, number: number)) })
    case .number(let value):
      if let integer = value.int64Value { return .text(Self.integer(integer)) }
      if let double = value.doubleValue, JSONNumber(double) == value { return .text(double.description) }
      // A floating-point literal would lose digits.
      return .text("\(number)(digits: \(string(value.digits))).map { .number($0) } ?? .null")
    }
  }
}
