/// An entity: what records of one kind have, and how items of a response become such records.
public struct EntityDescription: Hashable, Sendable {
  public var name: EntityName

  /// The record class, as `Module.Class`, `.Class` or `Class`. Nil: the entity's name. Rule: `model.class-name`.
  public var className: String?

  /// The entity whose properties and declarations this one inherits. Rule: `model.inheritance`.
  public var parent: EntityName?

  /// Whether no record is ever of this entity itself. Rule: `subentity.abstract`.
  public var isAbstract: Bool

  /// What identifies a record: one attribute, several, or one to-one relationship. Empty: the ancestors' key.
  /// Rules: `identity.*`.
  public var primaryKey: [PropertyName]

  /// Where in a response object the items are. Rule: `response.key-path`.
  public var responseKeyPath: MappingPath?

  /// Reads a dictionary of items by key at the response key path; the key becomes this attribute of the item.
  /// Rule: `mapping.keyed-collection`.
  public var responseKeyedBy: PropertyName?

  /// How the strings of this entity's dates are read. Rule: `values.date.format`.
  public var dateFormat: String?

  /// What a JSON null does, where a property does not say. Rule: `mapping.null`.
  public var null: NullPolicy?

  /// How two full dictionaries of one record in one response are merged. Rule: `merge.strategy`.
  public var merge: MergeStrategy?

  /// The attribute that says when the server changed the record. Rule: `merge.unmodified`.
  public var modificationAttribute: PropertyName?

  /// The transformable attribute that keeps the dictionary of each item, without its relationships. It is looked up
  /// nowhere itself, and every dictionary sets it, so that none is a stub.
  /// Rules: `dynamic.store`, `dynamic.relationships`.
  public var dictionaryAttribute: PropertyName?

  /// When an item of an ancestor entity is one of this entity. Rule: `subentity.choose`.
  public var usedWhen: RecordPredicate?

  /// When an item says that its record is gone. Inherited by sub-entities. Rule: `orphans.tombstone`.
  public var deletedWhen: RecordPredicate?

  /// The address of a record's details: `posts/{id}`, with attributes, or what to-one relationships lead to, in braces.
  /// Values are percent-encoded as parts of a path, unless the braces are all there is (`{url}`).
  /// Rule: `request.detail`.
  public var detailURN: String?

  /// Whether responses are kept in the record cache, where requests do not say. Inherited by sub-entities. Nil: as the
  /// parent says; no, if nobody does. Rules: `cache.off`, `cache.store`.
  public var isRecordLevelCachingEnabled: Bool?

  /// What it was called before, so that a stored file keeps its records. Nil: it always had its name.
  public var renamingIdentifier: String?

  public var attributes: [AttributeDescription]
  public var relationships: [RelationshipDescription]

  public init(
    _ name: EntityName, className: String? = nil, parent: EntityName? = nil, isAbstract: Bool = false,
    primaryKey: PropertyName..., responseKeyPath: MappingPath? = nil, responseKeyedBy: PropertyName? = nil,
    dateFormat: String? = nil, null: NullPolicy? = nil, merge: MergeStrategy? = nil,
    modificationAttribute: PropertyName? = nil, dictionaryAttribute: PropertyName? = nil,
    usedWhen: RecordPredicate? = nil, deletedWhen: RecordPredicate? = nil, detailURN: String? = nil,
    isRecordLevelCachingEnabled: Bool? = nil, renamingIdentifier: String? = nil,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = []
  ) {
    self.name = name
    self.className = className
    self.parent = parent
    self.isAbstract = isAbstract
    self.primaryKey = primaryKey
    self.responseKeyPath = responseKeyPath
    self.responseKeyedBy = responseKeyedBy
    self.dateFormat = dateFormat
    self.null = null
    self.merge = merge
    self.modificationAttribute = modificationAttribute
    self.dictionaryAttribute = dictionaryAttribute
    self.usedWhen = usedWhen
    self.deletedWhen = deletedWhen
    self.detailURN = detailURN
    self.isRecordLevelCachingEnabled = isRecordLevelCachingEnabled
    self.renamingIdentifier = renamingIdentifier
    self.attributes = attributes
    self.relationships = relationships
  }
}

/// How two full dictionaries of one record in one response become one. Rule: `merge.strategy`.
public enum MergeStrategy: String, Hashable, Sendable, CaseIterable {
  /// The first one counts. The default.
  case first
  /// Property by property, the first value that is not null; a to-many is the union.
  case deep
}
