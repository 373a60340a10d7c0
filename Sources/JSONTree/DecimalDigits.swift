/// A decimal number of any precision: `0.d₁d₂…dₙ × 10^exponent`, where neither the first nor the last digit is 0. Zero
/// has no digits and no sign, so that equal numbers have equal forms.
///
/// Converts the digits of a response to the type of an attribute without rounding.
package struct DecimalDigits: Hashable, Sendable {
  package let isNegative: Bool
  /// The ASCII digits, without leading and trailing zeros. Empty for zero.
  package let significand: [UInt8]
  private let exponent: DecimalExponent

  /// The largest magnitude of a written exponent that is accepted. It is far beyond the range of every attribute type.
  private static let greatestExponent = 1_000_000_000_000

  /// Creates a number from its usual notation: `12`, `-12.50`, `+1e3`, `.5`, `007`. Returns nil for any other text, for
  /// example with white space, a separator, another base or the name of an infinity, and for an exponent beyond ±10^12.
  package init?(utf8 bytes: some Collection<UInt8>) {
    self.init(bytes, greatestExponent: Self.greatestExponent)
  }

  /// Creates a number from a number of JSON, which can have any exponent.
  init?(_ number: JSONNumber) { self.init(number.digits.utf8, greatestExponent: nil) }

  private init?(_ bytes: some Collection<UInt8>, greatestExponent: Int?) {
    var bytes = bytes[...]
    let hasMinus = bytes.first == .minus
    if hasMinus || bytes.first == .plus { bytes.removeFirst() }

    var digits: [UInt8] = []
    var point = 0
    var (hasDigits, hasPoint) = (false, false)
    while let byte = bytes.first, byte | 0x20 != .ascii("e") {
      if byte.isDigit {
        hasDigits = true
        if byte != .zero || !digits.isEmpty {
          digits.append(byte)
          if !hasPoint { point += 1 }
        } else if hasPoint {
          point -= 1
        }
      } else if byte == .dot, !hasPoint {
        hasPoint = true
      } else {
        return nil
      }
      bytes.removeFirst()
    }
    guard hasDigits else { return nil }
    let hasExponent = !bytes.isEmpty
    let written = bytes.dropFirst()
    if hasExponent, !Self.isExponent(written) { return nil }
    while digits.last == .zero { digits.removeLast() }
    significand = digits
    if digits.isEmpty {
      (isNegative, exponent) = (false, .small(0))
      return
    }
    if hasExponent, let greatestExponent {
      guard case .small(let value) = DecimalExponent(written, plus: 0),
        -greatestExponent...greatestExponent ~= value
      else { return nil }
    }
    isNegative = hasMinus
    exponent = DecimalExponent(written, plus: point)
  }

  /// Returns whether the text consists of digits with an optional sign.
  private static func isExponent(_ text: some Collection<UInt8>) -> Bool {
    let digits = text.first == .minus || text.first == .plus ? text.dropFirst() : text[...]
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
  }

  /// The number of digits before the decimal point, or minus the number of zeros after it; nil if it does not fit an
  /// `Int`.
  // Not inlined: with '-enable-testing', the optimizer of Swift 6.3 fails on the inlined enum.
  @inline(never)
  package var point: Int? { if case .small(let point) = exponent { point } else { nil } }
}

// MARK: - Integers

extension DecimalDigits {
  var isInteger: Bool {
    switch exponent {
    case .small(let exponent): significand.count <= exponent || significand.isEmpty
    case .large(let isNegative, _): !isNegative
    }
  }

  /// The number as an integer; nil if it has a fraction or is out of range.
  var int64Value: Int64? {
    guard isInteger, let point, point <= 19 else { return nil }
    let zeros = repeatElement(UInt8.zero, count: max(0, point - significand.count))
    return JSONNumber.plainInteger((isNegative ? [.minus] : []) + significand + zeros)
  }
}

// MARK: - Order

extension DecimalDigits: Comparable {
  package static func < (left: DecimalDigits, right: DecimalDigits) -> Bool {
    if left.sign != right.sign { return left.sign < right.sign }
    return left.isNegative ? right.magnitudeIsBelow(left) : left.magnitudeIsBelow(right)
  }

  private var sign: Int { significand.isEmpty ? 0 : isNegative ? -1 : 1 }

  private func magnitudeIsBelow(_ other: DecimalDigits) -> Bool {
    if exponent != other.exponent { return exponent < other.exponent }
    return significand.lexicographicallyPrecedes(other.significand)
  }
}

// MARK: - Text

extension DecimalDigits {
  /// The shortest text that represents exactly this number, in the format of ECMAScript: `0.5`, `1200`, `1e+21`,
  /// `1.5e-7`. Nil if the exponent does not fit an `Int`.
  package var text: String? {
    guard let point, point > .min else { return nil }
    let sign = isNegative ? "-" : ""
    let digits = String(decoding: significand, as: UTF8.self)
    return switch point {
    case _ where digits.isEmpty: "0"
    case 22...: sign + scientific(point)
    case significand.count...: sign + digits + zeros(point - significand.count)
    case 1...: sign + digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0: sign + "0." + zeros(-point) + digits
    default: sign + scientific(point)
    }
  }

  private func scientific(_ point: Int) -> String {
    let digits = String(decoding: significand, as: UTF8.self)
    let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
    let power = point - 1
    return digits.prefix(1) + fraction + (power < 0 ? "e-" : "e+") + String(power.magnitude)
  }

  private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}
