public import JSONTree

/// A description of an entity: the properties of its records, and their mapping from items of a response.
public struct EntityDescription: Hashable, Sendable {
  /// The name of the entity.
  public var name: EntityName

  /// The record class, as `Module.Class`, `.Class` or `Class`. If nil, the name of the entity is used.
  /// Rule: `model.class-name`.
  public var className: String?

  /// The entity whose properties and declarations are inherited. Rule: `model.inheritance`.
  public var parent: EntityName?

  /// A Boolean value that indicates whether all records are of sub-entities, never of the entity itself. The default is
  /// false. Rule: `subentity.abstract`.
  public var isAbstract: Bool

  /// The properties that identify a record: one attribute, several attributes, or one to-one relationship. If empty,
  /// the key of the nearest ancestor with one applies. Rules: `identity.*`.
  public var primaryKey: [PropertyName]

  /// The text around a key where items and references have it, such as `*/{key}` for `Patient/p1`. `*` matches any text.
  /// A text that does not match is the key itself. Several patterns are separated by ` | `. Rule: `identity.key-pattern`.
  public var keyPattern: String?

  /// The path of the items in a response object. Rule: `response.key-path`.
  public var responseKeyPath: MappingPath?

  /// The attribute that receives the key of an item, if the response key path leads to a dictionary of items by key.
  /// Rule: `mapping.keyed-collection`.
  public var responseKeyedBy: PropertyName?

  /// The other lists of a response that are read with requests for this entity, such as `included` of JSON:API.
  /// Rule: `response.sideloaded`.
  public var sideloaded: [SideloadedItems]

  /// The path of a list of keys in a response object, whose records are deleted. Rule: `orphans.deleted-keys`.
  public var deletedKeyPath: MappingPath?

  /// The effect of an item without a key. If nil, the policy of the parent applies; by default, the item creates a record.
  /// Rule: `identity.without-key`.
  public var withoutKey: KeylessItemPolicy?

  /// The convention by which the names of properties become the keys of items. If nil, that of the parent applies; by default,
  /// the keys are the names. Rule: `mapping.convention`.
  public var names: NamingConvention?

  /// The values that mean null for properties that do not state others: strings, numbers, Booleans, and an empty list or
  /// object. If nil, those of the parent apply. Rule: `mapping.null-values`.
  public var nullValues: [JSONValue]?

  /// The format of strings for dates of this entity. Rule: `values.date.format`.
  public var dateFormat: String?

  /// The effect of a JSON null on properties without a policy. Rule: `mapping.null`.
  public var null: NullPolicy?

  /// The strategy for merging several full dictionaries of one record in a response. Rule: `merge.strategy`.
  public var merge: MergeStrategy?

  /// The attribute that contains the time when the server changed the record. Rule: `merge.unmodified`.
  public var modificationAttribute: PropertyName?

  /// The transformable attribute that stores the dictionary of each item, without its relationships. The attribute
  /// itself is not looked up in items. Every dictionary sets it, so that no dictionary is a stub.
  /// Rules: `dynamic.store`, `dynamic.relationships`.
  public var dictionaryAttribute: PropertyName?

  /// The condition under which an item of an ancestor entity becomes a record of this entity. Rule: `subentity.choose`.
  public var usedWhen: RecordPredicate?

  /// The condition under which an item means that its record is deleted. Sub-entities inherit it.
  /// Rule: `orphans.tombstone`.
  public var deletedWhen: RecordPredicate?

  /// The address of a record's details, for example `posts/{id}`. Braces contain an attribute, or a key path through
  /// to-one relationships to one. Values are percent-encoded as parts of a path, unless the address consists only of
  /// braces (`{url}`). Rule: `request.detail`.
  public var detailURN: String?

  /// A Boolean value that indicates whether responses are cached for requests that do not specify it. Sub-entities
  /// inherit it. If nil, the value of the parent applies; responses are not cached by default. Rules: `cache.off`,
  /// `cache.store`.
  public var isRecordLevelCachingEnabled: Bool?

  /// The keys of items that the app does not use. A drift report leaves them out. In a pattern, `*` matches any text,
  /// as in `*_url`; keys of nested objects are joined with dots, as in `meta.page`. Sub-entities also ignore the keys
  /// of their ancestors. Rule: `diagnostics.drift-ignored`.
  public var ignores: [String]

  /// The former name of the entity, by which an existing store keeps its records. Nil if the entity was not renamed.
  public var renamingIdentifier: String?

  /// The attributes that the entity declares.
  public var attributes: [AttributeDescription]
  /// The relationships that the entity declares.
  public var relationships: [RelationshipDescription]

  /// Creates the description of an entity.
  public init(
    _ name: EntityName, className: String? = nil, parent: EntityName? = nil, isAbstract: Bool = false,
    primaryKey: PropertyName..., keyPattern: String? = nil, responseKeyPath: MappingPath? = nil,
    responseKeyedBy: PropertyName? = nil,
    sideloaded: [SideloadedItems] = [], deletedKeyPath: MappingPath? = nil,
    withoutKey: KeylessItemPolicy? = nil,
    names: NamingConvention? = nil, nullValues: [JSONValue]? = nil, dateFormat: String? = nil,
    null: NullPolicy? = nil, merge: MergeStrategy? = nil,
    modificationAttribute: PropertyName? = nil, dictionaryAttribute: PropertyName? = nil,
    usedWhen: RecordPredicate? = nil, deletedWhen: RecordPredicate? = nil, detailURN: String? = nil,
    isRecordLevelCachingEnabled: Bool? = nil, ignores: [String] = [], renamingIdentifier: String? = nil,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = []
  ) {
    self.name = name
    self.className = className
    self.parent = parent
    self.isAbstract = isAbstract
    self.primaryKey = primaryKey
    self.keyPattern = keyPattern
    self.responseKeyPath = responseKeyPath
    self.responseKeyedBy = responseKeyedBy
    self.sideloaded = sideloaded
    self.deletedKeyPath = deletedKeyPath
    self.withoutKey = withoutKey
    self.names = names
    self.nullValues = nullValues
    self.dateFormat = dateFormat
    self.null = null
    self.merge = merge
    self.modificationAttribute = modificationAttribute
    self.dictionaryAttribute = dictionaryAttribute
    self.usedWhen = usedWhen
    self.deletedWhen = deletedWhen
    self.detailURN = detailURN
    self.isRecordLevelCachingEnabled = isRecordLevelCachingEnabled
    self.ignores = ignores
    self.renamingIdentifier = renamingIdentifier
    self.attributes = attributes
    self.relationships = relationships
  }
}

/// The effect of an item without a key, of an entity with one. Rule: `identity.without-key`.
public enum KeylessItemPolicy: String, Hashable, Sendable, CaseIterable {
  /// The item creates a record. This is the default.
  case create
  /// The item is left out.
  case skip
}

/// The strategy for merging several full dictionaries of one record in a response. Rule: `merge.strategy`.
public enum MergeStrategy: String, Hashable, Sendable, CaseIterable {
  /// The dictionary with the most mapped properties is used, among equals the first. This is the default.
  case first
  /// The first value that is not null is used for each property, and the union of the members for a to-many.
  case deep
}
