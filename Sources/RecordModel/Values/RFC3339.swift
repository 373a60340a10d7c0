package import Foundation
internal import JSONTree

/// Returns the date as RFC 3339 text in UTC, `2000-01-01T00:00:00Z`, as in golden files.
///
/// A fraction of a second is written only if it is not zero, with the fewest digits that read back as the same Date.
/// Years outside of 0000…9999 have a sign (`+10000-01-01T00:00:00Z`, `-0001-01-01T00:00:00Z`). A date so distant that a
/// Double cannot represent every second (2^53 seconds, 285 million years) is written as its seconds since
/// 2001-01-01T00:00:00Z: `@1e+300`.
///
/// `DateFormat.iso8601` reads all of these back as the same Date, except dates within a second of 2001-01-01T00:00:00Z
/// that need more than 18 digits of a second.
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

/// The smallest interval from which on every Double is a whole number, but not every whole number is a Double.
private let farSeconds = 0x1p53

/// Reads the seconds after the `@` of a date that is outside of the calendar.
func readFarSeconds(_ reader: inout ByteReader) -> Date? {
  var digits = ""
  while let byte = reader.next, byte < 0x80 {
    digits.append(Character(Unicode.Scalar(byte)))
    reader.skip()
  }
  // `Double(_: String)` ignores a NUL and everything after it; `JSONNumber` does not accept one.
  guard let interval = JSONNumber(digits: digits)?.doubleValue, abs(interval) >= farSeconds else {
    return nil
  }
  return Date(timeIntervalSinceReferenceDate: interval)
}

/// Returns the whole seconds at or before the date, and the shortest fraction that restores the same date.
private func wholeSecondsAndFraction(_ interval: Double) -> (seconds: Int64, fraction: DecimalFraction) {
  let magnitude = abs(interval)
  let whole = magnitude.rounded(.down)
  let remainder = magnitude - whole
  guard remainder > 0 else { return (Int64(interval), DecimalFraction()) }
  var fraction = DecimalFraction()
  for places in 1...DecimalFraction.maximumPlaces {
    let scale = DecimalFraction.powersOfTen[places]
    let digits = Int64((remainder * Double(scale)).rounded())
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
