import Foundation
import JSONTree
import RecordModel

/// A value that differs between two sessions of the same requests, although the API has not changed.
enum VaryingValue: Equatable {
  /// An identifier of records of an entity, or of anything else.
  case identifier(role: String)
  case time

  /// Returns the text by which a value is compared; nil for a value that never varies.
  static func text(of value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): number.int64Value == nil ? nil : number.digits
    case .null, .boolean, .array, .object: nil
    }
  }

  /// Returns a Boolean value that indicates whether one text can stand for another one: both are times in the same form, or
  /// identifiers of the same kind. A change of the form is a change of the API.
  func canReplace(_ left: String, _ right: String) -> Bool {
    switch self {
    case .time: Self.form(ofTime: left) == Self.form(ofTime: right)
    case .identifier: Self.form(ofIdentifier: left) == Self.form(ofIdentifier: right)
    }
  }

  // MARK: Identifiers

  private static func form(ofIdentifier text: String) -> Int {
    isInteger(text) ? 0 : UUID(uuidString: text) != nil ? 1 : 2
  }

  static func isInteger(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns a Boolean value that indicates whether a text is an identifier under any key: a UUID, a hash or a cursor.
  static func isRandom(_ text: String) -> Bool {
    (8...2000).contains(text.utf8.count) && isWord(text) && !isInteger(text) && SecretText.isRandom(text)
  }

  /// Returns a Boolean value that indicates whether a text under the key of an identifier is one, and no word.
  static func canIdentify(_ text: String) -> Bool {
    text.utf8.count <= 2000 && isWord(text) && text.utf8.contains { (0x30...0x39).contains($0) }
  }

  /// Returns a Boolean value that indicates whether a text has no spaces, and no slashes except that of a weak entity tag.
  private static func isWord(_ text: String) -> Bool {
    (text.hasPrefix("W/") ? text.dropFirst(2) : text[...]).utf8.allSatisfy { $0 > 0x20 && $0 != 0x2F }
  }

  /// Returns a Boolean value that indicates whether a part of an address is an identifier.
  static func isIdentifier(inAddress part: String) -> Bool { isInteger(part) || isRandom(part) }

  // MARK: Times

  private static let timeWords: Set<String> = [
    "at", "timestamp", "time", "date", "created", "updated", "modified", "published", "expires", "deleted",
    "ts", "epoch", "on", "since", "until",
  ]

  /// Returns a Boolean value that indicates whether a number under a key is a time of this century, in seconds or
  /// milliseconds.
  static func isTime(_ number: JSONNumber, under key: String) -> Bool {
    guard let value = number.int64Value, KeyWords.words(of: key).last.map(timeWords.contains) ?? false
    else { return false }
    let (start, end) = (Int64(946_684_800), Int64(4_102_444_800))
    return (start..<end).contains(value) || (start * 1000..<end * 1000).contains(value)
  }

  /// Returns a Boolean value that indicates whether a text is a date or a time in ISO 8601, or in the form of HTTP headers.
  static func isTime(_ text: String) -> Bool {
    let start = Array(text.utf8.prefix(5))
    guard (10...40).contains(text.utf8.count), start[4] == 0x2D || start[3] == 0x2C else { return false }
    let form = form(ofTime: text)
    if form.hasPrefix("0000-00-00") {
      let rest = form.dropFirst(10)
      return rest.isEmpty || rest.hasPrefix("T00:00") || rest.hasPrefix(" 00:00")
    }
    return form.wholeMatch(of: /aaa, 00 aaa 0000 00:00:00 (aaa|[+-]0000)/) != nil
  }

  /// Returns a text with the same digit and letter for all of them, except for the `T` and `Z` of ISO 8601, which follow a
  /// digit. The number of digits after the seconds does not matter.
  private static func form(ofTime text: String) -> String {
    var form: [UInt8] = []
    var isFraction = false
    for byte in text.utf8 {
      if (0x30...0x39).contains(byte) {
        if isFraction, form.last == 0x30 { continue }
        form.append(0x30)
      } else {
        isFraction = byte == UInt8(ascii: ".")
        let isMark = (byte == 0x54 || byte == 0x5A) && form.last == 0x30
        form.append(byte.isAlphanumeric && !isMark ? UInt8(ascii: "a") : byte)
      }
    }
    return String(decoding: form, as: UTF8.self)
  }
}
