package import Foundation
package import JSONTree

extension Date {
  /// Creates the Date nearest to a number of seconds or milliseconds since 1970-01-01T00:00:00Z. No digit is rounded to a Double
  /// before the final conversion. Returns nil if a Date cannot represent every second in that range (2^53 seconds, 285 million
  /// years).
  ///
  /// Rule: `values.date.unix`.
  package init?(since1970 number: DecimalDigits, in unit: UnixUnit = .seconds) {
    // The number of digits before the decimal point of the seconds; 2^53 has 16.
    guard let point = number.point.map({ $0 - unit.places }), point <= 16 else { return nil }
    var seconds: Int64 = 0
    var fraction = DecimalFraction()
    for _ in 0..<max(0, -max(point, -DecimalFraction.maximumPlaces)) { fraction.append(0) }
    for (position, byte) in number.significand.enumerated() {
      let digit = decimalDigit(byte) ?? 0
      if position < point { seconds = seconds * 10 + Int64(digit) } else { fraction.append(digit) }
    }
    for _ in 0..<max(0, point - number.significand.count) { seconds *= 10 }

    if number.isNegative {
      seconds = -seconds
      if fraction.digits > 0 {
        seconds -= 1
        fraction = fraction.complement
      }
    }
    let sinceReferenceDate = seconds - Int64(Date.timeIntervalBetween1970AndReferenceDate)
    guard abs(sinceReferenceDate) < 1 << 53 else { return nil }
    self.init(secondsSinceReferenceDate: sinceReferenceDate, fraction: fraction)
  }
}

/// The unit of a number that is a date.
package enum UnixUnit: Sendable {
  case seconds, milliseconds

  /// The number of decimal places of a second that the unit has.
  fileprivate var places: Int { self == .seconds ? 0 : 3 }
}
