internal import Foundation

/// Reads the date of RFC 3339 text, `2000-01-01T00:00:00.5+01:00`; nil for anything else.
func predicateDate(_ text: String) -> Date? {
  var bytes = Array(text.utf8)[...]

  func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int? {
    guard bytes.count >= digits, bytes.prefix(digits).allSatisfy(isDigit) else { return nil }
    let value = bytes.prefix(digits).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    bytes = bytes.dropFirst(digits)
    return range.contains(value) ? value : nil
  }

  func skips(_ characters: String) -> Bool {
    guard let next = bytes.first, characters.utf8.contains(next) else { return false }
    bytes = bytes.dropFirst()
    return true
  }

  guard let year = number(4, 0...9999), skips("-"), let month = number(2, 1...12), skips("-"),
    let day = number(2, 1...daysInMonth(month, year)), skips("Tt"),
    let hour = number(2, 0...23), skips(":"), let minute = number(2, 0...59), skips(":"),
    let second = number(2, 0...60)
  else { return nil }

  var fraction = 0.0
  if skips(".") {
    let digits = bytes.prefix(while: isDigit)
    guard !digits.isEmpty, let value = Double("0." + String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    fraction = value
    bytes = bytes.dropFirst(digits.count)
  }

  var offset = 0
  if !skips("Zz") {
    let isWest = bytes.first == UInt8(ascii: "-")
    guard skips("+-"), let hours = number(2, 0...23), skips(":"), let minutes = number(2, 0...59) else {
      return nil
    }
    offset = (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
  guard bytes.isEmpty else { return nil }

  let days = daysSince2001(year, month, day)
  let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
  return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func daysInMonth(_ month: Int, _ year: Int) -> Int {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

private func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
  // Years that begin in March put the leap day last. From there on it is one formula.
  let years = month > 2 ? year : year - 1
  let months = (month + 9) % 12
  let leapDays = years.flooredQuotient(4) - years.flooredQuotient(100) + years.flooredQuotient(400)
  return years * 365 + leapDays + (months * 153 + 2) / 5 + day - 730_792
}

extension Int {
  fileprivate func flooredQuotient(_ divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
