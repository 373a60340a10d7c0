import Foundation

extension Double {
  func formatted(places: Int) -> String { String(format: "%.\(places)f", self) }
}

extension Int {
  /// The number with thousands separators, for example `28,340`.
  var grouped: String {
    let digits = String(self)
    var text = ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}

extension String {
  /// Returns the text with spaces appended up to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
