import JSONTree
import RecordModel

extension SchemaEntity {
  /// Returns the entity and a key of attributes: `Post/1`, or `Line/7,3` for a composite key; only the entity without a
  /// key.
  func title(of recordKey: RecordKey?) -> String {
    guard case .attributes(let positions) = key, let recordKey else { return name.rawValue }
    let texts = zip(positions, recordKey.values).map { $1.shortText(attributes[$0].type, quoted: false) }
    return name.rawValue + "/" + texts.joined(separator: ",")
  }

  /// Returns the entity and the parent of a record that its parent identifies: `Counts@Post/1`.
  func title(ofChildOf parent: String) -> String { name.rawValue + "@" + parent }
}

extension Schema {
  /// Returns the entity and the key of a record in quotation marks, `'Post/1'`; nil if it has no key of attributes.
  func quotedTitle(of row: Row) -> String? {
    row.key(in: self).map { "'\(entities[row.entity].title(of: $0))'" }
  }
}

extension SchemaKey {
  var isOfAttributes: Bool { if case .attributes = self { true } else { false } }
}

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
