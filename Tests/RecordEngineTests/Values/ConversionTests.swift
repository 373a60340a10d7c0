import Foundation
import JSONTree
import RecordEngine
import RecordModel
import Testing

/// The conversion table: the result of converting every kind of JSON value to every attribute type.
///
/// A block starts with the JSON value. The lines below it contain the literal of the resulting value for each type, or
/// `-` for `value-type`. Dates are read as `iso8601`.
private let table = """
  7
    int16 int32 int64 float double decimal: 7
    boolean: true
    string: "7"
    date: "1970-01-01T00:00:07Z"
    transformable: 7
    binary uuid uri: -

  -7
    int16 int32 int64 float double decimal: -7
    boolean: true
    string: "-7"
    date: "1969-12-31T23:59:53Z"
    transformable: -7
    binary uuid uri: -

  0
    int16 int32 int64 float double decimal: 0
    boolean: false
    string: "0"
    date: "1970-01-01T00:00:00Z"
    transformable: 0
    binary uuid uri: -

  7.0
    int16 int32 int64 float double decimal: 7
    boolean: true
    string: "7"
    date: "1970-01-01T00:00:07Z"
    transformable: 7.0
    binary uuid uri: -

  1.50
    int16 int32 int64: -
    float double decimal: 1.5
    boolean: true
    string: "1.5"
    date: "1970-01-01T00:00:01.5Z"
    transformable: 1.50
    binary uuid uri: -

  -0.1
    int16 int32 int64: -
    float double decimal: -0.1
    boolean: true
    string: "-0.1"
    date: "1969-12-31T23:59:59.9Z"
    transformable: -0.1
    binary uuid uri: -

  1e3
    int16 int32 int64 float double decimal: 1000
    boolean: true
    string: "1000"
    date: "1970-01-01T00:16:40Z"
    transformable: 1e3
    binary uuid uri: -

  1.5e-7
    int16 int32 int64: -
    float double: 1.5e-07
    decimal: 0.00000015
    boolean: true
    string: "1.5e-7"
    date: "1970-01-01T00:00:00.0000001Z"
    transformable: 1.5e-7
    binary uuid uri: -

  0.0e9
    int16 int32 int64 float double decimal: 0
    boolean: false
    string: "0"
    date: "1970-01-01T00:00:00Z"
    transformable: 0.0e9
    binary uuid uri: -

  40000
    int16: -
    int32 int64 float double decimal: 40000
    boolean: true
    string: "40000"
    date: "1970-01-01T11:06:40Z"
    transformable: 40000
    binary uuid uri: -

  1577934245.678
    int16 int32 int64: -
    float: 1577934200
    double decimal: 1577934245.678
    boolean: true
    string: "1577934245.678"
    date: "2020-01-02T03:04:05.678Z"
    transformable: 1577934245.678
    binary uuid uri: -

  -9223372036854775808
    int16 int32: -
    int64 decimal: -9223372036854775808
    float: -9.223372e+18
    double: -9.223372036854776e+18
    boolean: true
    string: "-9223372036854775808"
    date: -
    transformable: -9223372036854775808
    binary uuid uri: -

  12345678901234567890123
    int16 int32 int64: -
    float: 1.2345679e+22
    double: 1.2345678901234568e+22
    decimal: 12345678901234567890123
    boolean: true
    string: "12345678901234567890123"
    date: -
    transformable: 12345678901234567890123
    binary uuid uri: -

  0.123456789012345678901234567890123456789
    int16 int32 int64: -
    float: 0.12345679
    double: 0.12345678901234568
    decimal: -
    boolean: true
    string: "0.123456789012345678901234567890123456789"
    date: "1970-01-01T00:00:00.1234568Z"
    transformable: 0.123456789012345678901234567890123456789
    binary uuid uri: -

  1e39
    int16 int32 int64 float: -
    double: 1e+39
    decimal: 1000000000000000000000000000000000000000
    boolean: true
    string: "1e+39"
    date: -
    transformable: 1e39
    binary uuid uri: -

  1e400
    int16 int32 int64 float double decimal: -
    boolean: true
    string: "1e+400"
    date: -
    transformable: 1e400
    binary uuid uri: -

  1e-400
    int16 int32 int64: -
    float double: 0
    decimal: -
    boolean: true
    string: "1e-400"
    date: "1970-01-01T00:00:00Z"
    transformable: 1e-400
    binary uuid uri: -

  1e9999999999999
    int16 int32 int64 float double decimal boolean string date binary uuid uri: -
    transformable: 1e9999999999999

  -0
    int16 int32 int64 float double decimal: 0
    boolean: false
    string: "-0"
    date: "1970-01-01T00:00:00Z"
    transformable: -0
    binary uuid uri: -

  true
    int16 int32 int64 float double: 1
    decimal: -
    boolean: true
    string: "1"
    transformable: true
    date binary uuid uri: -

  false
    int16 int32 int64 float double: 0
    decimal: -
    boolean: false
    string: "0"
    transformable: false
    date binary uuid uri: -

  "7"
    int16 int32 int64 float double decimal: 7
    boolean: -
    string uri transformable: "7"
    date binary uuid: -

  "-7"
    int16 int32 int64 float double decimal: -7
    boolean: -
    string uri transformable: "-7"
    date binary uuid: -

  "+007"
    int16 int32 int64 float double decimal: 7
    boolean: -
    string uri transformable: "+007"
    binary: "+007"
    date uuid: -

  "1"
    int16 int32 int64 float double decimal: 1
    boolean: true
    string uri transformable: "1"
    date binary uuid: -

  "7.0"
    int16 int32 int64: -
    float double decimal: 7
    boolean: -
    string uri transformable: "7.0"
    date binary uuid: -

  ".5e1"
    int16 int32 int64: -
    float double decimal: 5
    boolean: -
    string uri transformable: ".5e1"
    date binary uuid: -

  "9223372036854775808"
    int16 int32 int64: -
    float: 9.223372e+18
    double: 9.223372036854776e+18
    decimal: 9223372036854775808
    boolean: -
    string uri transformable: "9223372036854775808"
    date binary uuid: -

  " 7"
    string transformable: " 7"
    int16 int32 int64 float double decimal boolean date binary uuid uri: -

  "7 apples"
    string transformable: "7 apples"
    int16 int32 int64 float double decimal boolean date binary uuid uri: -

  "NaN"
    string uri transformable: "NaN"
    int16 int32 int64 float double decimal boolean date binary uuid: -

  "0x10"
    string uri transformable: "0x10"
    binary: "0x10"
    int16 int32 int64 float double decimal boolean date uuid: -

  ""
    string transformable: ""
    binary: ""
    int16 int32 int64 float double decimal boolean date uuid uri: -

  "Yes"
    boolean: true
    string uri transformable: "Yes"
    int16 int32 int64 float double decimal date binary uuid: -

  "f"
    boolean: false
    string uri transformable: "f"
    int16 int32 int64 float double decimal date binary uuid: -

  "TRUE"
    boolean: true
    string uri binary transformable: "TRUE"
    int16 int32 int64 float double decimal date uuid: -

  "Ada"
    string uri transformable: "Ada"
    int16 int32 int64 float double decimal boolean date binary uuid: -

  "Ad\\u00e9"
    string transformable: "Ad\\u00e9"
    int16 int32 int64 float double decimal boolean date binary uuid uri: -

  "\\u0037"
    int16 int32 int64 float double decimal: 7
    string uri transformable: "7"
    boolean date binary uuid: -

  "AAEC/w=="
    string uri binary transformable: "AAEC/w=="
    int16 int32 int64 float double decimal boolean date uuid: -

  "AAEC\\r\\n/w=="
    binary: "AAEC/w=="
    string transformable: "AAEC\\r\\n/w=="
    int16 int32 int64 float double decimal boolean date uuid uri: -

  "AAEC_w"
    string uri transformable: "AAEC_w"
    int16 int32 int64 float double decimal boolean date binary uuid: -

  "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    uuid: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    string uri transformable: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    int16 int32 int64 float double decimal boolean date binary: -

  "https:\\/\\/example.com/a?b=c#d"
    string uri transformable: "https://example.com/a?b=c#d"
    int16 int32 int64 float double decimal boolean date binary uuid: -

  "2020-01-02T03:04:05.678+01:00"
    date: "2020-01-02T02:04:05.678Z"
    string transformable: "2020-01-02T03:04:05.678+01:00"
    int16 int32 int64 float double decimal boolean binary uuid uri: -

  "2020-02-30"
    string uri transformable: "2020-02-30"
    int16 int32 int64 float double decimal boolean date binary uuid: -

  [7]
    transformable: [7]
    int16 int32 int64 float double decimal boolean string date binary uuid uri: -

  {"a":null}
    transformable: {"a":null}
    int16 int32 int64 float double decimal boolean string date binary uuid uri: -

  null
    int16 int32 int64 float double decimal boolean string date binary uuid uri transformable: -
  """

