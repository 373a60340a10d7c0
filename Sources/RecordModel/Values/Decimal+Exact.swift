package import Foundation
package import JSONTree

extension Decimal {
  /// Creates exactly the given number; nil if it has more than 38 digits or an exponent outside of -128…127.
  ///
  /// The digits are passed to `Decimal(string:locale:)` in a form that it reads without loss. For other forms it stops
  /// at unknown characters and rounds numbers that it cannot represent.
  package init?(exactly number: DecimalDigits) {
    let count = number.significand.count
    // Outside of this range of the decimal point no number fits, regardless of its digits.
    guard count <= 38, let point = number.point, -127...165 ~= point else { return nil }
    let exponent = point - count
    guard exponent >= -128 else { return nil }
    // 1e130 is represented as 1000e127.
    let zeros = max(0, exponent - 127)
    guard count + zeros <= 38 else { return nil }
    if number.significand.isEmpty {
      self = 0
      return
    }
    let digits = String(decoding: number.significand, as: UTF8.self) + String(repeating: "0", count: zeros)
    let text = "\(number.isNegative ? "-" : "")\(digits)e\(exponent - zeros)"
    guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), value.isFinite,
      DecimalDigits(utf8: value.exactText.utf8) == number
    else { return nil }
    self = value
  }

  /// All digits of the number, without an exponent: `-12.5`, `1000000`.
  package var exactText: String { description }
}
