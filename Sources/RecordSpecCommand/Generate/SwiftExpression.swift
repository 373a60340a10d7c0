/// A Swift expression that is laid out as `swift format` does by default, in lines of at most 100 columns.
indirect enum SwiftExpression {
  /// A text that cannot be broken, such as a literal.
  case text(String)
  /// An array, or a dictionary if its elements are ``pair(key:value:)``.
  case list([SwiftExpression])
  /// A key with its value in a dictionary.
  case pair(key: String, value: SwiftExpression)
  /// A call with one argument, such as `URL(string: "…")`.
  case call(String, argument: String)

  /// The maximum number of columns of a line.
  static let maximumColumns = 100

  /// Returns the lines of the expression with a text before and after it.
  ///
  /// - Parameters:
  ///   - prefix: the text before it. If it ends with `=`, the expression can begin on a new line.
  ///   - suffix: the text after it.
  ///   - indentation: the indentation of the first line.
  func lines(after prefix: String = "", before suffix: String = "", indentation: Int) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    let separator = prefix.isEmpty ? "" : " "
    let line = margin + prefix + separator + flat + suffix
    if Self.fits(line) { return [line] }
    let inner = margin + "  "
    switch self {
    case .text(let text):
      return prefix.hasSuffix("=") ? [margin + prefix, inner + text + suffix] : [line]
    case .call(let name, let argument):
      return [margin + prefix + separator + name + "(", inner + argument + ")" + suffix]
    case .pair(let key, let value):
      return value.lines(after: key + ":", before: suffix, indentation: indentation)
    case .list(let elements) where elements.isEmpty: return [line]
    case .list(let elements):
      var lines = [margin + prefix + separator + "["]
      var current = ""
      for element in elements {
        let text = element.flat + ","
        if !current.isEmpty, Self.fits(inner + current + " " + text) {
          current += " " + text
          continue
        }
        if !current.isEmpty { lines.append(inner + current) }
        current = ""
        if Self.fits(inner + text) {
          current = text
        } else {
          lines += element.lines(before: ",", indentation: indentation + 2)
        }
      }
      if !current.isEmpty { lines.append(inner + current) }
      return lines + [margin + "]" + suffix]
    }
  }

  /// The expression on one line.
  var flat: String {
    switch self {
    case .text(let text): text
    case .call(let name, let argument): "\(name)(\(argument))"
    case .pair(let key, let value): "\(key): \(value.flat)"
    case .list(let elements): "[\(elements.map(\.flat).joined(separator: ", "))]"
    }
  }

  static func fits(_ line: String) -> Bool { line.unicodeScalars.count <= maximumColumns }
}