@Suite struct ConversionTests {
  /// A JSON value and its conversions.
  struct Block: CustomTestStringConvertible, Sendable {
    let json: String
    /// The conversions in the order of the table, with nil for `-`.
    var cells: [(type: AttributeType, literal: String?)] = []
    var testDescription: String { json }
  }

  static let blocks: [Block] = table.split(separator: "\n").reduce(into: []) { blocks, line in
    guard line.hasPrefix("  ") else {
      blocks.append(Block(json: String(line)))
      return
    }
    guard let colon = line.firstIndex(of: ":"), !blocks.isEmpty else { return }
    let literal = line[line.index(colon, offsetBy: 2)...]
    for name in line[..<colon].split(separator: " ") {
      guard let type = AttributeType(rawValue: String(name)) else { continue }
      blocks[blocks.count - 1].cells.append((type, literal == "-" ? nil : String(literal)))
    }
  }

  @Test(arguments: blocks) func converts(block: Block) throws {
    let node = try JSONDocument(parsing: Array(block.json.utf8)).root
    for cell in block.cells {
      let value = AttributeValue(converting: node, to: cell.type, dateFormat: .iso8601)
      let expected = try cell.literal.map { try JSONDocument(parsing: Array($0.utf8)).root.value }
      #expect(value?.literal(type: cell.type).compactText() == expected?.compactText(), "\(cell.type)")
    }
  }

