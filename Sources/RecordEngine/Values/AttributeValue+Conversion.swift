internal import Foundation
package import JSONTree
package import RecordModel

extension AttributeValue {
  /// Creates the value of an attribute from a value of the response. Returns nil if the value cannot be converted
  /// (`value-type`).
  ///
  /// No value is rounded to fit, truncated or replaced by 0. The types accept these values:
  ///
  /// - `int16`, `int32`, `int64`: numbers without a fraction, however written (`7`, `7.0`, `70e-1`), strings that
  ///   contain an integer with or without a sign (`"7"`, `"+7"`, `"007"`; not `"7.0"`, not `" 7"`), and booleans as 1
  ///   and 0
  /// - `float`, `double`: numbers, strings that contain a number (`"1.5"`, `".5"`, `"1e3"`), and booleans as 1 and 0,
  ///   but no number that is too large to be finite
  /// - `decimal`: numbers and strings that contain a number, with at most 38 digits and an exponent from -128 to 127
  /// - `boolean`: booleans, numbers (0 is false), and the strings `y`, `yes`, `t`, `true`, `1`, `n`, `no`, `f`,
  ///   `false`, `0` in any case
  /// - `string`: strings, integers as written, other numbers as their shortest decimal text (`1.50` becomes `1.5`,
  ///   `1e3` becomes `1000`), and booleans as `1` and `0`
  /// - `date`: numbers as seconds since 1970-01-01T00:00:00Z, or as milliseconds if the date format says so, and strings in the
  ///   date format, if there is one
  /// - `binary`: strings in base64 (RFC 4648, section 4, with padding; line breaks are ignored)
  /// - `uuid`: the text of a UUID in any case
  /// - `uri`: any nonempty string that is a valid URI
  /// - `transformable`: all values
  ///
  /// Null is not a value, so that the result is nil. The rule `mapping.null` determines its effect.
  ///
  /// Rules: `values.binary`, `values.boolean`, `values.date.no-format`, `values.date.unix`, `values.decimal`,
  /// `values.double`, `values.float`, `values.integer`, `values.string`, `values.uri`, `values.uuid`.
  package init?(converting node: JSONNode, to type: AttributeType, dateFormat: DateFormat?) {
    self.init(converting: node.index, of: node.document, to: type, dateFormat: dateFormat)
  }

  /// Creates the value of an attribute from the value at an index of a document.
  init?(converting index: Int32, of document: JSONDocument, to type: AttributeType, dateFormat: DateFormat?) {
    let value: AttributeValue? =
      switch document.kind(at: index) {
      case .null: nil
      case _ where type == .transformable: .json(document.node(at: index).value)
      case .boolean: document.node(at: index).boolean.flatMap { Self.value($0, type) }
      case .number: document.withText(at: index) { Self.value(number: $0, type, dateFormat) }
      case .string where type == .string: document.string(at: index).map(AttributeValue.string)
      case .string: document.withText(at: index) { Self.value(text: $0, type, dateFormat) }
      case .array, .object: nil
      }
    guard let value else { return nil }
    self = value
  }

  private static func value(_ boolean: Bool, _ type: AttributeType) -> AttributeValue? {
    switch type {
    case .int16, .int32, .int64: .integer(boolean ? 1 : 0)
    case .float, .double: .double(boolean ? 1 : 0)
    case .boolean: .boolean(boolean)
    case .string: .string(boolean ? "1" : "0")
    case .decimal, .date, .binary, .uuid, .uri, .transformable: nil
    }
  }

  private static func value(
    number digits: UnsafeBufferPointer<UInt8>, _ type: AttributeType, _ dateFormat: DateFormat?
  ) -> AttributeValue? {
    switch type {
    case .int16, .int32, .int64:
      integer(
        plain(digits) ?? JSONNumber(checkedDigits: String(decoding: digits, as: UTF8.self)).int64Value, type)
    case .string:
      (isPlain(digits) ? String(decoding: digits, as: UTF8.self) : DecimalDigits(utf8: digits)?.text)
        .map(AttributeValue.string)
    case .boolean: DecimalDigits(utf8: digits).map { .boolean(!$0.significand.isEmpty) }
    case .date:
      DecimalDigits(utf8: digits).flatMap { Date(since1970: $0, in: dateFormat?.unit ?? .seconds) }
        .map(AttributeValue.date)
    case .float, .double, .decimal: real(digits, type)
    case .binary, .uuid, .uri, .transformable: nil
    }
  }

