package import RecordModel

/// The expected drift of a step: differences between its response and the model. Entities that are not named are not
/// checked.
package struct DriftExpectation: Sendable {
  /// The expected drift of each named entity.
  package var entities: [EntityDriftExpectation]
  /// A Boolean value that indicates whether other drift is not allowed (`none`).
  package var isExhaustive: Bool
  package var span: SourceSpan
}

/// The expected drift of one entity. A nil field is not checked.
package struct EntityDriftExpectation: Sendable {
  package var entity: EntityName
  /// The number of items.
  package var items: Located<Int>?
  /// The expected unused keys by path: exactly these, in any order.
  package var unused: DriftCountsExpectation?
  /// The expected missing properties: exactly these, in any order.
  package var missing: DriftCountsExpectation?
  /// The expected properties with unexpected kinds of values: exactly these, in any order, each with its kinds.
  /// `tags[]` stands for the elements of the array `tags`.
  package var types: [DriftTypeExpectation]?
  package var span: SourceSpan
}

/// A property and exactly the kinds that its values have.
package struct DriftTypeExpectation: Sendable {
  /// The name of the property, or the name and `[]` for the elements of its array.
  package var name: String
  /// The kinds, with their expected numbers of occurrences where the author states them.
  package var kinds: DriftCountsExpectation
  package var span: SourceSpan
}

/// Names, with their expected number of occurrences where the author states it.
package struct DriftCountsExpectation: Sendable {
  /// A name and its expected number of occurrences; nil for any number.
  package struct Line: Sendable {
    package var name: String
    package var count: Int?
    package var span: SourceSpan
  }

  /// The names, in the order of the file.
  package var lines: [Line]
  package var span: SourceSpan
}
