import Foundation
package import JSONTree

/// Comparisons of values. ``RecordPredicate`` documents their rules.
extension PredicateValue {
  enum Order { case below, same, above }

  func equals(_ other: PredicateValue, _ options: PredicateTextOptions) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.opaque(let left?), .opaque(let right?)): left == right
    default: order(against: other, options) == .same
    }
  }

  /// Returns the order of two values; nil if the values have no order. Rules: `predicate.kind`, `predicate.nil`.
  func order(against other: PredicateValue, _ options: PredicateTextOptions) -> Order? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return Self.order(left, right)
    case (.string(let left), .string(let right)):
      let (left, right) = (options.fold(left).utf8, options.fold(right).utf8)
      // UTF-8 bytes sort in the order of their scalars.
      if left.lexicographicallyPrecedes(right) { return .below }
      return left.elementsEqual(right) ? .same : .above
    case (.string(let text), .date(let right)): return predicateDate(text).map { Self.order($0, right) }
    case (.date(let left), .string(let text)): return predicateDate(text).map { Self.order(left, $0) }
    case (.date(let left), .date(let right)): return Self.order(left, right)
    default:
      guard let left = number, let right = other.number else { return nil }
      return Self.order(left, right)
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Order {
    left == right ? .same : left < right ? .below : .above
  }

  func lies(between bounds: PredicateValue, _ options: PredicateTextOptions) -> Bool {
    guard case .list(let bounds) = bounds, bounds.count == 2,
      let low = order(against: bounds[0], options), let high = order(against: bounds[1], options)
    else { return false }
    return low != .below && high != .above
  }

  /// Returns whether the list contains the value, or the text contains the other text. Rules: `predicate.list`,
  /// `predicate.part`.
  func holds(_ part: PredicateValue, _ options: PredicateTextOptions) -> Bool {
    if case .list(let members) = self { return members.contains { $0.equals(part, options) } }
    return folded(with: part, options).map { Self.contains($0, $1) } ?? false
  }

  /// Returns both values as the bytes of folded text; nil unless both values are texts.
  func folded(with other: PredicateValue, _ options: PredicateTextOptions) -> ([UInt8], [UInt8])? {
    guard let text, let other = other.text else { return nil }
    return (Array(options.fold(text).utf8), Array(options.fold(other).utf8))
  }

  /// Returns whether the text contains the part. Takes linear time by the algorithm of Knuth, Morris and Pratt.
  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count <= text.count else { return false }
    if part.isEmpty { return true }
    /// For each number of matching bytes, the number that still match after moving the part forward.
    var kept = [0, 0]
    for byte in part.dropFirst() { kept.append(fitting(byte, after: kept[kept.count - 1], part, kept)) }
    var count = 0
    for byte in text {
      count = fitting(byte, after: count, part, kept)
      if count == part.count { return true }
    }
    return false
  }

  private static func fitting(_ byte: UInt8, after count: Int, _ part: [UInt8], _ kept: [Int]) -> Int {
    var count = count
    while count > 0, part[count] != byte { count = kept[count] }
    return part[count] == byte ? count + 1 : 0
  }

  /// The values that `ANY` and `ALL` test. Rule: `predicate.any`.
  var members: [PredicateValue] {
    switch self {
    case .null: []
    case .list(let elements):
      elements.flatMap { element in if case .list = element { element.members } else { [element] } }
    default: [self]
    }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The value as a number, which a Boolean value is, too; nil for other values. Rule: `predicate.kind`.
  package var number: JSONNumber? {
    switch self {
    case .number(let number): number
    case .integer(let value): JSONNumber(value)
    case .boolean(let value): JSONNumber(value ? 1 : 0)
    default: nil
    }
  }
}
