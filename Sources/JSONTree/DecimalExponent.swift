/// An exponent of ten of any size. An exponent that fits an `Int` is always `small`.
enum DecimalExponent: Hashable, Sendable {
  case small(Int)
  /// The magnitude as decimal digits with values 0 to 9, without leading zeros.
  case large(isNegative: Bool, [UInt8])

  /// Creates the sum of a written exponent (0 if the text is empty) and an offset.
  init(_ text: some Collection<UInt8>, plus offset: Int) {
    let isNegative = text.first == .minus
    var magnitude = text.drop { !$0.isDigit }.drop { $0 == .zero }.map { $0 - .zero }
    if let value = Self.value(isNegative, magnitude) {
      let (sum, overflows) = value.addingReportingOverflow(offset)
      if !overflows {
        self = .small(sum)
        return
      }
    }
    // The sum does not fit an `Int`, so the magnitude far exceeds the offset and the sign stays the same. Digits are
    // added from the last to the first.
    var carry = isNegative ? -offset : offset
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

  /// Returns the exponent as an `Int`; nil if it does not fit.
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
