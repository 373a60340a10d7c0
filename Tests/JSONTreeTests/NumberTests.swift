import TestSupport
import Testing

@testable import JSONTree

@Suite struct NumberTests {
  @Test(arguments: ["0", "-0", "7", "-12.50", "1e3", "1E+3", "0.0e-0", "123456789012345678901234567890"])
  func accepts(text: String) { #expect(JSONNumber(digits: text)?.digits == text) }

  @Test(arguments: [
    "", "-", "+1", "01", "-01", ".5", "1.", "1e", "1e+", "1 ", " 1", "0x1", "1_000", "inf", "nan", "1,0", "١",
    "--1",
  ])
  func refuses(text: String) { #expect(JSONNumber(digits: text) == nil) }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (1, "1"), (0.1, "0.1"), (-2.5, "-2.5"), (1e16, "1e+16"),
    (.leastNonzeroMagnitude, "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308"), (0.30000000000000004, "0.30000000000000004"),
  ])
  func doublesInFewestDigits(value: Double, digits: String) throws {
    let number = try #require(JSONNumber(value))
    #expect(number.digits == digits)
    #expect(JSONNumber(digits: digits) != nil)
    #expect(number.doubleValue == value)
  }

  @Test func notEveryDoubleIsANumber() {
    #expect(JSONNumber(Double.infinity) == nil)
    #expect(JSONNumber(-Double.infinity) == nil)
    #expect(JSONNumber(Double.nan) == nil)
  }

  @Test func doublesComeBack() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      let value = Double(bitPattern: random.next())
      guard let number = JSONNumber(value) else { continue }
      #expect(JSONNumber(digits: number.digits)?.doubleValue == value)
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("-0.0e9", 0), ("0e99999999999999999999", 0), ("1.0", 1), ("1e3", 1_000),
      ("10e-1", 1),
      ("-120e-1", -12), ("0.0001e5", 10), ("1.5", nil), ("1e-1", nil), ("9223372036854775807", .max),
      ("9223372036854775807.0", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
      ("-9223372036854775808.00e0", .min), ("-9223372036854775809", nil), ("1e18", 1_000_000_000_000_000_000),
      ("1e19", nil), ("1e999999999", nil), ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil),
      ("12300e-2", 123), ("00000000000000000001", nil),
    ] as [(String, Int64?)])
  func integers(text: String, value: Int64?) {
    #expect(JSONNumber(digits: text).flatMap(\.int64Value) == value)
  }

  @Test(arguments: [
    ("7", true), ("7.0", true), ("70e-1", true), ("7.5", false), ("75e-1", false), ("0.0", true),
    ("1e400", true),
    ("1e99999999999999999999", true), ("1e-99999999999999999999", false), ("0e-99999999999999999999", true),
    ("123456789012345678901234567890", true), ("-0.5", false), ("1.25e2", true), ("1.25e1", false),
  ])
  func isInteger(text: String, expected: Bool) {
    #expect(JSONNumber(digits: text)?.isInteger == expected)
  }

  @Test(
    arguments: [
      ("1.5", 1.5), ("-0", -0.0), ("1e308", 1e308), ("1e309", nil), ("-1e999999999", nil), ("1e-400", 0),
      ("1e99999999999999999999", nil), ("0.1", 0.1), ("2.2250738585072014e-308", .leastNormalMagnitude),
    ] as [(String, Double?)])
  func doubles(text: String, value: Double?) {
    #expect(JSONNumber(digits: text).flatMap(\.doubleValue) == value)
  }

  /// Groups of equal numbers, in ascending order.
  private static let ascending: [[String]] = [
    ["-1e99999999999999999999999999"],
    ["-1e400", "-10e399", "-0.1e401"],
    ["-9223372036854775809", "-9223372036854775809.0"],
    ["-9223372036854775808"],
    ["-2"],
    ["-1.5", "-15e-1"],
    ["-1e-99999999999999999999999999"],
    ["0", "-0", "0.0", "0e5", "-0e99999999999999999999999999"],
    ["1e-99999999999999999999999999", "0.1e-99999999999999999999999998", "10e-100000000000000000000000000"],
    ["2e-99999999999999999999999999"],
    ["0.1", "1e-1", "0.10"],
    ["0.10000000000000000000000000000001"],
    ["1", "1.0", "10e-1", "0.1e1", "1e0", "1E-0"],
    ["1.5"],
    ["10", "1e1"],
    ["9007199254740992"],
    ["9007199254740993"],
    ["9223372036854775807", "9223372036854775807.00"],
    ["9223372036854775808"],
    ["1e9223372036854775806", "0.1e9223372036854775807", "0.01e9223372036854775808"],
    ["1e9223372036854775807", "10e9223372036854775806", "0.1e9223372036854775808"],
    ["1e9223372036854775808", "100e9223372036854775806"],
    ["9e99999999999999999999999999"],
    ["1e100000000000000000000000000", "10e99999999999999999999999999"],
  ]

  @Test func equalityHashingAndOrderAgree() throws {
    let numbers = try Self.ascending.enumerated().flatMap { rank, texts in
      try texts.map { (rank, try #require(JSONNumber(digits: $0))) }
    }
    for (leftRank, left) in numbers {
      for (rightRank, right) in numbers {
        #expect((left == right) == (leftRank == rightRank), "\(left) == \(right)")
        #expect((left < right) == (leftRank < rightRank), "\(left) < \(right)")
        if leftRank == rightRank { #expect(left.hashValue == right.hashValue, "\(left), \(right)") }
      }
    }
    #expect(Set(numbers.map(\.1)).count == Self.ascending.count)
  }

  @Test func agreesWithIntegers() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let left = Int64(truncatingIfNeeded: random.next()) >> Int64(random.next(below: 64))
      let right = Int64(truncatingIfNeeded: random.next()) >> Int64(random.next(below: 64))
      #expect((JSONNumber(left) < JSONNumber(right)) == (left < right))
      #expect((JSONNumber(left) == JSONNumber(right)) == (left == right))
      let decimals = [left, right].compactMap { DecimalDigits(JSONNumber($0)) }
      #expect((decimals[0] < decimals[1]) == (left < right))
      #expect(decimals[0].int64Value == left)
      #expect(JSONNumber(left) == JSONNumber(digits: "\(left).00e-0"))
    }
  }

  @Test func endlessDigitsTakeNoTime() throws {
    let long = try #require(JSONNumber(digits: "1" + String(repeating: "0", count: 100_000)))
    #expect(long == JSONNumber(digits: "1e100000"))
    #expect(long.int64Value == nil && long.doubleValue == nil && long.isInteger)
  }
}
