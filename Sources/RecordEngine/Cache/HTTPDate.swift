import Foundation
import RecordModel

/// The date formats of HTTP (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, and the obsolete formats
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
enum HTTPDate {
  /// Returns the date that a text represents, or nil if the text is not a date.
  ///
  /// Letters may have any case, and blanks may surround the date. A time zone other than `GMT` is invalid. The day of
  /// the week is not compared with the date: it adds no information, and servers get it wrong.
  ///
  /// - Parameter now: the date that determines the century of a two-digit year. The year is the latest that is not more
  ///   than 50 years after this date.
  static func date(_ text: String, now: Date) -> Date? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = ByteReader(bytes)
      reader.skipBlanks()
      guard var moment = moment(&reader) else { return nil }
      reader.skipBlanks()
      guard reader.isAtEnd else { return nil }
      if moment.hasShortYear {
        guard let year = latestYear(of: moment.time, now: now) else { return nil }
        moment.time.year = year
      }
      return moment.time.date
    }
  }

  /// Returns the latest year that ends with the two digits of a time's year and is not more than 50 years after `now`.
  private static func latestYear(of time: CivilTime, now: Date) -> Int? {
    (0..<100).map { $0 * 100 + time.year }.last { year in
      // The 50 years are subtracted from the year and not added to `now`, because `now` may be any date.
      var earlier = time
      earlier.year = year - 50
      return Double(earlier.secondsSinceReferenceDate) <= now.timeIntervalSinceReferenceDate
    }
  }

  // MARK: Reading

  private static func moment(_ reader: inout ByteReader) -> (time: CivilTime, hasShortYear: Bool)? {
    let isLong = reader.takeOne(of: CalendarNames.weekdays) != nil
    guard isLong || reader.takeOne(of: CalendarNames.shortWeekdays) != nil else { return nil }
    var time = CivilTime()
    if !isLong, reader.take(UInt8(ascii: " ")) {
      // The format of C's `asctime`.
      guard let month = month(&reader), reader.take(UInt8(ascii: " ")),
        let day = reader.takeNumber(digits: reader.take(UInt8(ascii: " ")) ? 1 : 2),
        reader.take(UInt8(ascii: " ")),
        readTime(into: &time, &reader), reader.take(UInt8(ascii: " ")),
        let year = reader.takeNumber(digits: 4)
      else { return nil }
      (time.year, time.month, time.day) = (year, month, day)
      return (time, false)
    }
    guard reader.take(UInt8(ascii: ",")), reader.take(UInt8(ascii: " ")) else { return nil }
    let separator = isLong ? UInt8(ascii: "-") : UInt8(ascii: " ")
    guard let day = reader.takeNumber(digits: 2), reader.take(separator), let month = month(&reader),
      reader.take(separator), let year = reader.takeNumber(digits: isLong ? 2 : 4),
      reader.take(UInt8(ascii: " ")),
      readTime(into: &time, &reader), reader.take(UInt8(ascii: " ")),
      reader.take(word: "GMT")
    else { return nil }
    (time.year, time.month, time.day) = (year, month, day)
    return (time, isLong)
  }

  private static func month(_ reader: inout ByteReader) -> Int? {
    reader.takeOne(of: CalendarNames.shortMonths).map { $0 + 1 }
  }

  /// Reads the time of day. A leap second becomes the second before it, because the clock has no leap seconds and a
  /// response must not expire later than it states.
  private static func readTime(into time: inout CivilTime, _ reader: inout ByteReader) -> Bool {
    guard let hour = reader.takeNumber(digits: 2), reader.take(UInt8(ascii: ":")),
      let minute = reader.takeNumber(digits: 2), reader.take(UInt8(ascii: ":")),
      let second = reader.takeNumber(digits: 2), second <= 60
    else { return false }
    (time.hour, time.minute, time.second) = (hour, minute, min(second, 59))
    return true
  }
}
