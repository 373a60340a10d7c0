package import Foundation

/// A decimal number as its digits, exactly and with any number of them. Zero has no sign.
///
/// It is what stands between the digits of a response and the types that want them without rounding.
package struct DecimalDigits: Hashable, Sendable {
  package var isNegative: Bool
  /// The ASCII digits, without leading and trailing zeros. Empty for zero.
  package var significand: [UInt8]
  /// The power of ten of the last digit of `significand`.
  package var exponent: Int

  /// Reads a number as programs write it: `12`, `-12.50`, `+1e3`, `.5`, `007`. There is no white space, no
  /// separator, no other base, no name of an infinity. Nil for anything else, and for an exponent
  /// beyond ±10^12.
  package init?(utf8 bytes: some Collection<UInt8>) {
    var bytes = bytes[...]
    isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }

    significand = []
    exponent = 0
    var (hasDigits, hasPoint) = (false, false)
    while let byte = bytes.first, byte | 0x20 != UInt8(ascii: "e") {
      if decimalDigit(byte) != nil {
        hasDigits = true
        if byte != UInt8(ascii: "0") || !significand.isEmpty { significand.append(byte) }
        if hasPoint { exponent -= 1 }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        return nil
      }
      bytes.removeFirst()
    }
    guard hasDigits else { return nil }
    let written = bytes.isEmpty ? 0 : Self.exponent(bytes.dropFirst())
    guard let written else { return nil }
    if significand.isEmpty {
      (isNegative, exponent) = (false, 0)
      return
    }
    guard abs(written) <= Self.greatestExponent else { return nil }
    exponent += written
    while significand.last == UInt8(ascii: "0") {
      significand.removeLast()
      exponent += 1
    }
  }

  /// The exponents as written that are read, far beyond those of every attribute's type.
  private static let greatestExponent = 1_000_000_000_000

  /// The number after an `e`; one that is too great is answered with one that is just too great.
  private static func exponent(_ bytes: some Collection<UInt8>) -> Int? {
    var digits = bytes[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard !digits.isEmpty else { return nil }
    var value = 0
    for byte in digits {
      guard let digit = decimalDigit(byte) else { return nil }
      value = min(value * 10 + digit, greatestExponent + 1)
    }
    return isNegative ? -value : value
  }
}

extension DecimalDigits {
  /// The shortest text of exactly this number, laid out as ECMAScript does: `0.5`, `1200`, `1e+21`, `1.5e-7`.
  package var text: String {
    let sign = isNegative ? "-" : ""
    let digits = String(decoding: significand, as: UTF8.self)
    // How many digits stand before the point.
    let point = significand.count + exponent
    return switch point {
    case _ where digits.isEmpty: "0"
    case 22...: sign + scientific
    case significand.count...: sign + digits + zeros(exponent)
    case 1...: sign + digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0: sign + "0." + zeros(-point) + digits
    default: sign + scientific
    }
  }

  private var scientific: String {
    let digits = String(decoding: significand, as: UTF8.self)
    let power = significand.count + exponent - 1
    let rest = digits.count > 1 ? "." + digits.dropFirst() : ""
    return digits.prefix(1) + rest + (power < 0 ? "e-" : "e+") + String(abs(power))
  }

  private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}

extension Decimal {
  /// The number exactly; nil if it has more than 38 digits or an exponent outside -128…127.
  ///
  /// The digits are handed over in a form that leaves Decimal's own reader nothing to decide: by itself it
  /// stops at what it does not understand and rounds what it cannot hold.
  package init?(exactly number: DecimalDigits) {
    guard number.significand.count <= 38, number.exponent >= -128 else { return nil }
    // 1e130 is 1000e127.
    let zeros = max(0, number.exponent - 127)
    guard number.significand.count + zeros <= 38 else { return nil }
    if number.significand.isEmpty {
      self = 0
      return
    }
    let digits = String(decoding: number.significand, as: UTF8.self) + String(repeating: "0", count: zeros)
    let text = "\(number.isNegative ? "-" : "")\(digits)e\(number.exponent - zeros)"
    guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), value.isFinite,
      DecimalDigits(utf8: value.exactText.utf8) == number
    else { return nil }
    self = value
  }

  /// All digits of the number, without an exponent: `-12.5`, `1000000`.
  package var exactText: String { description }
}
