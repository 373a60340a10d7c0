import JSONTree
public import RecordModel

/// `customise:` of one entity: how its items are read and its records populated, in declarative form.
public struct EntityCustomisation: Sendable {
  public var representation: DeclaredRepresentation?
  public var marshaling: DeclaredMarshaling?
}

/// The steps of an entity's population that go otherwise.
public struct DeclaredMarshaling: Sendable {
  /// `values:`, by attribute: what becomes of values with a certain text.
  public var values: [PropertyName: [String: AttributeValue]] = [:]
  /// `attributes:`: where attributes come from.
  public var attributes: [PropertyName: AttributeSource] = [:]
  public var relationships: [PropertyName: LinkConditions] = [:]
  /// `childBy:`: the attribute by which a stored child of the parent is found again.
  public var childBy: PropertyName?
  public var merge: DeclaredMerge?
  /// In the order in which they are set.
  public var before: [AroundAssignment] = []
  public var after: [AroundAssignment] = []
}

/// Where an attribute comes from.
public enum AttributeSource: Sendable {
  /// What a path finds in the item; what the record had, if it finds nothing.
  case path(MappingPath)
  case value(AttributeValue?)
}

/// What is linked; predicates are about dictionaries of the response.
public struct LinkConditions: Sendable {
  /// The relationship stays as it is where the item fulfils this.
  public var leaveWhen: RecordPredicate?
  /// It is emptied where the item fulfils this.
  public var emptyWhen: RecordPredicate?
  /// Only records whose items fulfil this are linked.
  public var linkWhere: RecordPredicate?
}

/// How two dictionaries of one record are merged.
public enum DeclaredMerge: String, Hashable, Sendable, CaseIterable {
  /// The first counts.
  case first
  /// The last counts.
  case last
  /// One with the keys of both, of a key that both have the last value.
  case together
}

/// An attribute that is set before or after the population of a record.
public struct AroundAssignment: Sendable {
  public enum Source: Sendable {
    case value(AttributeValue?)
    /// How many records a relationship leads to at this moment.
    case countOf(PropertyName)
  }

  public var attribute: PropertyName
  public var source: Source
}
