import Foundation
import JSONTree
import RecordModel
import ScenarioFormat

extension ColumnType {
  /// Returns the value that all stored forms of a value have in common; nil if the value does not fit the type, so that it is
  /// compared as it is.
  func canonical(_ value: JSONValue) -> JSONValue? {
    switch (self, value) {
    case (.boolean, .number(let number)): number.int64Value.flatMap(Self.boolean)
    case (.boolean, .string(let text)): Bool(text).map(JSONValue.boolean) ?? Int64(text).flatMap(Self.boolean)
    case (.number, .string(let text)):
      JSONNumber(digits: text).map { .number($0.canonical) }
    case (.date, .string(let text)), (.unixSeconds, .string(let text)),
      (.unixMilliseconds, .string(let text)):
      Self.date(text).map(Self.text)
    case (.unixSeconds, .number(let number)):
      number.doubleValue.map { Self.text(Date(timeIntervalSince1970: $0)) }
    case (.unixMilliseconds, .number(let number)):
      number.doubleValue.map { Self.text(Date(timeIntervalSince1970: $0 / 1000)) }
    case (.uuid, .string(let text)): Self.uuid(text).map { .string($0.uuidString) }
    case (.json, .string(let text)): (try? JSONDocument(parsing: Array(text.utf8)))?.root.value.canonical
    default: nil
    }
  }

  private static func boolean(_ number: Int64) -> JSONValue? {
    number == 0 ? .boolean(false) : number == 1 ? .boolean(true) : nil
  }

  /// Reads a date as ISO 8601 and SQLite write it: the space between day and time stands for `T`.
  private static func date(_ text: String) -> Date? {
    DateFormat.iso8601.date(from: text)
      ?? DateFormat.iso8601.date(from: text.replacing(" ", with: "T", maxReplacements: 1))
  }

  private static func text(_ date: Date) -> JSONValue { .string(rfc3339Text(date)) }

  /// Reads a UUID as text, or as the Base64 text of its 16 bytes.
  private static func uuid(_ text: String) -> UUID? {
    if let uuid = UUID(uuidString: text) { return uuid }
    guard let bytes = Data(base64Encoded: text), bytes.count == 16 else { return nil }
    return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }
}

extension JSONNumber {
  /// The number as golden files write it, whatever the store and its adapter write: `1` for `1.0`, and `0.5` for `0.50`. No digit
  /// is lost.
  var canonical: JSONNumber {
    if let integer = int64Value { return JSONNumber(integer) }
    if let short = doubleValue.flatMap({ JSONNumber($0) }), short == self { return short }
    return self
  }
}
