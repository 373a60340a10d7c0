import Foundation

/// Dates as HTTP writes them (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, and the two older forms
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
enum HTTPDate {
  /// The date that a text says, or nil if it is none.
  ///
  /// Letters may be of any case, blanks may stand around it, and `UTC` counts as `GMT`; any other zone makes it none. The
  /// day of the week is not compared with the date: it adds nothing, and servers get it wrong.
  ///
  /// - Parameter now: What a year of two digits is read by: the latest that is not more than 50 years after it.
  static func date(_ text: String, now: Date) -> Date? {
    var scanner = Scanner(text)
    guard let moment = scanner.moment(), scanner.isAtEnd else { return nil }
    var year = moment.year
    if moment.hasShortYear {
      // 50 years are taken from the year rather than added to now, which may be any date at all.
      let latest = (0..<100).map { $0 * 100 + moment.year }
        .last { moment.seconds(inYear: $0 - 50) <= now.timeIntervalSince1970 }
      guard let latest else { return nil }
      year = latest
    }
    guard moment.day <= days(inMonth: moment.month, of: year) else { return nil }
    return Date(timeIntervalSince1970: moment.seconds(inYear: year))
  }

  /// What a text says, each part in its range, but for the number of days of the month.
  private struct Moment {
    var year: Int
    var hasShortYear = false
    /// From 1.
    var month: Int
    var day: Int
    var time: Int

    /// Since 1970, as if it were in that year.
    func seconds(inYear year: Int) -> Double {
      Double((HTTPDate.days(toYear: year, month: month) + day - 1) * 86_400 + time)
    }
  }

  // MARK: The calendar

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days from 1970 to the first of a month, in the calendar that HTTP has for all times.
  private static func days(toYear year: Int, month: Int) -> Int {
    // 400 years have 146,097 days; counted from a year in front of all that can be written.
    let before = year + 400 - 1
    let toYear = before * 365 + before / 4 - before / 100 + before / 400 - 146_097
    let toMonth = (1..<month).reduce(0) { $0 + days(inMonth: $1, of: year) }
    return toYear + toMonth - 719_162
  }

  // MARK: Reading

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]

  private struct Scanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
      let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      // No date is longer; what is, is not looked at.
      let bytes = text.utf8.drop(while: isBlank).prefix(1_000)
      rest = Array(bytes.reversed().drop(while: isBlank).reversed())[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func moment() -> Moment? {
      guard let weekday = word() else { return nil }
      let isLong = HTTPDate.weekdays.contains(weekday)
      guard isLong || HTTPDate.weekdays.contains(where: { $0.prefix(3) == weekday }) else { return nil }
      if !isLong, take(" ") { return momentOfC() }
      guard take(","), take(" ") else { return nil }
      let separator: Character = isLong ? "-" : " "
      guard let day = number(2), take(separator), let month = month(), take(separator),
        let year = number(isLong ? 2 : 4), take(" "), let time = time(), take(" "),
        let zone = word(), zone == "gmt" || zone == "utc", day >= 1
      else { return nil }
      return Moment(year: year, hasShortYear: isLong, month: month, day: day, time: time)
    }

    /// What C's `asctime` writes, behind the day of the week.
    private mutating func momentOfC() -> Moment? {
      guard let month = month(), take(" "), let day = take(" ") ? number(1) : number(2), take(" "),
        let time = time(), take(" "), let year = number(4), day >= 1
      else { return nil }
      return Moment(year: year, month: month, day: day, time: time)
    }

    private mutating func month() -> Int? {
      word().flatMap { HTTPDate.months.firstIndex(of: $0) }.map { $0 + 1 }
    }

    /// The seconds since midnight. A leap second is the one before it: the clock has none, and what expires does so no
    /// later than it says.
    private mutating func time() -> Int? {
      guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2),
        hour < 24, minute < 60, second <= 60
      else { return nil }
      return hour * 3600 + minute * 60 + min(second, 59)
    }

    /// The letters that come next, in lower case.
    private mutating func word() -> String? {
      let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
      rest = rest[letters.endIndex...]
      return letters.isEmpty ? nil : String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self)
    }

    /// A number of exactly so many digits.
    private mutating func number(_ count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest = rest[digits.endIndex...]
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func take(_ character: Character) -> Bool {
      guard let byte = rest.first, byte == character.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
  }
}
