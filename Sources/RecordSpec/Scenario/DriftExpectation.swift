public import RecordModel

/// The expected drift of a step: differences between its response and the model. Entities that are not named are not
/// checked.
public struct DriftExpectation: Sendable {
  /// The expected drift of each named entity.
  public var entities: [EntityDriftExpectation]
  /// A Boolean value that indicates whether other drift is not allowed (`none`).
  public var isExhaustive: Bool
  public var span: SourceSpan
}

/// The expected drift of one entity. A nil field is not checked.
public struct EntityDriftExpectation: Sendable {
  public var entity: EntityName
  /// The number of items.
  public var items: Located<Int>?
  /// The expected unused keys by path: exactly these, in any order.
  public var unused: DriftCountsExpectation?
  /// The expected missing properties: exactly these, in any order.
  public var missing: DriftCountsExpectation?
  /// The expected properties with unexpected kinds of values: exactly these, in any order, each with its kinds.
  /// `tags[]` stands for the elements of the array `tags`.
  public var types: [DriftTypeExpectation]?
  public var span: SourceSpan
}

/// A property and exactly the kinds that its values have.
public struct DriftTypeExpectation: Sendable {
  /// The name of the property, or the name and `[]` for the elements of its array.
  public var name: String
  /// The kinds, with their expected numbers of occurrences where the author states them.
  public var kinds: DriftCountsExpectation
  public var span: SourceSpan
}

/// Names, with their expected number of occurrences where the author states it.
public struct DriftCountsExpectation: Sendable {
  /// A name and its expected number of occurrences; nil for any number.
  public struct Line: Sendable {
    public var name: String
    public var count: Int?
    public var span: SourceSpan
  }

  /// The names, in the order of the file.
  public var lines: [Line]
  public var span: SourceSpan
}
