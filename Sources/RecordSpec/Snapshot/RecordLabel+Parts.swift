package import RecordModel

// The parts are found by scalars: a key may begin with an accent, which Swift counts to the character before it.
extension RecordLabel {
  /// `Post/1`, or `Line/7,3` for a composite key.
  package static func keyed(_ entity: EntityName, by keyTexts: [String]) -> RecordLabel {
    RecordLabel(rawValue: entity.rawValue + "/" + keyTexts.map(percentEncoded).joined(separator: ","))
  }

  /// `Counts@User/7`: the one of its owner.
  package static func owned(_ entity: EntityName, by owner: RecordLabel) -> RecordLabel {
    RecordLabel(rawValue: entity.rawValue + "@" + owner.rawValue)
  }

  /// `Tag~1`; numbers count from 1.
  package func numbered(_ number: Int) -> RecordLabel {
    RecordLabel(rawValue: rawValue + "~" + String(number))
  }

  /// What stands for a record that a link names and the graph has not got.
  package static func dangling(_ entity: EntityName) -> RecordLabel {
    RecordLabel(rawValue: entity.rawValue + "~?")
  }

  /// The label without the number at its end: `Tag` for `Tag~1`.
  package var base: RecordLabel {
    guard let tilde = rawValue.unicodeScalars.lastIndex(of: "~") else { return self }
    let number = rawValue[tilde...].utf8.dropFirst()
    guard !number.isEmpty, number.allSatisfy({ (0x30...0x39).contains($0) }) else { return self }
    return RecordLabel(rawValue: String(rawValue[..<tilde]))
  }

  /// Whether the label ends with a number, so that it says less about which record it is than a key does.
  package var isNumbered: Bool { base != self }

  /// The number at the end; 0 if there is none.
  package var number: Int {
    isNumbered ? Int(Substring(rawValue.utf8.dropFirst(base.rawValue.utf8.count + 1))) ?? 0 : 0
  }

  /// What stands behind the first `@`, the number at the end included; nil if there is none.
  package var owner: RecordLabel? {
    guard let at = rawValue.unicodeScalars.firstIndex(of: "@") else { return nil }
    return RecordLabel(rawValue: String(rawValue.unicodeScalars[at...].dropFirst()))
  }

  /// The characters that labels use for themselves, and `%`, become `%2F` and the like.
  private static func percentEncoded(_ text: String) -> String {
    PercentEncoding.encoded(text.utf8) { !"/@~%,".utf8.contains($0) }
  }
}

extension RecordLabel: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(_ text: String) { rawValue = text }
  public init(stringLiteral value: String) { rawValue = value }
  public var description: String { rawValue }
}
