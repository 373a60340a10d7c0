import RecordModel

/// Lets tests refer to the entities and properties of their small models by number.
extension ElementIndex: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) { self.init(value) }
}
