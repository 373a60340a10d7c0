import RecordSpec
import Testing

/// Tests for plain scalars in the core schema of YAML 1.2.
@Suite struct YAMLScalarTests {
  @Test(arguments: ["", "~", "null", "Null", "NULL"])
  func nulls(text: String) { #expect(YAMLScalarValue(plain: text) == .null) }

  @Test(arguments: [
    ("true", true), ("True", true), ("TRUE", true), ("false", false), ("False", false), ("FALSE", false),
  ])
  func booleans(text: String, value: Bool) { #expect(YAMLScalarValue(plain: text) == .boolean(value)) }

  @Test(arguments: [
    ("0", "0"), ("-0", "-0"), ("12", "12"), ("012", "12"), ("+5", "5"), ("-007", "-7"), ("0o17", "15"),
    ("0xfF", "255"), ("0x0", "0"), ("123456789012345678901234567890", "123456789012345678901234567890"),
    ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
  ])
  func integers(text: String, digits: String) {
    #expect(YAMLScalarValue(plain: text) == .number(digits: digits, isInteger: true))
  }

  @Test(arguments: [
    ("1.50", "1.50"), (".5", "0.5"), ("5.", "5.0"), ("1e3", "1e3"), ("-1.5E+3", "-1.5E+3"), ("01.5", "1.5"),
    ("+.5e-1", "0.5e-1"), ("1.e3", "1.0e3"),
  ])
  func floats(text: String, digits: String) {
    #expect(YAMLScalarValue(plain: text) == .number(digits: digits, isInteger: false))
  }

  @Test(arguments: [".inf", "-.INF", "+.Inf", ".nan", ".NaN", ".NAN"])
  func valuesWithoutJSON(text: String) { #expect(YAMLScalarValue(plain: text) == .noNumber(text)) }

  @Test(arguments: [
    "no", "off", "yes", "On", "y", "nULL", "tRue", "-", "+", ".", "e3", "1e", "1e+", "1.2.3", "0o8", "0x",
    "0o",
    "0xG", "-0x1", "0x-1", "1_000", "190:20:30", "2001-01-01", "12a", "--1", "+-1", "-.nan", "Ⅷ", "１２", "0b1",
  ])
  func strings(text: String) { #expect(YAMLScalarValue(plain: text) == .string(text)) }

  @Test func integersBeyond64Bits() {
    #expect(YAMLScalarValue(plain: "0x1FFFFFFFFFFFFFFFF") == .tooLarge("0x1FFFFFFFFFFFFFFFF"))
  }
}
