import JSONTree
public import RecordModel

/// The customization of one entity from `customise:`, in declarative form: how items are read and records are
/// populated.
public struct EntityCustomisation: Sendable {
  /// The representation; nil for the model's.
  public var representation: DeclaredRepresentation?
  /// The changes to the population of records; nil if there are none.
  public var marshaling: DeclaredMarshaling?
}

/// The parts of an entity's population that differ from the default.
public struct DeclaredMarshaling: Sendable {
  /// The values from `values:`. By attribute, each text of a raw value is mapped to the value that replaces it.
  public var values: [PropertyName: [String: AttributeValue]] = [:]
  /// The sources of attributes from `attributes:`.
  public var attributes: [PropertyName: AttributeSource] = [:]
  /// The conditions for links from `relationships:`.
  public var relationships: [PropertyName: LinkConditions] = [:]
  /// The attribute from `childBy:`, which identifies a stored child of the parent.
  public var childBy: PropertyName?
  /// The strategy from `merge:`; nil for the default.
  public var merge: DeclaredMerge?
  /// The attributes that are set before a record is populated, in order.
  public var before: [AroundAssignment] = []
  /// The attributes that are set after all records are populated, in order.
  public var after: [AroundAssignment] = []
}

/// The source of an attribute's value.
public enum AttributeSource: Sendable {
  /// The value that a path finds in the item. If the path finds nothing, the attribute is unchanged.
  case path(MappingPath)
  case value(AttributeValue?)
}

/// The conditions for links of a relationship. The predicates apply to dictionaries of the response.
public struct LinkConditions: Sendable {
  /// The predicate for items that leave the relationship unchanged.
  public var leaveWhen: RecordPredicate?
  /// The predicate for items that empty the relationship.
  public var emptyWhen: RecordPredicate?
  /// The predicate for items whose records are linked; nil for all items.
  public var linkWhere: RecordPredicate?
}

/// The strategy for merging two dictionaries of one record.
public enum DeclaredMerge: String, Hashable, Sendable, CaseIterable {
  /// The first dictionary.
  case first
  /// The last dictionary.
  case last
  /// A dictionary with the keys of both. A key that both have gets the last value.
  case together
}

/// An attribute that is set before or after the population of a record.
public struct AroundAssignment: Sendable {
  /// The source of the value.
  public enum Source: Sendable {
    case value(AttributeValue?)
    /// The number of records in a relationship at that moment.
    case countOf(PropertyName)
  }

  public var attribute: PropertyName
  public var source: Source
}