  @Test func theTableIsComplete() throws {
    for block in Self.blocks {
      let types = block.cells.map(\.type.rawValue).sorted()
      #expect(types == AttributeType.allCases.map(\.rawValue).sorted(), "\(block.json)")
    }
    let texts = Self.blocks.map(\.json)
    #expect(Set(texts).count == texts.count)
    let kinds = try texts.map { try JSONDocument(parsing: Array($0.utf8)).root.kind }
    #expect(Set(kinds) == Set(JSONKind.allCases))
    // Every line of the table is the first line of a block or a row of conversions.
    #expect(table.split(separator: "\n").count { !$0.hasPrefix("  ") } == Self.blocks.count)
    for type in AttributeType.allCases {
      #expect(Self.blocks.contains { $0.cells.contains { $0.type == type && $0.literal != nil } }, "\(type)")
    }
  }

  /// Rule: `values.date.no-format`.
  @Test func stringsAreNoDatesWithoutFormat() throws {
    let (text, number) = (try node("\"2020-01-02\""), try node("7"))
    #expect(AttributeValue(converting: text, to: .date, dateFormat: nil) == nil)
    #expect(
      AttributeValue(converting: number, to: .date, dateFormat: nil) == .date(Date(timeIntervalSince1970: 7)))
    let format = try DateFormat("dd.MM.yyyy")
    #expect(AttributeValue(converting: text, to: .date, dateFormat: format) == nil)
    let german = try node("\"02.01.2020\"")
    #expect(
      AttributeValue(converting: german, to: .date, dateFormat: format)
        == .date(Date(timeIntervalSince1970: 1_577_923_200)))
  }

  static let bounds: [(type: AttributeType, least: String, greatest: String, outside: [String])] = [
    (.int16, "-32768", "32767", ["-32769", "32768", "65536"]),
    (.int32, "-2147483648", "2147483647", ["-2147483649", "2147483648", "4294967296"]),
    (
      .int64, "-9223372036854775808", "9223372036854775807",
      ["-9223372036854775809", "9223372036854775808", "18446744073709551616", "1e19"]
    ),
  ]

  /// The bounds are tested as numbers and as strings. MMRecord truncated 64-bit strings to 32 bits.
  @Test(arguments: bounds)
  func integersKeepToTheirRange(type: AttributeType, least: String, greatest: String, outside: [String])
    throws
  {
    for text in [least, greatest] {
      for json in [text, "\"\(text)\"", "\(text).0"] {
        let value = AttributeValue(converting: try node(json), to: type, dateFormat: nil)
        #expect(
          value == Int64(text).map(AttributeValue.integer),
          "\(json)")
      }
    }
    for text in outside {
      #expect(AttributeValue(converting: try node(text), to: type, dateFormat: nil) == nil, "\(text)")
      #expect(
        AttributeValue(converting: try node("\"\(text)\""), to: type, dateFormat: nil) == nil, "\"\(text)\"")
    }
  }

  /// A number and a text with the same time result in the same date.
  @Test func numbersAndTextsMakeTheSameDate() throws {
    var seed: UInt64 = 1
    for _ in 0..<2000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let microseconds = Int64(seed >> 12) % 4_000_000_000_000_000 - 1_000_000_000_000_000
      let magnitude = String(abs(microseconds) + 1_000_000_000_000_000_000).dropFirst()
      let digits = (microseconds < 0 ? "-" : "") + (magnitude.dropLast(6).drop { $0 == "0" })
      let number = (digits.isEmpty || digits == "-" ? digits + "0" : digits) + "." + magnitude.suffix(6)
      guard case .date(let date) = AttributeValue(converting: try node(number), to: .date, dateFormat: nil)
      else {
        Issue.record("\(number) does not convert to a date")
        continue
      }
      let text = try node("\"\(rfc3339Text(date))\"")
      #expect(AttributeValue(converting: text, to: .date, dateFormat: .iso8601) == .date(date), "\(number)")
      #expect(abs(date.timeIntervalSince1970 - Double(microseconds) / 1e6) < 5e-7, "\(number)")
    }
  }

  private func node(_ json: String) throws -> JSONNode { try JSONDocument(parsing: Array(json.utf8)).root }
}
