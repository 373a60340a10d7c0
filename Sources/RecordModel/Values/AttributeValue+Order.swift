package import Foundation
internal import JSONTree

extension AttributeValue {
  /// Returns the order of two values of an attribute, which sort descriptors and golden files use. Nil comes first.
  ///
  /// - Numbers and dates are sorted by value, with NaN last.
  /// - False comes before true.
  /// - Strings are sorted by Unicode scalars.
  /// - Binary data, UUIDs and URIs are sorted by bytes.
  /// - Transformable values are sorted by their JSON text.
  /// - Values of different kinds, which one attribute never has, are sorted by kind.
  package static func compare(_ left: AttributeValue?, _ right: AttributeValue?) -> ComparisonResult {
    switch (left, right) {
    case (nil, nil): .orderedSame
    case (nil, _?): .orderedAscending
    case (_?, nil): .orderedDescending
    case (let left?, let right?): left.compare(right)
    }
  }

  /// Returns a Boolean value that indicates whether `left` sorts before `right`. Nil sorts before every value.
  package static func areInIncreasingOrder(_ left: AttributeValue?, _ right: AttributeValue?) -> Bool {
    compare(left, right) == .orderedAscending
  }

  private func compare(_ other: AttributeValue) -> ComparisonResult {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.double(let left), .double(let right)): orderNaNLast(left, right)
    case (.decimal(let left), .decimal(let right)):
      left.isNaN || right.isNaN ? order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : order(left, right)
    case (.boolean(let left), .boolean(let right)): order(left ? 1 : 0, right ? 1 : 0)
    // UTF-8 bytes sort in the order of their scalars. `String.<` would treat canonically equivalent strings as equal.
    case (.string(let left), .string(let right)): orderBytes(left.utf8, right.utf8)
    case (.date(let left), .date(let right)):
      orderNaNLast(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.binary(let left), .binary(let right)): orderBytes(left, right)
    case (.uuid(let left), .uuid(let right)): orderBytes(left.uuidString.utf8, right.uuidString.utf8)
    case (.uri(let left), .uri(let right)): orderBytes(left.absoluteString.utf8, right.absoluteString.utf8)
    case (.json(let left), .json(let right)):
      left == right ? .orderedSame : orderBytes(left.canonicalText().utf8, right.canonicalText().utf8)
    default: order(kindRank, other.kindRank)
    }
  }

  private var kindRank: Int {
    switch self {
    case .integer: 0
    case .double: 1
    case .decimal: 2
    case .boolean: 3
    case .string: 4
    case .date: 5
    case .binary: 6
    case .uuid: 7
    case .uri: 8
    case .json: 9
    }
  }
}

private func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
  left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
}

private func orderNaNLast(_ left: Double, _ right: Double) -> ComparisonResult {
  left.isNaN || right.isNaN ? order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : order(left, right)
}

private func orderBytes(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> ComparisonResult {
  var (lefts, rights) = (left.makeIterator(), right.makeIterator())
  while true {
    switch (lefts.next(), rights.next()) {
    case (nil, nil): return .orderedSame
    case (nil, _?): return .orderedAscending
    case (_?, nil): return .orderedDescending
    case (let left?, let right?) where left != right: return order(left, right)
    default: continue
    }
  }
}
