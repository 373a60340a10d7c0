internal import Foundation
package import JSONTree

extension AttributeValue {
  /// Creates the value of a literal in a model or a scenario, which has the format of a golden file.
  ///
  /// The kind of the literal depends on the type:
  ///
  /// | type | literal |
  /// |---|---|
  /// | int16, int32, int64 | an integer in the range of the type |
  /// | float, double | a number |
  /// | decimal | a number, or a string with a number |
  /// | boolean | true or false |
  /// | string, uuid, uri | a string |
  /// | date | a string (RFC 3339) |
  /// | binary | a string (base64) |
  /// | transformable | any value except null |
  ///
  /// Literals are not converted. `AttributeValue(converting:to:dateFormat:)` converts the values of a response, which
  /// allow more.
  package init(literal: JSONValue, type: AttributeType) throws(LiteralError) {
    guard let value = Self.value(literal, type) else {
      throw LiteralError(
        expected: type.expectedLiteral, found: literal.descriptionOfLiteral,
        advice: Self.advice(for: literal, type))
    }
    self = value
  }

  private static func value(_ literal: JSONValue, _ type: AttributeType) -> AttributeValue? {
    switch (type, literal) {
    case (.int16, .number(let number)): integer(number, Int16.self)
    case (.int32, .number(let number)): integer(number, Int32.self)
    case (.int64, .number(let number)): integer(number, Int64.self)
    case (.float, .number(let number)): Float(number.digits).flatMap(AttributeValue.init(finite:))
    case (.double, .number(let number)): number.doubleValue.map(AttributeValue.double)
    case (.decimal, .number(let number)): decimal(number.digits)
    case (.decimal, .string(let text)): decimal(text)
    case (.boolean, .boolean(let value)): .boolean(value)
    case (.string, .string(let text)): .string(text)
    case (.date, .string(let text)): DateFormat.iso8601.date(from: text).map(AttributeValue.date)
    case (.binary, .string(let text)): data(base64: text.utf8).map(AttributeValue.binary)
    case (.uuid, .string(let text)): UUID(exactly: text).map(AttributeValue.uuid)
    case (.uri, .string(let text)): URL(exactly: text).map(AttributeValue.uri)
    case (.transformable, .null): nil
    case (.transformable, let value): .json(value)
    default: nil
    }
  }

  private static func integer<Integer: FixedWidthInteger>(
    _ number: JSONNumber, _: Integer.Type
  ) -> AttributeValue? {
    number.int64Value.flatMap { Integer(exactly: $0) == nil ? nil : .integer($0) }
  }

  private static func decimal(_ text: String) -> AttributeValue? {
    DecimalDigits(utf8: text.utf8).flatMap(Decimal.init(exactly:)).map(AttributeValue.decimal)
  }

  /// Creates the value of a float; nil if it is not finite.
  package init?(finite value: Float) {
    guard value.isFinite else { return nil }
    self = .double(Double(value))
  }

  /// Returns the literal of the value, as in golden files. `init(literal:type:)` reads it back to the same value.
  ///
  /// Decimals are numbers with all their digits and without an exponent (`12.5`). Floats have the fewest digits that
  /// distinguish them from other floats. NaN and infinity, which only Swift code can set, become strings (`"nan"`) that
  /// cannot be read back, because JSON has no such numbers.
  package func literal(type: AttributeType) -> JSONValue {
    switch self {
    case .integer(let value): .number(JSONNumber(value))
    case .double(let value): Self.literal(value, asFloat: type == .float)
    case .decimal(let value):
      JSONNumber(digits: value.exactText).map(JSONValue.number) ?? .string(value.exactText.lowercased())
    case .boolean(let value): .boolean(value)
    case .string(let value): .string(value)
    case .date(let value): .string(rfc3339Text(value))
    case .binary(let value): .string(value.base64EncodedString())
    case .uuid(let value): .string(value.uuidString)
    case .uri(let value): .string(value.absoluteString)
    case .json(let value): value
    }
  }

