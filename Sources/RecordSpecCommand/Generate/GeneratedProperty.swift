/// A property of a generated record type.
struct GeneratedProperty {
  /// The property wrapper, such as `Field`.
  let wrapper: String
  /// The arguments of the wrapper before its closure.
  var arguments: [String]
  /// The assignments in the closure of the wrapper.
  var assignments: [(target: String, value: SwiftExpression)] = []
  /// The name as it is written in the declaration.
  let name: String
  let type: String
  var initialValue: SwiftExpression?

  mutating func assign(_ target: String, _ value: SwiftExpression) {
    assignments.append(("$0." + target, value))
  }

  mutating func assign(_ target: String, _ value: String?) {
    if let value { assign(target, .text(value)) }
  }

  /// Returns the lines of the declaration in a class.
  func lines(_ access: GeneratedRecordTypes.Access) -> [String] {
    let variable = "\(access.prefix)var \(name): \(type)"
    let declaration =
      initialValue?.lines(after: variable + " =", indentation: 2) ?? ["  " + variable]
    guard let attribute = attributeLine else { return attributeLines + declaration }
    if declaration.count == 1 {
      let line = "  \(attribute) \(declaration[0].dropFirst(2))"
      if SwiftExpression.fits(line) { return [line] }
    }
    return ["  " + attribute] + declaration
  }

  /// The attribute on one line; nil if it needs several lines.
  private var attributeLine: String? {
    var arguments = arguments
    if assignments.count > 1 { return nil }
    if let (target, value) = assignments.first { arguments.append("{ \(target) = \(value.flat) }") }
    let line = "@\(wrapper)(\(arguments.joined(separator: ", ")))"
    return SwiftExpression.fits("  " + line) ? line : nil
  }

  private var attributeLines: [String] {
    var lines = ["  @\(wrapper)("]
    var current = "   "
    for (position, argument) in arguments.enumerated() {
      let text = argument + (position < arguments.count - 1 || !assignments.isEmpty ? "," : ")")
      if current != "   ", !SwiftExpression.fits(current + " " + text) {
        lines.append(current)
        current = "   "
      }
      current += " " + text
    }
    lines.append(current)
    guard !assignments.isEmpty else { return lines }
    lines.append("    {")
    for (target, value) in assignments { lines += value.lines(after: target + " =", indentation: 6) }
    return lines + ["    })"]
  }
}
