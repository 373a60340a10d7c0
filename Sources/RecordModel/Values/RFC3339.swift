package import Foundation
internal import JSONTree

/// The date as RFC 3339 text in UTC, `2000-01-01T00:00:00Z`, as golden files have it.
///
/// A fraction of a second is written only if there is one, with as few digits as read back to the same Date.
/// Years outside 0000…9999 have a sign (`+10000-01-01T00:00:00Z`, `-0001-01-01T00:00:00Z`).
/// A date so far away that a Double does not count every second any more (2^53 seconds, 285 million years) is
/// written as its seconds since 2001-01-01T00:00:00Z: `@1e+300`.
///
/// `DateFormat.iso8601` reads all of these back to the same Date, except dates within a second of
/// 2001-01-01T00:00:00Z that need more than 18 digits of a second.
package func rfc3339Text(_ date: Date) -> String {
  let interval = date.timeIntervalSinceReferenceDate
  guard abs(interval) < farSeconds else { return "@\(interval)" }
  let (seconds, fraction) = wholeSecondsAndFraction(interval)
  let time = CivilTime(secondsSinceReferenceDate: seconds)

  let years = padded(abs(time.year), to: 4)
  let sign = time.year < 0 ? "-" : time.year > 9999 ? "+" : ""
  var text = "\(sign)\(years)-\(padded(time.month, to: 2))-\(padded(time.day, to: 2))"
  text += "T\(padded(time.hour, to: 2)):\(padded(time.minute, to: 2)):\(padded(time.second, to: 2))"
  if fraction.digits > 0 { text += ".\(padded(Int(fraction.digits), to: fraction.places))" }
  return text + "Z"
}

/// From here on a Double of seconds is a whole number, and not every whole number is one.
private let farSeconds = 0x1p53

/// Reads what stands after the `@` of a date that no calendar reaches.
func readFarSeconds(_ reader: inout ByteReader) -> Date? {
  var digits = ""
  while let byte = reader.next, byte < 0x80 {
    digits.append(Character(Unicode.Scalar(byte)))
    reader.skip()
  }
  // Double(_: String) passes over a NUL and all that follows it.
  guard let interval = JSONNumber(digits: digits)?.doubleValue, abs(interval) >= farSeconds else {
    return nil
  }
  return Date(timeIntervalSinceReferenceDate: interval)
}

/// The whole seconds at or before the moment, and the shortest fraction after them that makes the same
/// moment.
private func wholeSecondsAndFraction(_ interval: Double) -> (seconds: Int64, fraction: DecimalFraction) {
  let magnitude = abs(interval)
  let whole = magnitude.rounded(.down)
  let rest = magnitude - whole
  guard rest > 0 else { return (Int64(interval), DecimalFraction()) }
  var fraction = DecimalFraction()
  for places in 1...DecimalFraction.maximumPlaces {
    let scale = DecimalFraction.powersOfTen[places]
    let digits = Int64((rest * Double(scale)).rounded())
    guard digits < scale else { continue }
    fraction = DecimalFraction(digits: digits, places: places)
    if whole + fraction.seconds == magnitude { break }
  }
  guard fraction.digits > 0, interval < 0 else { return (Int64(interval), fraction) }
  return (-Int64(whole) - 1, fraction.complement)
}

private func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