  private static func literal(_ value: Double, asFloat: Bool) -> JSONValue {
    // The shortest digits of a Float are also the shortest digits of the Double that they are read as.
    let shortest = asFloat ? Double(Float(value).description) : value
    return (shortest.flatMap { JSONNumber($0) }).map(JSONValue.number) ?? .string(value.description)
  }
}

extension AttributeType {
  fileprivate var expectedLiteral: String {
    switch self {
    case .int16: "an integer from \(Int16.min) to \(Int16.max)"
    case .int32: "an integer from \(Int32.min) to \(Int32.max)"
    case .int64: "an integer from \(Int64.min) to \(Int64.max)"
    case .float: "a number that a float can hold"
    case .double: "a number that a double can hold"
    case .decimal: "a decimal number of at most 38 digits"
    case .boolean: "true or false"
    case .string: "a string"
    case .date: "a date like \"2000-01-31T12:00:00Z\""
    case .binary: "a string of base64"
    case .uuid: "a UUID like \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
    case .uri: "a URI string"
    case .transformable: "a value"
    }
  }
}

extension JSONValue {
  /// A short description of the kind and the value, on one line.
  fileprivate var descriptionOfLiteral: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "boolean \(value)"
    case .number(let number): "\(number.isInteger ? "integer" : "number") \(number.digits)"
    case .string(let text): "string " + quoted(text)
    case .array(let elements): "an array of \(elements.count)"
    case .object: "an object"
    }
  }
}

extension AttributeValue {
  /// Returns advice for the value that the author probably meant; nil if there is no suggestion.
  private static func advice(for literal: JSONValue, _ type: AttributeType) -> String? {
    switch (type, literal) {
    case (.transformable, .null):
      return "remove it, or write a string, number, boolean, array or object"
    case (.string, .number(let number)): return "write \(quoted(number.digits))"
    case (.string, .boolean(let value)): return "write \"\(value)\""
    case (.boolean, .string(let text)) where ["true", "false"].contains(text.lowercased()):
      return "write \(text.lowercased())"
    case (.boolean, .number(let number)) where number == JSONNumber(0) || number == JSONNumber(1):
      return "write \(number == JSONNumber(0) ? "false" : "true")"
    case (.int16, .string(let text)), (.int32, .string(let text)), (.int64, .string(let text)),
      (.float, .string(let text)), (.double, .string(let text)):
      guard let number = JSONNumber(digits: text), value(.number(number), type) != nil else { return nil }
      return "write \(text)"
    case (.int16, .number(let number)), (.int32, .number(let number)):
      return widerType(for: number).map {
        "change the type of the attribute to \($0), or write a smaller number"
      }
    case (.date, .number(let number)):
      // Eight digits such as 20240131 are a date without quotes.
      if let text = calendarDate(number.digits) { return "write \(quoted(text))" }
      // A number beyond the year 9999 is probably not a number of seconds since 1970.
      guard let seconds = number.doubleValue, 0..<2.5e11 ~= seconds else { return nil }
      return "write \(quoted(rfc3339Text(Date(timeIntervalSince1970: seconds))))"
    default: return nil
    }
  }

  /// Returns the date of eight digits, such as `2024-01-31` for `20240131`; nil if they are not a date.
  private static func calendarDate(_ digits: String) -> String? {
    guard digits.utf8.count == 8, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    let text = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    return DateFormat.iso8601.date(from: text) == nil ? nil : text
  }

  private static func widerType(for number: JSONNumber) -> String? {
    if value(.number(number), .int32) != nil { return "int32" }
    return value(.number(number), .int64) == nil ? nil : "int64"
  }
}

/// Returns the text in quotes, truncated after 60 Unicode scalars.
private func quoted(_ text: String) -> String {
  let limit = 60
  let shown = text.unicodeScalars.count > limit ? String(text.unicodeScalars.prefix(limit)) + "…" : text
  return JSONValue.string(shown).compactText()
}
