/// A JSON number that keeps all its digits as written, so that the conversion to an attribute loses none.
///
/// Numbers are compared by their exact numeric value: `1`, `1.0` and `10e-1` are equal.
public struct JSONNumber: Sendable {
  /// The number as JSON text, for example `-12.50` or `1e3`.
  public let digits: String

  /// Creates a number from its JSON text; nil unless `digits` conforms to the grammar of RFC 8259 and is shorter than 1
  /// GiB.
  public init?(digits: String) {
    guard digits.utf8.count <= TapeWord.maximumLength,
      let first = digits.utf8.first, first.isDigit || first == .minus
    else { return nil }
    let isNumber = withUTF8(digits) { bytes in
      var position = 0
      return (try? Parser.number(bytes, &position)) != nil && position == bytes.count
    }
    guard isNumber else { return nil }
    self.digits = digits
  }

  /// Creates a number from digits whose grammar the parser has checked.
  package init(checkedDigits: String) { digits = checkedDigits }

  /// Creates a number from an integer.
  public init(_ value: Int64) { digits = String(value) }

  /// Creates a number with the fewest digits that read back as `value`: `0.1`, `1`, `1e+16`. Returns nil for infinities
  /// and NaN, which JSON does not have.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let text = value.description
    digits = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A Boolean value that indicates whether the number has no fraction in any notation: `7`, `7.0` and `70e-1` have
  /// none.
  public var isInteger: Bool {
    if Self.plainInteger(digits.utf8) != nil { return true }
    return decimal?.isInteger ?? false
  }

  /// The number as an integer, regardless of its notation; nil if it has a fraction or is out of range.
  public var int64Value: Int64? {
    Self.plainInteger(digits.utf8) ?? decimal?.int64Value
  }

  /// The nearest double; nil if the magnitude of the number is too large.
  public var doubleValue: Double? {
    guard let value = Double(digits), value.isFinite else { return nil }
    return value
  }

  /// The digits of the number. Never nil, because `digits` conforms to the grammar.
  private var decimal: DecimalDigits? { DecimalDigits(self) }

  /// Returns the value of an integer that is written as an optional sign and digits; nil for other notations and if it
  /// is out of range.
  static func plainInteger(_ text: some Collection<UInt8>) -> Int64? {
    let isNegative = text.first == .minus
    // Accumulate a negative number, because the range has one more of these.
    var value: Int64 = 0
    for byte in isNegative ? text.dropFirst() : text[...] {
      guard byte.isDigit else { return nil }
      let (shifted, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = shifted.subtractingReportingOverflow(Int64(byte - .zero))
      guard !overflows, !overflowsToo else { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }
}

extension JSONNumber: Hashable, Comparable {
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.digits == right.digits || left.worth == right.worth
  }

  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    if let left = left.int64Value, let right = right.int64Value { return left < right }
    guard let left = left.decimal, let right = right.decimal else { return false }
    return left < right
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(worth) }

  /// The value that equal numbers share: the integer for a 64-bit integer, the digits for other numbers.
  private var worth: Worth { int64Value.map(Worth.integer) ?? .decimal(decimal) }

  private enum Worth: Hashable {
    case integer(Int64)
    case decimal(DecimalDigits?)
  }
}

extension JSONNumber: CustomStringConvertible {
  public var description: String { digits }
}
