/// What a number is worth, in the one form in which equal numbers look equal: `0.d₁d₂…dₙ × 10^exponent`, where neither
/// the first nor the last digit is 0. Zero has no digits and no sign.
struct DecimalForm: Hashable {
  private let isNegative: Bool
  /// Values 0 to 9.
  private let digits: [UInt8]
  private let exponent: DecimalExponent

  /// `text` follows the grammar of JSON numbers.
  init(_ text: String) {
    var digits: [UInt8] = []
    var digitsBeforeDot: Int?
    var exponentText: Substring.UTF8View = ""[...].utf8
    scan: for index in text.utf8.indices {
      switch text.utf8[index] {
      case let byte where byte.isDigit: digits.append(byte - .zero)
      case .dot: digitsBeforeDot = digits.count
      case .ascii("e"), .ascii("E"):
        exponentText = text[text.utf8.index(after: index)...].utf8
        break scan
      default: break
      }
    }
    let leadingZeros = digits.prefix { $0 == 0 }.count
    let shift = (digitsBeforeDot ?? digits.count) - leadingZeros
    digits.removeFirst(leadingZeros)
    while digits.last == 0 { digits.removeLast() }
    self.digits = digits
    isNegative = !digits.isEmpty && text.utf8.first == .minus
    exponent = digits.isEmpty ? .small(0) : DecimalExponent(exponentText, plus: shift)
  }

  var isInteger: Bool {
    switch exponent {
    case .small(let exponent): digits.count <= exponent || digits.isEmpty
    case .large(let isNegative, _): !isNegative
    }
  }

  /// Nil if the number has a fraction or is out of range.
  var int64Value: Int64? {
    guard isInteger, case .small(let exponent) = exponent, exponent <= 19 else { return nil }
    let zeros = repeatElement(UInt8.zero, count: max(0, exponent - digits.count))
    return JSONNumber.plainInteger((isNegative ? [.minus] : []) + digits.map { $0 + .zero } + zeros)
  }
}

extension DecimalForm: Comparable {
  static func < (left: DecimalForm, right: DecimalForm) -> Bool {
    if left.sign != right.sign { return left.sign < right.sign }
    return left.isNegative ? right.magnitudeIsBelow(left) : left.magnitudeIsBelow(right)
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  private func magnitudeIsBelow(_ other: DecimalForm) -> Bool {
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}

/// An exponent of ten of any size. One that fits an `Int` is always `small`.
enum DecimalExponent: Hashable {
  case small(Int)
  /// The magnitude in decimal digits, values 0 to 9, without leading zeros.
  case large(isNegative: Bool, [UInt8])

  /// The sum of an exponent as written (empty: 0) and a number of places.
  init(_ text: Substring.UTF8View, plus places: Int) {
    let isNegative = text.first == .minus
    var magnitude = text.drop { !$0.isDigit }.drop { $0 == .zero }.map { $0 - .zero }
    if let value = Self.value(isNegative, magnitude) {
      let (sum, overflows) = value.addingReportingOverflow(places)
      if !overflows {
        self = .small(sum)
        return
      }
    }
    // The magnitude is far larger than the places here, so that its sign stays. Added digit by digit, from the last.
    var carry = isNegative ? -places : places
    for index in magnitude.indices.reversed() where carry != 0 {
      let sum = Int(magnitude[index]) + carry
      let digit = ((sum % 10) + 10) % 10
      magnitude[index] = UInt8(truncatingIfNeeded: digit)
      carry = (sum - digit) / 10
    }
    if carry > 0 { magnitude.insert(UInt8(truncatingIfNeeded: carry), at: 0) }
    magnitude.removeFirst(magnitude.prefix { $0 == 0 }.count)
    self = Self.value(isNegative, magnitude).map(Self.small) ?? .large(isNegative: isNegative, magnitude)
  }

  /// Nil if it does not fit.
  private static func value(_ isNegative: Bool, _ magnitude: [UInt8]) -> Int? {
    var value = 0
    for digit in magnitude {
      let (shifted, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = shifted.subtractingReportingOverflow(Int(digit))
      guard !overflows, !overflowsToo else { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }
}

extension DecimalExponent: Comparable {
  static func < (left: DecimalExponent, right: DecimalExponent) -> Bool {
    switch (left, right) {
    case (.small(let left), .small(let right)): left < right
    case (.small, .large(let isNegative, _)): !isNegative
    case (.large(let isNegative, _), .small): isNegative
    case (.large(true, let left), .large(true, let right)): isShorterOrBelow(right, left)
    case (.large(false, let left), .large(false, let right)): isShorterOrBelow(left, right)
    case (.large(let isNegative, _), .large): isNegative
    }
  }

  private static func isShorterOrBelow(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
  }
}
