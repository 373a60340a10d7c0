public import JSONTree
public import RecordModel

/// The population of an entity's records, step by step, in code.
///
/// Every requirement has a default that does what the engine does without: implement the steps that are to be otherwise.
/// A marshaler is given to a record type (``Record/marshaler``), or to an entity without one when the container is made.
/// Sub-entities without one of their own have their nearest ancestor's.
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
/// It is asked while its response is populated, on no thread in particular, and again if the response has to be populated
/// once more: it holds no state, must not save, nor wait for a save or a request; see ``KeyInjection``.
public protocol Marshaler: Sendable {
  /// Converts a value that items have for an attribute: nil if it cannot be a value of it, and then the record keeps what
  /// it had, with a diagnostic `value-type`. So does a value that the attribute cannot hold.
  ///
  /// It is asked wherever values of the entity are converted, keys and duplicates that are compared included. The same
  /// value has to become the same each time. Nulls are not its business. Rule: `customise.value`.
  func value(_ conversion: ValueConversion) -> AttributeValue?

  /// Decides what an attribute becomes, the item at hand as a whole. It is asked for each attribute in the model's order,
  /// whether the item mentions it or not, but not for what identifies the record.
  /// Rule: `customise.attribute`.
  func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeAnswer

  /// Decides what a relationship becomes. It is asked for each relationship in the model's order, but for the one that is
  /// the record's key. Rule: `customise.relationship`.
  ///
  /// - Parameters:
  ///   - name: the relationship.
  ///   - record: the record that it is of.
  ///   - links: the records that the item has for it; nil if it does not mention it. A null is an empty list.
  func relationship(
    _ name: PropertyName, of record: PopulatedRecord, links: [PopulatedRecord]?
  ) -> LinksAnswer

  /// Decides which child of its parent an item is, whose key is a relationship. It is asked where the stored parent has
  /// children. Rule: `customise.relationship-key`.
  ///
  /// - Parameters:
  ///   - item: the item's dictionary.
  ///   - parent: the stored parent, as it was before the response.
  ///   - children: those that no other item is yet, oldest first.
  func child(_ item: JSONNode, of parent: PopulatedRecord, among children: [PopulatedRecord]) -> ChildAnswer

  /// Merges two full dictionaries of one record. Rule: `customise.merge`.
  func merge(_ duplicates: DuplicateItems) -> MergedDictionary

  /// Before the attributes of a record are set. What is set here is the response's to overwrite.
  /// Rule: `customise.around`.
  func willPopulate(_ record: PopulatingRecord)

  /// After attributes and relationships of all records have been set. Rule: `customise.around`.
  func didPopulate(_ record: PopulatingRecord)
}

extension Marshaler {
  public func value(_ conversion: ValueConversion) -> AttributeValue? { conversion.standardValue }

  public func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeAnswer { .standard }

  public func relationship(
    _ name: PropertyName, of record: PopulatedRecord, links: [PopulatedRecord]?
  ) -> LinksAnswer { .standard }

  public func child(
    _ item: JSONNode, of parent: PopulatedRecord, among children: [PopulatedRecord]
  ) -> ChildAnswer { .standard }

  public func merge(_ duplicates: DuplicateItems) -> MergedDictionary { .standard }

  public func willPopulate(_ record: PopulatingRecord) {}
  public func didPopulate(_ record: PopulatingRecord) {}
}

/// What an attribute becomes.
public enum AttributeAnswer: Sendable, Equatable {
  /// What the item has for it, by the rules.
  case standard
  /// What it was.
  case leave
  /// As if the item had this for it: it is converted, and a null is what nulls are for the attribute.
  case found(JSONValue)
  /// This; nil is no value. One that the attribute cannot hold is left out with a diagnostic `value-type`.
  case value(AttributeValue?)
}

/// What a relationship becomes.
public enum LinksAnswer: Sendable {
  /// What the item has for it, by the rules.
  case standard
  /// What it was.
  case leave
  /// As if the item had these. Others than the links that were handed over are left out.
  case link([PopulatedRecord])
  /// These and no others; none empties it. Others than the links that were handed over are left out.
  case replace([PopulatedRecord])
}

/// Which child of its parent an item is.
public enum ChildAnswer: Sendable {
  /// The one that the rules `identity.relationship-key` find.
  case standard
  /// This one of the children that were handed over.
  case child(PopulatedRecord)
  /// None of them: a new one.
  case new
}

/// Two full dictionaries of one record in one response.
public struct DuplicateItems: Sendable {
  /// The entity of the first one.
  public let entity: EntityName
  /// The one that was met first, or what the ones before have been merged into.
  public let first: JSONNode
  /// The one that was met later.
  public let other: JSONNode
}

/// What two full dictionaries of one record become. Rule: `merge.strategy`.
public enum MergedDictionary: Sendable, Equatable {
  /// What the strategy says that would hold otherwise.
  case standard
  /// The first counts.
  case first
  /// The other counts.
  case other
  /// This dictionary counts; another value than a dictionary is ``standard``. It changes neither the key nor the entity of
  /// the record. Items nested in it say what is linked; what these records are is said where they stand in the response.
  case dictionary(JSONValue)
}

/// Answers what two full dictionaries of one record become, whatever its entity.
///
/// It must not save, nor wait for a save or a request; see ``KeyInjection``. Rule: `merge.strategy`.
public typealias MergeHook = @Sendable (DuplicateItems) -> MergedDictionary
