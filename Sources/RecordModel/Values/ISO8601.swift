internal import Foundation

/// Reads a date in the profile of ISO 8601 that RFC 3339 defines. The caller checks that the text ends after it.
///
/// Years that do not have four digits have a sign, as in the expanded form of ISO 8601. `rfc3339Text` writes this form.
///
/// - Parameter zone: the zone of a time that names none; nil for UTC.
func readISO8601(_ reader: inout ByteReader, zone: TimeZone?) -> Date? {
  if reader.take(UInt8(ascii: "@")) { return readFarSeconds(&reader) }
  var time = CivilTime()
  guard let year = readYear(&reader),
    reader.take(UInt8(ascii: "-")), let month = reader.takeNumber(digits: 2),
    reader.take(UInt8(ascii: "-")), let day = reader.takeNumber(digits: 2)
  else { return nil }
  (time.year, time.month, time.day, time.hour) = (year, month, day, 0)
  if reader.isAtEnd {
    time.setZone(zone)
    return time.date
  }

  guard reader.take(word: "T") || reader.take(UInt8(ascii: " ")),
    let hour = reader.takeNumber(digits: 2),
    reader.take(UInt8(ascii: ":")), let minute = reader.takeNumber(digits: 2)
  else { return nil }
  (time.hour, time.minute) = (hour, minute)
  if reader.take(UInt8(ascii: ":")) {
    guard let second = reader.takeNumber(digits: 2), readFraction(into: &time.fraction, &reader) else {
      return nil
    }
    time.second = second
  }
  if reader.isAtEnd {
    time.setZone(zone)
    return time.dateWithLeapSecond
  }
  if reader.take(word: "Z") { return time.dateWithLeapSecond }
  guard let sign = reader.takeSign(), let hours = reader.takeNumber(digits: 2), hours < 24 else { return nil }
  var minutes = 0
  if reader.take(UInt8(ascii: ":")) || !reader.isAtEnd {
    guard let value = reader.takeNumber(digits: 2), value < 60 else { return nil }
    minutes = value
  }
  time.offset = sign * (hours * 3600 + minutes * 60)
  return time.dateWithLeapSecond
}

private func readYear(_ reader: inout ByteReader) -> Int? {
  guard let sign = reader.takeSign() else { return reader.takeNumber(digits: 4) }
  guard let year = reader.takeNumber(), year.digits >= 4 else { return nil }
  return sign * year.value
}

/// Reads a decimal point or comma and the digits after it, if they follow. Returns false if the digits are missing.
private func readFraction(into fraction: inout DecimalFraction, _ reader: inout ByteReader) -> Bool {
  guard reader.take(UInt8(ascii: ".")) || reader.take(UInt8(ascii: ",")) else { return true }
  let start = reader.position
  while let digit = reader.takeDigit() { fraction.append(digit) }
  return reader.position > start
}

extension CivilTime {
  /// The date, where the last minute of a day in UTC may have the second 60.
  fileprivate var dateWithLeapSecond: Date? {
    guard second == 60 else { return date }
    let minuteOfDay = hour * 60 + minute - (offset ?? 0) / 60
    guard (minuteOfDay + 1) % 1440 == 0 else { return nil }
    var before = self
    before.second = 59
    return before.date?.addingTimeInterval(1)
  }
}