  private static func value(
    text: UnsafeBufferPointer<UInt8>, _ type: AttributeType, _ dateFormat: DateFormat?
  ) -> AttributeValue? {
    switch type {
    case .int16, .int32, .int64: integer(plain(text), type)
    case .float, .double, .decimal: real(text, type)
    case .boolean: boolean(text).map(AttributeValue.boolean)
    case .date: dateFormat?.date(fromUTF8: text).map(AttributeValue.date)
    case .binary: data(base64: text, allowingLineBreaks: true).map(AttributeValue.binary)
    case .uuid: UUID(exactly: String(decoding: text, as: UTF8.self)).map(AttributeValue.uuid)
    case .uri: URL(exactly: String(decoding: text, as: UTF8.self)).map(AttributeValue.uri)
    case .string, .transformable: nil
    }
  }
}

// MARK: - Numbers

extension AttributeValue {
  private static func integer(_ value: Int64?, _ type: AttributeType) -> AttributeValue? {
    guard let value else { return nil }
    return switch type {
    case .int16 where Int16(exactly: value) == nil: nil
    case .int32 where Int32(exactly: value) == nil: nil
    default: .integer(value)
    }
  }

  /// Returns the integer of a text that consists of digits with an optional sign. Returns nil for any other text, and
  /// if the integer is out of range.
  private static func plain(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    let start = isNegative || text.first == UInt8(ascii: "+") ? 1 : 0
    guard start < text.count else { return nil }
    // The range of negative integers is larger by one than that of positive integers.
    var value: Int64 = 0
    for position in start..<text.count {
      guard let digit = digit(text[position]) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (difference, overflowToo) = product.subtractingReportingOverflow(digit)
      guard !overflow, !overflowToo else { return nil }
      value = difference
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// Returns the number of a text with at most fifteen digits and no exponent, or nil for any other text. Nearly all
  /// numbers have this form. The digits and the power of ten are exact as doubles, so that the division rounds only
  /// once, to the nearest double.
  private static func shortDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    let isNegative = text.first == UInt8(ascii: "-")
    guard text.count <= 17 else { return nil }
    var digits: Int64 = 0
    var (count, places) = (0, -1)
    for position in (isNegative ? 1 : 0)..<text.count {
      if let digit = digit(text[position]) {
        digits = digits * 10 + digit
        count += 1
        if places >= 0 { places += 1 }
      } else if text[position] == UInt8(ascii: "."), places < 0 {
        places = 0
      } else {
        return nil
      }
    }
    guard 1...15 ~= count else { return nil }
    if digits == 0 { return 0 }
    let value = Double(digits) / powersOfTen[max(places, 0)]
    return isNegative ? -value : value
  }

  /// The powers of ten from 1 to 1e15, all of which are exact.
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// Returns a Boolean value that indicates whether a JSON number is written without a fraction and an exponent.
  private static func isPlain(_ digits: UnsafeBufferPointer<UInt8>) -> Bool {
    digits.allSatisfy { $0 == UInt8(ascii: "-") || digit($0) != nil }
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int64(byte &- UInt8(ascii: "0")) : nil
  }

  private static func real(_ text: UnsafeBufferPointer<UInt8>, _ type: AttributeType) -> AttributeValue? {
    if type == .double, let value = shortDouble(text) { return .double(value) }
    guard let digits = DecimalDigits(utf8: text) else { return nil }
    return switch type {
    case .decimal: Decimal(exactly: digits).map(AttributeValue.decimal)
    // The float is converted from the digits directly. A conversion through Double would round twice.
    case .float: digits.text.flatMap(Float.init).flatMap(AttributeValue.init(finite:))
    default: digits.text.flatMap(Double.init).flatMap { $0.isFinite ? .double($0) : nil }
    }
  }
}

// MARK: - Booleans

extension AttributeValue {
  private static func boolean(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard text.count <= 5 else { return nil }
    switch String(decoding: text, as: UTF8.self).lowercased() {
    case "y", "yes", "t", "true", "1": return true
    case "n", "no", "f", "false", "0": return false
    default: return nil
    }
  }
}

extension JSONDocument {
  /// Calls `body` with the bytes of a number as written, or of the contents of a string. These are bytes of the
  /// document if the string has no escapes.
  fileprivate func withText<Result>(
    at index: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Result?
  ) -> Result? {
    if let range = plainText(at: index) {
      return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
    guard var text = string(at: index) else { return nil }
    return text.withUTF8(body)
  }
}
