/// A table of values by relationship ends, in the order in which the ends were first set.
struct RelationshipEndTable<Value> {
  private(set) var elements: [(end: RelationshipEnd, value: Value)] = []
  private var index = HashIndex()

  subscript(end: RelationshipEnd) -> Value? { position(of: end).map { elements[$0].value } }

  /// Sets the value of an end. Returns the former value.
  @discardableResult
  mutating func set(_ end: RelationshipEnd, _ value: Value) -> Value? {
    if let position = position(of: end) {
      defer { elements[position].value = value }
      return elements[position].value
    }
    index.insert(elements.count, hash: end.mixedHash)
    elements.append((end, value))
    return nil
  }

  mutating func reserveCapacity(_ capacity: Int) {
    index.reserveCapacity(capacity)
    elements.reserveCapacity(capacity)
  }

  private func position(of end: RelationshipEnd) -> Int? {
    index.position(hash: end.mixedHash) { elements[$0].end == end }
  }
}
