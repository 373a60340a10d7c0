extension DateFormat {
  /// Reads a time zone, and returns the seconds east of UTC; nil if no time zone follows.
  ///
  /// Every zone letter of a pattern accepts every form of an offset, as with DateFormatter: `Z`, `+1`, `+01`, `+0100`,
  /// `+01:00`, `+01:00:00`, and `GMT`, `UTC` or `UT` alone or before an offset.
  static func readZone(names: Bool, _ reader: inout ByteReader) -> Int? {
    if let sign = reader.takeSign() { return readOffset(&reader).map { sign * $0 } }
    if names, let index = reader.takeOne(of: zoneLongNames) ?? reader.takeOne(of: zoneShortNames) {
      return zoneHours[index] * 3600
    }
    guard reader.takeOne(of: ["GMT", "UTC", "UT", "Z"]) != nil else { return nil }
    guard let sign = reader.takeSign() else { return 0 }
    return readOffset(&reader).map { sign * $0 }
  }

  /// Reads hours with optional minutes and seconds, with or without colons.
  private static func readOffset(_ reader: inout ByteReader) -> Int? {
    guard let (number, digits) = reader.takeNumber(), digits <= 6 else { return nil }
    var (hours, minutes, seconds) = (number, 0, 0)
    if digits > 4 {
      (hours, minutes, seconds) = (number / 10000, number / 100 % 100, number % 100)
    } else if digits > 2 {
      (hours, minutes) = (number / 100, number % 100)
    } else if reader.take(UInt8(ascii: ":")) {
      guard let value = reader.takeNumber(digits: 2) else { return nil }
      minutes = value
      if reader.take(UInt8(ascii: ":")) {
        guard let value = reader.takeNumber(digits: 2) else { return nil }
        seconds = value
      }
    }
    guard hours < 24, minutes < 60, seconds < 60 else { return nil }
    return hours * 3600 + minutes * 60 + seconds
  }
}

// The names that DateFormatter accepts for `en_US_POSIX`, which are those of the United States.
private let zoneShortNames: [StaticString] = [
  "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "AKST", "AKDT", "HST",
]
private let zoneLongNames: [StaticString] = [
  "Eastern Standard Time", "Eastern Daylight Time", "Central Standard Time", "Central Daylight Time",
  "Mountain Standard Time", "Mountain Daylight Time", "Pacific Standard Time", "Pacific Daylight Time",
  "Alaska Standard Time", "Alaska Daylight Time", "Hawaii-Aleutian Standard Time",
]
private let zoneHours = [-5, -4, -6, -5, -7, -6, -8, -7, -9, -8, -10]
