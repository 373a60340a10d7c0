import Foundation
import JSONTree
import RecordModel
import TestSupport
import Testing

@Suite struct DecimalTests {
  /// Texts with their exact decimal values; nil if a Decimal cannot represent the number, or if the text is not a
  /// number.
  static let rows: [(text: String, exact: String?)] = [
    ("0", "0"), ("-0", "0"), ("0.00", "0"), ("0e99999999999999999999", "0"), ("1", "1"), ("-1", "-1"),
    ("+1", "1"),
    ("007", "7"), ("12.50", "12.5"), (".5", "0.5"), ("5.", "5"), ("0.1", "0.1"), ("1e3", "1000"),
    ("1E+3", "1000"),
    ("1e-3", "0.001"), ("-12.5e1", "-125"), ("100e-2", "1"),
    // 38 digits, and one more
    ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
    ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
    ("123456789012345678901234567890123456789", nil),
    ("0.123456789012345678901234567890123456789", nil),
    ("1234567890123456789012345678901234567800", "1234567890123456789012345678901234567800"),
    // The ends of the exponent
    ("1e-128", "0." + String(repeating: "0", count: 127) + "1"), ("1e-129", nil),
    ("1e127", "1" + String(repeating: "0", count: 127)), ("1e128", "1" + String(repeating: "0", count: 128)),
    ("1e164", "1" + String(repeating: "0", count: 164)), ("1e165", nil), ("1e99999999999999999999", nil),
    ("1e-99999999999999999999", nil), ("1e9223372036854775807", nil), ("1e-9223372036854775808", nil),
    // Not numbers
    ("", nil), ("-", nil), (".", nil), ("e3", nil), ("1e", nil), ("1e+", nil), ("1.2.3", nil), ("12x", nil),
    (" 1", nil), ("1 ", nil), ("1_000", nil), ("1,5", nil), ("--1", nil), ("1e1e1", nil), ("1e1.5", nil),
    ("NaN", nil), ("inf", nil), ("0x10", nil), ("٣", nil),
  ]

  @Test(arguments: rows) func isExactOrNothing(text: String, exact: String?) {
    let value = DecimalDigits(utf8: text.utf8).flatMap(Decimal.init(exactly:))
    #expect(value?.exactText == exact)
  }

  @Test func readsBackWhateverItHolds() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<3000 {
      let count = Int.random(in: 1...38, using: &random)
      let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      let text = "-1\(digits.dropFirst())e\(Int.random(in: -128...127, using: &random))"
      let value = DecimalDigits(utf8: text.utf8).flatMap(Decimal.init(exactly:))
      #expect(value != nil, "\(text)")
      let again = value.flatMap { DecimalDigits(utf8: $0.exactText.utf8) }
      #expect(again == DecimalDigits(utf8: text.utf8), "\(text)")
      #expect(again.flatMap(Decimal.init(exactly:)) == value, "\(text)")
    }
  }

  @Test func exponentsHaveAnEnd() {
    #expect(DecimalDigits(utf8: "1e1000000000000".utf8)?.text == "1e+1000000000000")
    #expect(DecimalDigits(utf8: "1e1000000000001".utf8) == nil)
    #expect(DecimalDigits(utf8: "1e-1000000000001".utf8) == nil)
    #expect(DecimalDigits(utf8: "0e1000000000001".utf8)?.text == "0")
  }

  static let texts: [(text: String, shortest: String)] = [
    ("0", "0"), ("-0.0", "0"), ("12.50", "12.5"), ("1e3", "1000"), ("1.0", "1"), ("-0.5", "-0.5"),
    ("5e-1", "0.5"),
    ("0.000001", "0.000001"), ("0.0000001", "1e-7"), ("15e-8", "1.5e-7"), ("1e20", "100000000000000000000"),
    ("123456789012345678901", "123456789012345678901"), ("1e21", "1e+21"), ("-12e20", "-1.2e+21"),
    ("0.1234567890123456789", "0.1234567890123456789"), ("12.345e1", "123.45"),
    ("1e999999999", "1e+999999999"),
  ]

  @Test(arguments: texts) func writesTheShortestText(text: String, shortest: String) {
    #expect(DecimalDigits(utf8: text.utf8)?.text == shortest)
  }
}

@Suite struct Base64Tests {
  static let rows: [(text: String, bytes: [UInt8]?)] = [
    ("", []), ("AA==", [0]), ("AAE=", [0, 1]), ("AAEC", [0, 1, 2]), ("+/+/", [0xFB, 0xFF, 0xBF]),
    ("/w==", [0xFF]),
    ("A", nil), ("AA", nil), ("AAE", nil), ("AA=", nil), ("AAE==", nil), ("=", nil), ("====", nil),
    ("AA==AA==", nil),
    ("AB==", nil), ("AAF=", nil), ("-_-_", nil), ("AA EC", nil), ("AAEC\n", nil), ("AAE*", nil),
    ("é===", nil),
  ]

  @Test(arguments: rows) func decodes(text: String, bytes: [UInt8]?) {
    #expect(data(base64: text.utf8) == bytes.map { Data($0) })
  }

  @Test func skipsLineBreaksWhereTheyAreAllowed() {
    #expect(data(base64: "AA\r\nEC\n".utf8, allowingLineBreaks: true) == Data([0, 1, 2]))
    #expect(data(base64: "AA EC".utf8, allowingLineBreaks: true) == nil)
  }

  @Test func readsWhatFoundationWrites() {
    var random = SeededGenerator(seed: 17)
    for count in 0..<200 {
      let bytes = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      #expect(data(base64: bytes.base64EncodedString().utf8) == bytes)
      let lines = bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithCarriageReturn])
      #expect(data(base64: lines.utf8, allowingLineBreaks: true) == bytes)
    }
  }
}
