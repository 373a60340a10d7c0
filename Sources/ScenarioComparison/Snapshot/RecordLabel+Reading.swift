package import ScenarioFormat

// Golden files sort labels as text. People expect numbers in the order of their values.
extension Sequence<RecordLabel> {
  /// Returns the labels in an order for people: `Issue/5` comes before `Issue/10`.
  package func sortedForReading() -> [RecordLabel] {
    map { (label: $0, bytes: Array($0.rawValue.utf8)) }
      .sorted { precedesForReading($0.bytes, $1.bytes) }.map(\.label)
  }
}

extension GraphSnapshot {
  /// The labels in an order for people.
  package var readableLabels: [RecordLabel] { records.keys.sortedForReading() }
}

extension PropertySnapshot {
  /// The value with the members of an unordered relationship in an order for people.
  package var forReading: PropertySnapshot {
    guard case .toMany(let labels, isOrdered: false) = self else { return self }
    return .toMany(labels.sortedForReading(), isOrdered: false)
  }
}

/// Returns a Boolean value that indicates whether a text comes before another one. Digits are compared as whole numbers,
/// and other characters as bytes.
private func precedesForReading(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  var (rest, other) = (left[...], right[...])
  while let first = rest.first, let second = other.first {
    if first.isDigit, second.isDigit {
      let (number, otherNumber) = (rest.prefix(while: \.isDigit), other.prefix(while: \.isDigit))
      let digits = number.drop { $0 == UInt8(ascii: "0") }
      let otherDigits = otherNumber.drop { $0 == UInt8(ascii: "0") }
      if digits.count != otherDigits.count { return digits.count < otherDigits.count }
      if !digits.elementsEqual(otherDigits) { return digits.lexicographicallyPrecedes(otherDigits) }
      (rest, other) = (rest.dropFirst(number.count), other.dropFirst(otherNumber.count))
    } else {
      if first != second { return first < second }
      (rest, other) = (rest.dropFirst(), other.dropFirst())
    }
  }
  if rest.isEmpty != other.isEmpty { return rest.isEmpty }
  // Only leading zeros differ.
  return left.lexicographicallyPrecedes(right)
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
