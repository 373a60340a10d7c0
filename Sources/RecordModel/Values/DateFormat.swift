package import Foundation
import JSONTree

/// The format of the values for a date attribute: a Unicode date format pattern, `iso8601`, `unix` for seconds since 1970, or
/// `unix-milliseconds`. Several formats are separated by `|`, and the first one that reads a string counts.
///
/// A time zone in brackets after a format, as in RFC 9557, applies to strings that name none: `yyyy-MM-dd HH:mm[Europe/Berlin]`.
/// Numbers are seconds, unless one of the formats is `unix-milliseconds`. The formats `unix` read numbers in strings, too.
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

  /// The formats, in the order in which they are tried.
  private let alternatives: [Alternative]

  /// The unit of numbers.
  package let unit: UnixUnit

  /// A Boolean value that indicates whether one of the formats is a number since 1970.
  package var readsNumbers: Bool {
    alternatives.contains { if case .unix = $0.reading { true } else { false } }
  }

  private struct Alternative: Sendable {
    let reading: Reading
    /// The zone of strings that name none; nil for UTC.
    let zone: TimeZone?
  }

  private enum Reading: Sendable {
    case iso8601
    case unix(UnixUnit)
    case elements([Element])
  }

  /// Parses a format.
  ///
  /// - Throws: the first error of the format, with its location.
  package init(_ pattern: String) throws(DateFormatError) {
    var alternatives: [Alternative] = []
    for part in Self.parts(of: Array(pattern.unicodeScalars)) {
      alternatives.append(try Self.alternative(part))
    }
    self.init(pattern: pattern, alternatives)
  }

  private init(pattern: String, _ alternatives: [Alternative]) {
    (self.pattern, self.alternatives) = (pattern, alternatives)
    unit =
      alternatives.lazy.compactMap { if case .unix(let unit) = $0.reading { unit } else { nil } }.first
      ?? .seconds
  }

  /// The format of ISO 8601 and RFC 3339.
  package static let iso8601 = DateFormat(pattern: "iso8601", [Alternative(reading: .iso8601, zone: nil)])

  /// Returns the date that the whole text represents; nil if the text does not have this format or is not a valid date.
  package func date(from text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(fromUTF8: $0) }
  }

  /// Returns the date that the whole text represents; nil if the text does not have this format or is not a valid date.
  package func date(fromUTF8 bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    for alternative in alternatives {
      var reader = ByteReader(bytes)
      let date: Date?
      switch alternative.reading {
      case .iso8601: date = readISO8601(&reader, zone: alternative.zone)
      case .elements(let elements): date = Self.read(elements, zone: alternative.zone, &reader)
      case .unix(let unit):
        if let date = DecimalDigits(utf8: bytes).flatMap({ Date(since1970: $0, in: unit) }) { return date }
        continue
      }
      if let date, reader.isAtEnd { return date }
    }
    return nil
  }
}

extension DateFormat {
  /// The names of formats that are not patterns.
  package static let names = ["iso8601", "unix", "unix-milliseconds"]

  /// Splits a format at each `|` outside of quotes. The parts have no white space around them.
  private static func parts(of scalars: [Unicode.Scalar]) -> [ArraySlice<Unicode.Scalar>] {
    var parts: [ArraySlice<Unicode.Scalar>] = []
    var start = 0
    var isQuoted = false
    for (position, scalar) in scalars.enumerated() {
      if scalar == "'" { isQuoted.toggle() }
      if scalar == "|", !isQuoted {
        parts.append(scalars[start..<position])
        start = position + 1
      }
    }
    parts.append(scalars[start...])
    guard parts.count > 1 else { return parts }
    return parts.map { part in
      var part = part
      while part.first == " " { part.removeFirst() }
      while part.last == " " { part.removeLast() }
      return part
    }
  }

  private static func alternative(_ part: ArraySlice<Unicode.Scalar>) throws(DateFormatError) -> Alternative {
    var format = part
    var zone: (name: String, range: Range<Int>)?
    if part.last == "]", let bracket = part.lastIndex(of: "[") {
      format = part[..<bracket]
      let name = part[(bracket + 1)..<(part.endIndex - 1)]
      zone = (text(of: name), bracket..<part.endIndex)
    }
    let reading = try reading(of: format)
    guard let zone else { return Alternative(reading: reading, zone: nil) }
    if case .unix = reading {
      throw DateFormatError(
        range: zone.range, message: "a number since 1970 has no time zone", advice: "remove the brackets")
    }
    guard let found = TimeZone(identifier: zone.name) else {
      let near = nearestName(to: zone.name, among: TimeZone.knownTimeZoneIdentifiers)
      throw DateFormatError(
        range: zone.range, message: "unknown time zone '\(zone.name)'",
        advice: near.map { "did you mean '\($0)'?" } ?? "write an identifier such as Europe/Berlin")
    }
    return Alternative(reading: reading, zone: found)
  }

  private static func reading(of format: ArraySlice<Unicode.Scalar>) throws(DateFormatError) -> Reading {
    switch text(of: format) {
    case "iso8601": return .iso8601
    case "unix": return .unix(.seconds)
    case "unix-milliseconds": return .unix(.milliseconds)
    case let text:
      do {
        return .elements(try DatePatternParser.elements(of: text))
      } catch {
        let range = error.range.lowerBound + format.startIndex..<error.range.upperBound + format.startIndex
        throw DateFormatError(range: range, message: error.message, advice: error.advice)
      }
    }
  }

  private static func text(of scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
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
