import Foundation
import JSONTree
import RecordModel
import TestSupport
import Testing

@Suite struct LiteralTests {
  /// A valid literal, and the literal that is written for its value.
  struct Row: CustomTestStringConvertible, Sendable {
    let type: AttributeType
    let literal: JSONValue
    let value: AttributeValue
    let written: JSONValue
    var testDescription: String { "\(type) \(literal.compactText())" }

    init(
      _ type: AttributeType, _ literal: JSONValue, _ value: AttributeValue, writes written: JSONValue? = nil
    ) {
      self.type = type
      self.literal = literal
      self.value = value
      self.written = written ?? literal
    }
  }

  static let rows: [Row] = [
    Row(.int16, -32768, .integer(-32768)),
    Row(.int16, 32767, .integer(32767)),
    Row(.int32, -2_147_483_648, .integer(-2_147_483_648)),
    Row(.int64, number("9223372036854775807"), .integer(.max)),
    Row(.int64, number("-9223372036854775808"), .integer(.min)),
    Row(.int64, number("7.0"), .integer(7), writes: 7),
    Row(.double, number("0.1"), .double(0.1)),
    Row(.double, 7, .double(7)),
    Row(.double, number("-1e300"), .double(-1e300), writes: number("-1e+300")),
    Row(.double, number("0.1000000000000000000001"), .double(0.1), writes: number("0.1")),
    Row(.float, number("0.1"), .double(Double(Float(0.1)))),
    Row(.float, number("16777217"), .double(16_777_216), writes: number("16777216")),
    Row(.float, number("3.4028235e+38"), .double(Double(Float.greatestFiniteMagnitude))),
    Row(.decimal, number("12.50"), decimal("12.5"), writes: number("12.5")),
    Row(.decimal, "12.50", decimal("12.5"), writes: number("12.5")),
    Row(.decimal, "-0", .decimal(0), writes: 0),
    Row(.decimal, number("0.1"), decimal("0.1")),
    Row(.decimal, number("1e3"), .decimal(1000), writes: 1000),
    Row(.boolean, true, .boolean(true)),
    Row(.boolean, false, .boolean(false)),
    Row(.string, "7", .string("7")),
    Row(.string, "", .string("")),
    Row(.date, "2000-01-31T12:00:00Z", date("2000-01-31T12:00:00Z")),
    Row(
      .date, "2000-01-31T12:00:00.25+01:00", date("2000-01-31T11:00:00.25Z"),
      writes: "2000-01-31T11:00:00.25Z"),
    Row(.date, "2000-01-31", date("2000-01-31T00:00:00Z"), writes: "2000-01-31T00:00:00Z"),
    Row(.binary, "AAECAw==", .binary(Data([0, 1, 2, 3]))),
    Row(.binary, "", .binary(Data())),
    Row(.uuid, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", uuid("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
    Row(
      .uuid, "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", uuid("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
      writes: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
    Row(.uri, "https://example.com/a?b=c#d", uri("https://example.com/a?b=c#d")),
    Row(.uri, "/relative", uri("/relative")),
    Row(.transformable, ["a": [1, nil, "x"]], .json(["a": [1, nil, "x"]])),
    Row(.transformable, "x", .json("x")),
  ]

  @Test(arguments: rows) func readsAndWrites(row: Row) throws {
    let value = try AttributeValue(literal: row.literal, type: row.type)
    #expect(value == row.value)
    // Compared as text, because equal numbers may have different digits, which matter here.
    #expect(value.literal(type: row.type).compactText() == row.written.compactText())
    #expect(try AttributeValue(literal: value.literal(type: row.type), type: row.type) == value)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let type: AttributeType
    let literal: JSONValue
    let message: String
    let advice: String?
    var testDescription: String { "\(type) \(literal.compactText())" }

    init(_ type: AttributeType, _ literal: JSONValue, _ message: String, _ advice: String?) {
      self.type = type
      self.literal = literal
      self.message = message
      self.advice = advice
    }
  }

  private static let uuidForm = "a UUID like \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
  private static let dateForm = "a date like \"2000-01-31T12:00:00Z\""

  static let refusals: [Refusal] = [
    Refusal(.string, 7, "expected a string, found integer 7", "write \"7\""),
    Refusal(.string, number("7.50"), "expected a string, found number 7.50", "write \"7.50\""),
    Refusal(.string, true, "expected a string, found boolean true", "write \"true\""),
    Refusal(.string, nil, "expected a string, found null", nil),
    Refusal(.string, [1, 2], "expected a string, found an array of 2", nil),
    Refusal(.string, ["a": 1], "expected a string, found an object", nil),
    Refusal(.int16, "7", "expected an integer from -32768 to 32767, found string \"7\"", "write 7"),
    Refusal(.int16, "70000", "expected an integer from -32768 to 32767, found string \"70000\"", nil),
    Refusal(.int16, "seven", "expected an integer from -32768 to 32767, found string \"seven\"", nil),
    Refusal(
      .int16, 70000, "expected an integer from -32768 to 32767, found integer 70000",
      "change the type of the attribute to int32, or write a smaller number"),
    Refusal(
      .int16, 3_000_000_000, "expected an integer from -32768 to 32767, found integer 3000000000",
      "change the type of the attribute to int64, or write a smaller number"),
    Refusal(
      .int32, 2_147_483_648, "expected an integer from -2147483648 to 2147483647, found integer 2147483648",
      "change the type of the attribute to int64, or write a smaller number"),
    Refusal(
      .int64, number("9223372036854775808"),
      "expected an integer from -9223372036854775808 to 9223372036854775807, found integer 9223372036854775808",
      nil),
    Refusal(.int16, number("1.5"), "expected an integer from -32768 to 32767, found number 1.5", nil),
    Refusal(.int16, true, "expected an integer from -32768 to 32767, found boolean true", nil),
    Refusal(.double, "1.5", "expected a number that a double can hold, found string \"1.5\"", "write 1.5"),
    Refusal(.double, number("1e400"), "expected a number that a double can hold, found integer 1e400", nil),
    Refusal(.float, number("1e39"), "expected a number that a float can hold, found integer 1e39", nil),
    Refusal(
      .decimal, "123456789012345678901234567890123456789",
      "expected a decimal number of at most 38 digits, found string \"123456789012345678901234567890123456789\"",
      nil),
    Refusal(.decimal, "1,5", "expected a decimal number of at most 38 digits, found string \"1,5\"", nil),
    Refusal(.boolean, 1, "expected true or false, found integer 1", "write true"),
    Refusal(.boolean, 0, "expected true or false, found integer 0", "write false"),
    Refusal(.boolean, 2, "expected true or false, found integer 2", nil),
    Refusal(.boolean, "True", "expected true or false, found string \"True\"", "write true"),
    Refusal(.boolean, "yes", "expected true or false, found string \"yes\"", nil),
    Refusal(.date, 0, "expected \(dateForm), found integer 0", "write \"1970-01-01T00:00:00Z\""),
    Refusal(.date, number("1e300"), "expected \(dateForm), found integer 1e300", nil),
    Refusal(.date, "2000-02-30", "expected \(dateForm), found string \"2000-02-30\"", nil),
    Refusal(.binary, "AAE", "expected a string of base64, found string \"AAE\"", nil),
    Refusal(.uuid, "7", "expected \(uuidForm), found string \"7\"", nil),
    Refusal(.uri, "a b", "expected a URI string, found string \"a b\"", nil),
    Refusal(.uri, "", "expected a URI string, found string \"\"", nil),
    Refusal(
      .transformable, nil, "expected a value, found null",
      "remove it, or write a string, number, boolean, array or object"),
    Refusal(
      .date, .string(String(repeating: "x", count: 100)),
      "expected \(dateForm), found string \"\(String(repeating: "x", count: 60))…\"", nil),
  ]

  @Test(arguments: refusals) func refuses(row: Refusal) {
    let error = #expect(throws: LiteralError.self) {
      try AttributeValue(literal: row.literal, type: row.type)
    }
    #expect(error?.message == row.message)
    #expect(error?.advice == row.advice)
  }

  @Test(arguments: AttributeType.allCases) func everyTypeIsReadAndRefused(type: AttributeType) {
    #expect(Self.rows.contains { $0.type == type })
    #expect(Self.refusals.contains { $0.type == type })
  }

  /// Written literals are read back as the same value, with any digits.
  @Test func floatsAndDoublesReadBack() throws {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<5000 {
      let double = Double(bitPattern: random.next())
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      for (value, type) in [(double, AttributeType.double), (Double(float), .float)] where value.isFinite {
        let literal = AttributeValue.double(value).literal(type: type)
        #expect(try AttributeValue(literal: literal, type: type) == .double(value), "\(literal)")
      }
    }
  }

  @Test func numbersThatJSONHasNotAreStrings() {
    #expect(AttributeValue.double(.nan).literal(type: .double) == "nan")
    #expect(AttributeValue.double(-.infinity).literal(type: .float) == "-inf")
    #expect(AttributeValue.decimal(.nan).literal(type: .decimal) == "nan")
  }
}

private func number(_ digits: String) -> JSONValue { .number(JSONNumber(checkedDigits: digits)) }
private func decimal(_ text: String) -> AttributeValue { .decimal(Decimal(string: text) ?? .nan) }
private func date(_ text: String) -> AttributeValue {
  .date(DateFormat.iso8601.date(from: text) ?? .distantPast)
}
private func uuid(_ text: String) -> AttributeValue {
  UUID(uuidString: text).map(AttributeValue.uuid) ?? .string("")
}
private func uri(_ text: String) -> AttributeValue {
  URL(string: text).map(AttributeValue.uri) ?? .string("")
}
