internal import Foundation

extension DateFormat {
  /// Reads a date by a pattern. The caller checks that the text ends after it.
  ///
  /// - Parameter zone: the zone of a date that names none; nil for UTC.
  static func read(_ elements: [Element], zone: TimeZone?, _ reader: inout ByteReader) -> Date? {
    var parts = PatternParts()
    for element in elements {
      guard read(element, into: &parts, &reader) else { return nil }
    }
    return parts.date(zone: zone)
  }

  private static func read(
    _ element: Element, into parts: inout PatternParts, _ reader: inout ByteReader
  ) -> Bool {
    switch element {
    case .literal(let byte): return reader.take(byte)
    case .space: return takeSpace(&reader)
    case .number(let field, let digits): return read(field, digits, into: &parts, &reader)
    case .fraction(let digits): return readFraction(digits, into: &parts.time.fraction, &reader)
    case .monthName:
      // Full names come first, because the short names are prefixes of them.
      guard
        let index = reader.takeOne(of: CalendarNames.months) ?? reader.takeOne(of: CalendarNames.shortMonths)
      else {
        return false
      }
      parts.time.month = index + 1
    case .weekdayName:
      // A name is required, but it need not agree with the date, as with DateFormatter.
      return (reader.takeOne(of: CalendarNames.weekdays) ?? reader.takeOne(of: CalendarNames.shortWeekdays))
        != nil
    case .dayPeriod:
      guard let index = reader.takeOne(of: ["AM", "PM"]) else { return false }
      parts.isAfternoon = index == 1
    case .zone(let names):
      guard let offset = readZone(names: names, &reader) else { return false }
      parts.time.offset = offset
    }
    return true
  }

  private static func read(
    _ field: Field, _ digits: Int?, into parts: inout PatternParts, _ reader: inout ByteReader
  ) -> Bool {
    let isNegative = field == .signedYear && reader.take(UInt8(ascii: "-"))
    let (value, count): (Int, Int)
    if let digits {
      guard let number = reader.takeNumber(digits: digits) else { return false }
      (value, count) = (number, digits)
    } else {
      guard let number = reader.takeNumber() else { return false }
      (value, count) = (number.value, number.digits)
    }

    switch field {
    case .year: parts.time.year = value
    case .shortYear: parts.time.year = count == 2 ? value + (value < 50 ? 2000 : 1900) : value
    case .signedYear: parts.time.year = isNegative ? -value : value
    case .month: parts.time.month = value
    case .day: parts.time.day = value
    case .dayOfYear: parts.time.dayOfYear = value
    case .hour, .hourFrom1, .hourOfHalf, .hourOfHalfFrom1: parts.hour = (field, value)
    case .minute: parts.time.minute = value
    case .second: parts.time.second = value
    }
    // Only `u` accepts the year 0 and negative years.
    return (field != .year && field != .shortYear) || parts.time.year > 0
  }

  private static func readFraction(
    _ digits: Int?, into fraction: inout DecimalFraction, _ reader: inout ByteReader
  ) -> Bool {
    var count = 0
    while count < digits ?? .max, let digit = reader.takeDigit() {
      fraction.append(digit)
      count += 1
    }
    return count > 0 && count == digits ?? count
  }

  private static func takeSpace(_ reader: inout ByteReader) -> Bool {
    let start = reader.position
    reader.skipBlanks()
    return reader.position > start
  }
}

/// The parts of a date that a pattern has read. The hour and its half of the day may come in either order.
private struct PatternParts {
  var time = CivilTime()
  var hour: (field: DateFormat.Field, value: Int)?
  var isAfternoon = false

  func date(zone: TimeZone?) -> Date? {
    var time = time
    let afternoon = isAfternoon ? 12 : 0
    let value = hour?.value ?? 0
    switch hour?.field {
    case .hour: time.hour = value
    case .hourFrom1 where value <= 24: time.hour = value % 24
    case .hourOfHalf where value < 12: time.hour = value + afternoon
    case .hourOfHalfFrom1 where value <= 12: time.hour = value % 12 + afternoon
    case nil: time.hour = afternoon
    default: return nil
    }
    time.setZone(zone)
    return time.date
  }
}
