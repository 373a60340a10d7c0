package import Foundation

/// The format of the strings for a date attribute: a Unicode date format pattern, or `iso8601`.
///
/// Patterns are read as DateFormatter reads them with the locale `en_US_POSIX`, UTC and `isLenient = false`, but
/// without a DateFormatter, in a fraction of a microsecond. Parts that the string does not contain are taken from
/// 2000-01-01T00:00:00Z. Two-digit years (`yy`) are in the range 1950…2049.
///
/// It is stricter than DateFormatter:
///
/// - Characters other than letters are literal: `/` does not match `-`.
/// - White space is allowed only where the pattern has white space. One or more characters are required there.
/// - Adjacent numbers have as many digits as the pattern has letters.
/// - Letters that are easily confused are invalid: `mm` in a date without an hour, `MM` after an hour, and `hh` without
///   `a`.
///
/// It is more precise than DateFormatter:
///
/// - The calendar is Gregorian before 1582, too.
/// - Fractions of a second are not truncated.
///
/// `iso8601` reads a date (`2000-01-31`), optionally followed by `T` or a space and a time. Seconds, their fraction
/// (with any number of digits) and the zone (`Z`, `+01:00`, `+0100` or `+01`) are optional. The default zone is UTC.
/// The leap second 23:59:60 of RFC 3339 is read as the following second, as in Unix time.
///
/// Rule: `values.date.format`.
package struct DateFormat: Sendable {
  /// The original pattern.
  package let pattern: String

  let reading: Reading

  enum Reading: Sendable {
    case iso8601
    case elements([Element])
  }

  /// Parses a pattern, or `iso8601`.
  ///
  /// - Throws: the first error of the pattern, with its location.
  package init(_ pattern: String) throws(DateFormatError) {
    self.pattern = pattern
    reading = pattern == "iso8601" ? .iso8601 : .elements(try DatePatternParser.elements(of: pattern))
  }

  /// The format of ISO 8601 and RFC 3339.
  package static let iso8601 = DateFormat(iso8601: ())

  private init(iso8601: ()) {
    pattern = "iso8601"
    reading = .iso8601
  }

  /// Returns the date that the whole text represents; nil if the text does not have this format or is not a valid date.
  package func date(from text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(fromUTF8: $0) }
  }

  /// Returns the date that the whole text represents; nil if the text does not have this format or is not a valid date.
  package func date(fromUTF8 bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = ByteReader(bytes)
    let date =
      switch reading {
      case .iso8601: readISO8601(&reader)
      case .elements(let elements): Self.read(elements, &reader)
      }
    return reader.isAtEnd ? date : nil
  }
}

extension DateFormat: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.pattern == right.pattern }
  package func hash(into hasher: inout Hasher) { hasher.combine(pattern) }
}

extension DateFormat {
  /// One step of reading a string.
  enum Element: Hashable, Sendable {
    case literal(UInt8)
    /// One or more characters of white space.
    case space
    /// A number with a fixed number of digits, or with any number of digits if `digits` is nil.
    case number(Field, digits: Int?)
    case fraction(digits: Int?)
    case monthName, weekdayName, dayPeriod
    /// An offset or a name for UTC. If `names` is true, the names of the time zones of the United States are accepted,
    /// too.
    case zone(names: Bool)
  }

  /// The field that a number sets.
  enum Field: Hashable, Sendable {
    /// `y`, starting at 1; `yy`, in which two digits omit the century; `u`, with a sign and a year 0.
    case year, shortYear, signedYear
    case month, day, dayOfYear
    /// `H` 0…23, `k` 1…24, `K` 0…11, `h` 1…12.
    case hour, hourFrom1, hourOfHalf, hourOfHalfFrom1
    case minute, second
  }
}

/// The reason why a text is not a date format.
package struct DateFormatError: Error, Hashable, Sendable {
  /// The invalid characters of the pattern, as offsets in Unicode scalars.
  package let range: Range<Int>
  /// One line, without the location.
  package let message: String
  /// The correction to suggest, if there is one.
  package let advice: String?
}
