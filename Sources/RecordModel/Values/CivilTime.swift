package import Foundation

/// A day and a time of day in the proleptic Gregorian calendar, set part by part while a text is read.
///
/// Parts that the text does not contain keep their initial values: midnight of January 1, 2000, UTC, as with
/// DateFormatter.
package struct CivilTime {
  /// The year. 0 is the year before year 1, as in ISO 8601. The readers accept at most nine digits.
  package var year = 2000
  package var month = 1
  package var day = 1
  /// The day of the year, starting at 1, if the text contains it instead of the month and the day.
  var dayOfYear: Int?
  package var hour = 0
  package var minute = 0
  package var second = 0
  var fraction = DecimalFraction()
  /// The offset from UTC in seconds, positive to the east; nil if the text names no zone.
  var offset: Int?

  package init() {}

  /// The date; nil if a part is out of range, as in February 30.
  package var date: Date? {
    guard isInRange else { return nil }
    return Date(secondsSinceReferenceDate: Int64(secondsSinceReferenceDate), fraction: fraction)
  }

  /// Sets the offset to that of a zone at this time of its clocks, unless the text names another one. Of a time that the
  /// clocks show twice, the first counts. A time that they skip is read with the offset before the change.
  mutating func setZone(_ zone: TimeZone?) {
    guard offset == nil, let zone else { return }
    let clock = Date(timeIntervalSinceReferenceDate: Double(secondsSinceReferenceDate))
    let before = zone.secondsFromGMT(for: clock.addingTimeInterval(-86400))
    let after = zone.secondsFromGMT(for: clock.addingTimeInterval(86400))
    func applies(_ offset: Int) -> Bool {
      zone.secondsFromGMT(for: clock.addingTimeInterval(-Double(offset))) == offset
    }
    offset = !applies(before) && applies(after) ? after : before
  }

  /// The whole seconds since 2001-01-01T00:00:00Z. Parts may be out of range: February 30 is counted as a day in March.
  package var secondsSinceReferenceDate: Int {
    let daysBefore = dayOfYear ?? Self.daysBefore(month: month, isLeap: Self.isLeap(year)) + day
    let days = Self.daysBefore(year: year) - Self.referenceDay + daysBefore - 1
    return days * 86400 + hour * 3600 + minute * 60 + second - (offset ?? 0)
  }

  private var isInRange: Bool {
    guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second else { return false }
    let isLeap = Self.isLeap(year)
    if let dayOfYear { return 1...(isLeap ? 366 : 365) ~= dayOfYear }
    guard 1...12 ~= month else { return false }
    let first = Self.daysBefore(month: month, isLeap: isLeap)
    let next = month == 12 ? first + 31 : Self.daysBefore(month: month + 1, isLeap: isLeap)
    return 1...(next - first) ~= day
  }
}

extension CivilTime {
  /// Creates the day and time of day, in UTC, of a number of whole seconds since 2001-01-01T00:00:00Z.
  init(secondsSinceReferenceDate seconds: Int64) {
    let (days, secondOfDay) = floorDivide(Int(seconds), by: 86400)
    let (cycles, dayOfCycle) = floorDivide(days + Self.referenceDay, by: 146_097)
    // Without `min`, the last day of a leap cycle would count as an additional year or century.
    let centuries = min(dayOfCycle / 36524, 3)
    let dayOfCentury = dayOfCycle - centuries * 36524
    let dayOfFourYears = dayOfCentury % 1461
    let years = min(dayOfFourYears / 365, 3)
    year = cycles * 400 + centuries * 100 + dayOfCentury / 1461 * 4 + years + 1

    let isLeap = Self.isLeap(year)
    let dayInYear = dayOfFourYears - years * 365
    month = 12
    while Self.daysBefore(month: month, isLeap: isLeap) > dayInYear { month -= 1 }
    day = dayInYear - Self.daysBefore(month: month, isLeap: isLeap) + 1
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
  }

  /// 2001-01-01, the reference date of Foundation, in days since 0001-01-01.
  private static let referenceDay = 730_485

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Returns the days from 0001-01-01 to January 1 of the year.
  private static func daysBefore(year: Int) -> Int {
    let years = year - 1
    return years * 365 + floorDivide(years, by: 4).quotient - floorDivide(years, by: 100).quotient
      + floorDivide(years, by: 400).quotient
  }

  /// Returns the days from January 1 to the first of the month. The fraction distributes months of 30 and 31 days as
  /// the calendar does. It assumes 30 days for February, so the difference is subtracted.
  private static func daysBefore(month: Int, isLeap: Bool) -> Int {
    (367 * month - 362) / 12 - (month <= 2 ? 0 : isLeap ? 1 : 2)
  }
}

/// Returns the quotient rounded toward negative infinity, and a remainder that is never negative. `divisor` is
/// positive.
private func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

/// The digits after the decimal point of a second.
struct DecimalFraction {
  /// The digits as a number, for example 78 for `.078`.
  private(set) var digits: Int64 = 0
  /// The number of digits. It is at most 18, which fits an Int64 and is far more precise than a Date.
  private(set) var places = 0

  static let maximumPlaces = 18

  init() {}

  init(digits: Int64, places: Int) {
    self.digits = digits
    self.places = places
  }

  mutating func append(_ digit: Int) {
    guard places < Self.maximumPlaces else { return }
    digits = digits * 10 + Int64(digit)
    places += 1
  }

  /// The difference to a whole second.
  var complement: DecimalFraction {
    DecimalFraction(digits: Self.powersOfTen[places] - digits, places: places)
  }

  var seconds: Double { digits == 0 ? 0 : Double(digits) / Double(Self.powersOfTen[places]) }

  /// The powers of ten from 1 up to the maximum number of places.
  static let powersOfTen: [Int64] = (0..<maximumPlaces).reduce(into: [1]) { powers, _ in
    powers.append((powers.last ?? 1) * 10)
  }
}

extension Date {
  /// Creates the Date nearest to a number of whole seconds since 2001-01-01T00:00:00Z plus a fraction of a second.
  ///
  /// A Date is a Double of seconds since 2001. The conversion through seconds since 1970, as in older parts of
  /// Foundation, loses up to a quarter of a microsecond. The result is equal to that of `Date.ISO8601FormatStyle`.
  init(secondsSinceReferenceDate seconds: Int64, fraction: DecimalFraction) {
    // Before 2001, the complement of the fraction has the sign of the interval, so that no digits are lost.
    let interval =
      seconds < 0 && fraction.digits > 0
      ? -(Double(-(seconds + 1)) + fraction.complement.seconds)
      : Double(seconds) + fraction.seconds
    self.init(timeIntervalSinceReferenceDate: interval)
  }
}
