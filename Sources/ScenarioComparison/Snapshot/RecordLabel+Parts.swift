package import RecordModel
package import ScenarioFormat

// The parts are found by bytes: a key may begin with a combining accent, which Swift joins to the preceding
// character.
extension RecordLabel {
  /// Returns the label of a record with a key: `Post/1`, or `Line/7,3` for a composite key.
  package static func keyed(_ entity: EntityName, by keyTexts: [String]) -> RecordLabel {
    RecordLabel(rawValue: entity.rawValue + "/" + keyTexts.map(percentEncoded).joined(separator: ","))
  }

  /// Returns the label of a record whose key is its owner: `Counts@User/7`.
  package static func owned(_ entity: EntityName, by owner: RecordLabel) -> RecordLabel {
    RecordLabel(rawValue: entity.rawValue + "@" + owner.rawValue)
  }

  /// Returns the label with a number: `Tag~1`. Numbers start at 1.
  package func numbered(_ number: Int) -> RecordLabel {
    RecordLabel(rawValue: rawValue + "~" + String(number))
  }

  /// Returns the label for a linked record that the graph does not contain.
  package static func dangling(_ entity: EntityName) -> RecordLabel {
    RecordLabel(rawValue: entity.rawValue + "~?")
  }

  /// The label without the number at its end: `Tag` for `Tag~1`.
  package var base: RecordLabel {
    guard let tilde = rawValue.utf8.lastIndex(of: UInt8(ascii: "~")) else { return self }
    let number = rawValue[tilde...].utf8.dropFirst()
    guard !number.isEmpty, number.allSatisfy({ (0x30...0x39).contains($0) }) else { return self }
    return RecordLabel(rawValue: String(rawValue[..<tilde]))
  }

  /// The label without its entity and its number: `/7` or `@User/7`; empty for the label of a record without a key.
  package var keyPart: String { String(base.rawValue.unicodeScalars.drop { $0 != "/" && $0 != "@" }) }

  /// A Boolean value that indicates whether the label ends with a number. Such a label identifies its record less
  /// reliably than a key.
  package var isNumbered: Bool { base != self }

  /// The number at the end; 0 if there is none.
  package var number: Int {
    isNumbered ? Int(Substring(rawValue.utf8.dropFirst(base.rawValue.utf8.count + 1))) ?? 0 : 0
  }

  /// The part after the first `@`, including the number at the end; nil without an `@`.
  package var owner: RecordLabel? {
    guard let at = rawValue.utf8.firstIndex(of: UInt8(ascii: "@")) else { return nil }
    return RecordLabel(rawValue: String(rawValue[rawValue.utf8.index(after: at)...]))
  }

  /// Percent-encodes `%` and the characters that are delimiters in labels.
  private static func percentEncoded(_ text: String) -> String {
    PercentEncoding.encoded(text.utf8) { !"/@~%,".utf8.contains($0) }
  }
}

extension RecordLabel: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a label from its text.
  package init(_ text: String) { self.init(rawValue: text) }
  package init(stringLiteral value: String) { self.init(rawValue: value) }
  package var description: String { rawValue }
}
