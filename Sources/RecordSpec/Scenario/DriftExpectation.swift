public import RecordModel

/// Where a response and the model are expected not to fit each other. Entities that are not named are not looked at.
public struct DriftExpectation: Sendable {
  public var entities: [EntityDriftExpectation]
  /// Whether there must be no others (`none`).
  public var isExhaustive: Bool
  public var span: SourceSpan
}

/// What is expected of one entity. Nil fields are not looked at.
public struct EntityDriftExpectation: Sendable {
  public var entity: EntityName
  public var items: Located<Int>?
  /// Exactly these keys, by path, in any order.
  public var unused: DriftCountsExpectation?
  /// Exactly these properties, in any order.
  public var missing: DriftCountsExpectation?
  /// Exactly these properties, each with the kinds that came; `tags[]` is what the array of `tags` holds.
  public var types: [DriftTypeExpectation]?
  public var span: SourceSpan
}

/// A property whose values came in exactly these kinds.
public struct DriftTypeExpectation: Sendable {
  public var name: String
  public var kinds: DriftCountsExpectation
  public var span: SourceSpan
}

/// Names, and how often they came as far as the author says.
public struct DriftCountsExpectation: Sendable {
  public struct Line: Sendable {
    public var name: String
    public var count: Int?
    public var span: SourceSpan
  }

  public var lines: [Line]
  public var span: SourceSpan
}
