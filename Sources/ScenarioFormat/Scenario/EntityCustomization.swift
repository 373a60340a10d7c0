import JSONTree
package import RecordModel

/// The customization of one entity from `customize:`, in declarative form: how items are read and records are
/// populated.
package struct EntityCustomization: Sendable {
  /// The representation; nil for the model's.
  package var representation: DeclaredRepresentation?
  /// The changes to the population of records; nil if there are none.
  package var marshaling: DeclaredMarshaling?
}

/// The parts of an entity's population that differ from the default.
package struct DeclaredMarshaling: Sendable {
  /// The values from `values:`. By attribute, each text of a raw value is mapped to the value that replaces it.
  package var values: [PropertyName: [String: AttributeValue]] = [:]
  /// The sources of attributes from `attributes:`.
  package var attributes: [PropertyName: AttributeSource] = [:]
  /// The conditions for links from `relationships:`.
  package var relationships: [PropertyName: LinkConditions] = [:]
  /// The attribute from `childBy:`, which identifies a stored child of the parent.
  package var childBy: PropertyName?
  /// The strategy from `merge:`; nil for the default.
  package var merge: DeclaredMerge?
  /// The attributes that are set before a record is populated, in order.
  package var before: [AroundAssignment] = []
  /// The attributes that are set after all records are populated, in order.
  package var after: [AroundAssignment] = []
}

/// The source of an attribute's value.
package enum AttributeSource: Sendable {
  /// The value that a path finds in the item. If the path finds nothing, the attribute is unchanged.
  case path(MappingPath)
  case value(AttributeValue?)
}

/// The conditions for links of a relationship. The predicates apply to dictionaries of the response.
package struct LinkConditions: Sendable {
  /// The predicate for items that leave the relationship unchanged.
  package var leaveWhen: RecordPredicate?
  /// The predicate for items that empty the relationship.
  package var emptyWhen: RecordPredicate?
  /// The predicate for items whose records are linked; nil for all items.
  package var linkWhere: RecordPredicate?
}

/// The strategy for merging two dictionaries of one record.
package enum DeclaredMerge: String, Hashable, Sendable, CaseIterable {
  /// The first dictionary.
  case first
  /// The last dictionary.
  case last
  /// A dictionary with the keys of both. A key that both have gets the last value.
  case together
}

/// An attribute that is set before or after the population of a record.
package struct AroundAssignment: Sendable {
  /// The source of the value.
  package enum Source: Sendable {
    case value(AttributeValue?)
    /// The number of records in a relationship at that moment.
    case countOf(PropertyName)
  }

  package var attribute: PropertyName
  package var source: Source
}
