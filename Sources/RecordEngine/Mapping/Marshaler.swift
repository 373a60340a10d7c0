public import JSONTree
public import RecordModel

/// A type that customizes the population of an entity's records, step by step.
///
/// Every requirement has a default implementation that keeps the standard behavior. Implement only the steps that
/// differ. Assign a marshaler to a record type (``Record/marshaler``), or pass it for an entity when you create the
/// container. A sub-entity without a marshaler uses the one of its nearest ancestor.
///
/// ```swift
/// struct PostMarshaler: Marshaler {
///   func value(_ conversion: ValueConversion) -> AttributeValue? {
///     guard conversion.attribute == "rating", conversion.rawValue.string == "high" else {
///       return conversion.standardValue
///     }
///     return .integer(5)
///   }
/// }
/// ```
///
/// The engine calls a marshaler while it populates a response, on an arbitrary thread. It calls the marshaler again if
/// it has to populate the response again. A marshaler must hold no state. It must not save, nor wait for a save or a
/// request; see ``KeyInjection``.
public protocol Marshaler: Sendable {
  /// Converts a value of an item to a value of an attribute. The default implementation returns
  /// ``ValueConversion/standardValue``.
  ///
  /// Return nil if the value cannot be converted. The record then keeps its value, and the diagnostic `value-type`
  /// reports it. The same applies if the attribute cannot hold the returned value.
  ///
  /// The engine calls this method wherever it converts values of the entity, including keys and duplicates that it
  /// compares. The same value must always be converted to the same result. The method is not called for null.
  /// Rule: `customize.value`.
  func value(_ conversion: ValueConversion) -> AttributeValue?

  /// Returns the new value of an attribute, based on the whole item. The default implementation returns
  /// ``AttributeDecision/standard``.
  ///
  /// The engine calls this method for each attribute in the order of the model, whether or not the item has a value for
  /// it. It does not call it for attributes that identify the record. Rule: `customize.attribute`.
  func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeDecision

  /// Returns the new content of a relationship. The default implementation returns ``RelationshipDecision/standard``.
  ///
  /// The engine calls this method for each relationship in the order of the model, except for the one that is the
  /// record's key. Rule: `customize.relationship`.
  ///
  /// - Parameters:
  ///   - name: the name of the relationship.
  ///   - record: the record with the relationship.
  ///   - links: the records that the item has for the relationship; nil if the item does not mention it. For a null,
  ///     the array is empty.
  func relationship(
    _ name: PropertyName, of record: PopulatedRecord, links: [PopulatedRecord]?
  ) -> RelationshipDecision

  /// Returns the stored child that an item represents, for an entity whose key is a relationship. The default
  /// implementation returns ``ChildDecision/standard``.
  ///
  /// The engine calls this method if the stored parent has children. Rule: `customize.relationship-key`.
  ///
  /// - Parameters:
  ///   - item: the dictionary of the item.
  ///   - parent: the stored parent, in its state before the response.
  ///   - children: the children that no other item has taken, oldest first.
  func child(_ item: JSONNode, of parent: PopulatedRecord, among children: [PopulatedRecord]) -> ChildDecision

  /// Merges two full dictionaries of one record. The default implementation returns ``MergedDictionary/standard``.
  /// Rule: `customize.merge`.
  func merge(_ duplicates: DuplicateItems) -> MergedDictionary

  /// Prepares a record before its attributes are set. Values of the response overwrite values that this method sets.
  /// The default implementation does nothing. Rule: `customize.around`.
  func willPopulate(_ record: PopulatingRecord)

  /// Finishes a record after the attributes and relationships of all records have been set. The default implementation
  /// does nothing. Rule: `customize.around`.
  func didPopulate(_ record: PopulatingRecord)
}

extension Marshaler {
  public func value(_ conversion: ValueConversion) -> AttributeValue? { conversion.standardValue }

  public func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeDecision { .standard }

  public func relationship(
    _ name: PropertyName, of record: PopulatedRecord, links: [PopulatedRecord]?
  ) -> RelationshipDecision { .standard }

  public func child(
    _ item: JSONNode, of parent: PopulatedRecord, among children: [PopulatedRecord]
  ) -> ChildDecision { .standard }

  public func merge(_ duplicates: DuplicateItems) -> MergedDictionary { .standard }

  public func willPopulate(_ record: PopulatingRecord) {}
  public func didPopulate(_ record: PopulatingRecord) {}
}

/// The decision of a marshaler about an attribute.
public enum AttributeDecision: Sendable, Equatable {
  /// Applies the standard rules to the value of the item.
  case standard
  /// Leaves the attribute unchanged.
  case leave
  /// Applies the standard rules as if the item had this value. The value is converted, and a null is handled like any
  /// null for the attribute.
  case found(JSONValue)
  /// Sets the attribute to this value; nil clears it. A value that the attribute cannot hold is ignored, with the
  /// diagnostic `value-type`.
  case value(AttributeValue?)
}

/// The decision of a marshaler about a relationship.
public enum RelationshipDecision: Sendable {
  /// Applies the standard rules to the links of the item.
  case standard
  /// Leaves the relationship unchanged.
  case leave
  /// Applies the standard rules as if the item had these links. Records that are not among the passed links are
  /// ignored.
  case link([PopulatedRecord])
  /// Replaces the content of the relationship by these records; an empty array empties it. Records that are not among
  /// the passed links are ignored.
  case replace([PopulatedRecord])
}

/// The decision of a marshaler about the child that an item represents.
public enum ChildDecision: Sendable {
  /// The child that the rules `identity.relationship-key` determine.
  case standard
  /// One of the passed children.
  case child(PopulatedRecord)
  /// A new child.
  case new
}

/// Two full dictionaries of one record in one response.
public struct DuplicateItems: Sendable {
  /// The entity of the first dictionary.
  public let entity: EntityName
  /// The dictionary that comes first in the response, or the result of earlier merges.
  public let first: JSONNode
  /// The dictionary that comes later.
  public let other: JSONNode
}

/// The result of merging two full dictionaries of one record. Rule: `merge.strategy`.
public enum MergedDictionary: Sendable, Equatable {
  /// The standard result. After a merge hook, the marshaler of the entity decides unless the request names a merge
  /// strategy. Without a marshaler, the merge strategy applies.
  case standard
  /// The first dictionary.
  case first
  /// The other dictionary.
  case other
  /// This dictionary; a value that is not a dictionary counts as ``standard``. The dictionary changes neither the key
  /// nor the entity of the record. Items nested in it determine the links. The content of the linked records comes from
  /// their items in the response.
  case dictionary(JSONValue)
}

/// A closure that merges two full dictionaries of one record, for any entity.
///
/// The closure must not save, nor wait for a save or a request; see ``KeyInjection``. Rule: `merge.strategy`.
public typealias MergeHook = @Sendable (DuplicateItems) -> MergedDictionary
