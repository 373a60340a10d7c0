import JSONTree
import RecordModel

extension AttributeValue {
  /// Returns the literal in one line, shortened to 40 characters if it is longer.
  func shortText(_ type: AttributeType, quoted: Bool = true) -> String {
    let maximum = 40
    let literal = literal(type: type)
    if case .string(let text) = literal {
      let short = text.count > maximum ? text.prefix(maximum) + "…" : text[...]
      // Control characters are escaped.
      let text = JSONValue.string(String(short)).compactText()
      return quoted ? text : String(text.dropFirst().dropLast())
    }
    let text = literal.compactText()
    return text.count > maximum ? text.prefix(maximum) + "…" : text
  }
}
