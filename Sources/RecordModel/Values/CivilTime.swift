package import Foundation

/// A day and a time of day in the proleptic Gregorian calendar, as it is put together while a text is read.
///
/// What the text does not say stays as it starts out: midnight of the first of January 2000, UTC, which is
/// what DateFormatter takes.
package struct CivilTime {
  /// 0 is the year before year 1, as in ISO 8601. The readers let at most nine digits through.
  package var year = 2000
  package var month = 1
  package var day = 1
  /// The day of the year from 1, where the text says that instead of month and day.
  var dayOfYear: Int?
  package var hour = 0
  package var minute = 0
  package var second = 0
  var fraction = DecimalFraction()
  /// Seconds east of UTC.
  var offset = 0

  package init() {}

  /// The moment; nil if a part is out of its range, as in 30 February.
  package var date: Date? {
    guard isInRange else { return nil }
    return Date(secondsSinceReferenceDate: Int64(secondsSinceReferenceDate), fraction: fraction)
  }

  /// The whole seconds since 2001-01-01T00:00:00Z, whether or not the parts are in their ranges: 30 February counts on into
  /// March.
  package var secondsSinceReferenceDate: Int {
    let daysBefore = dayOfYear ?? Self.daysBefore(month: month, isLeap: Self.isLeap(year)) + day
    let days = Self.daysBefore(year: year) - Self.referenceDay + daysBefore - 1
    return days * 86400 + hour * 3600 + minute * 60 + second - offset
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
  /// The day and time of day, UTC, of a number of whole seconds since 2001-01-01T00:00:00Z.
  init(secondsSinceReferenceDate seconds: Int64) {
    let (days, secondOfDay) = floorDivide(Int(seconds), by: 86400)
    let (cycles, dayOfCycle) = floorDivide(days + Self.referenceDay, by: 146_097)
    // The last day of a leap cycle would count as a year or century of its own, hence `min`.
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

  /// 2001-01-01, where Foundation's dates count from, in days since 0001-01-01.
  private static let referenceDay = 730_485

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Days from 0001-01-01 to the first of January of the year.
  private static func daysBefore(year: Int) -> Int {
    let years = year - 1
    return years * 365 + floorDivide(years, by: 4).quotient - floorDivide(years, by: 100).quotient
      + floorDivide(years, by: 400).quotient
  }

  /// Days from the first of January to the first of the month. The fraction spreads months of 30 and 31 days
  /// as the calendar does; what it takes February to be too long is given back.
  private static func daysBefore(month: Int, isLeap: Bool) -> Int {
    (367 * month - 362) / 12 - (month <= 2 ? 0 : isLeap ? 1 : 2)
  }
}

/// The quotient rounded towards minus infinity, and a remainder that is never negative. `divisor` is
/// positive.
private func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

/// The digits after the point of a second.
struct DecimalFraction {
  /// The digits as a number: 78 for `.078`.
  private(set) var digits: Int64 = 0
  /// How many digits there are, 18 at most: what an Int64 holds, and far finer than a Date is.
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

  /// What is missing to a whole second.
  var complement: DecimalFraction {
    DecimalFraction(digits: Self.powersOfTen[places] - digits, places: places)
  }

  var seconds: Double { digits == 0 ? 0 : Double(digits) / Double(Self.powersOfTen[places]) }

  /// 1, 10, 100, … up to the greatest number of places.
  static let powersOfTen: [Int64] = (0..<maximumPlaces).reduce(into: [1]) { powers, _ in
    powers.append((powers.last ?? 1) * 10)
  }
}

extension Date {
  /// The Date nearest to whole seconds since 2001-01-01T00:00:00Z and a fraction of a second after them.
  ///
  /// A Date is a Double of seconds since 2001. To go through seconds since 1970, as older parts of Foundation
  /// do, costs up to a quarter of a microsecond; this is what `Date.ISO8601FormatStyle` makes.
  init(secondsSinceReferenceDate seconds: Int64, fraction: DecimalFraction) {
    // Before 2001 the fraction points away from zero, where it has the most digits.
    let interval =
      seconds < 0 && fraction.digits > 0
      ? -(Double(-(seconds + 1)) + fraction.complement.seconds)
      : Double(seconds) + fraction.seconds
    self.init(timeIntervalSinceReferenceDate: interval)
  }
}
