import Foundation

extension Double {
  func formatted(places: Int) -> String { String(format: "%.\(places)f", self) }
}

extension Int {
  /// `28,340`
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
  /// With spaces behind it.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
