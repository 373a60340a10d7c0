package import Foundation

/// How the strings of a date attribute are read: a Unicode date format pattern, or `iso8601`.
///
/// Patterns are read as DateFormatter reads them with the locale `en_US_POSIX`, UTC and `isLenient = false`,
/// without one: in a fraction of a microsecond. What the string does not say is taken from
/// 2000-01-01T00:00:00Z. Two-digit years (`yy`) lie in 1950…2049.
///
/// It is stricter than DateFormatter: other characters than letters stand for themselves (`/` is no `-`),
/// there is no white space but where the pattern has some (there, one or more), and numbers without anything
/// between them have as many digits as the pattern has letters. It is more exact: the calendar is
/// Gregorian also before 1582, and no digit of a fraction of a second is cut off.
///
/// `iso8601` reads a date (`2000-01-31`), alone or with `T` or a space and a time: seconds and a fraction of
/// them (any number of digits) may be left out, and so may the zone (`Z`, `+01:00`, `+0100` or `+01`; without
/// it UTC). RFC 3339's leap second 23:59:60 is the second after it, as in Unix time.
///
/// Rule: `values.date.format`.
package struct DateFormat: Sendable {
  /// The pattern as written.
  package let pattern: String

  let reading: Reading

  enum Reading: Sendable {
    case iso8601
    case elements([Element])
  }

  /// - Throws: what is wrong with the pattern first, with its place.
  package init(_ pattern: String) throws(DateFormatError) {
    self.pattern = pattern
    reading = pattern == "iso8601" ? .iso8601 : .elements(try DatePatternParser.elements(of: pattern))
  }

  /// ISO 8601 / RFC 3339.
  package static let iso8601 = DateFormat(iso8601: ())

  private init(iso8601: ()) {
    pattern = "iso8601"
    reading = .iso8601
  }

  /// The date that the whole text says; nil if it is not of this format or no day of the calendar.
  package func date(from text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(fromUTF8: $0) }
  }

  /// The date that the whole text says; nil if it is not of this format or no day of the calendar.
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
    /// White space, at least one.
    case space
    /// A number of exactly so many digits, or of any number of digits.
    case number(Field, digits: Int?)
    case fraction(digits: Int?)
    case monthName, weekdayName, dayPeriod
    /// An offset or a name for UTC; if `names`, also the names of the zones of the United States.
    case zone(names: Bool)
  }

  /// What a number says.
  enum Field: Hashable, Sendable {
    /// `y`, from 1; `yy`, where two digits leave out the century; `u`, with a sign and a year 0.
    case year, shortYear, signedYear
    case month, day, dayOfYear
    /// `H` 0…23, `k` 1…24, `K` 0…11, `h` 1…12.
    case hour, hourFrom1, hourOfHalf, hourOfHalfFrom1
    case minute, second
  }
}

/// Why a text is no date format, and where.
package struct DateFormatError: Error, Hashable, Sendable {
  /// The characters of the pattern that are wrong, as offsets in Unicode scalars.
  package let range: Range<Int>
  /// One line, without the place.
  package let message: String
  /// The way out, if there is one to name.
  package let advice: String?
}
