public import JSONTree

/// A description of a relationship of an entity.
public struct RelationshipDescription: Hashable, Sendable {
  /// The name of the relationship.
  public var name: PropertyName
  /// The entity of the records at the other end.
  public var destination: EntityName
  /// A Boolean value that indicates whether the relationship can have several members. The default is false.
  public var isToMany: Bool

  /// The relationship of the destination that describes the same link from the other end.
  public var inverse: PropertyName?

  /// A Boolean value that indicates whether a to-many keeps the order in which members are added. The default is false.
  /// Rule: `relationships.ordered`.
  public var isOrdered: Bool

  /// A Boolean value that indicates whether the relationship may be empty. The default is true.
  public var isOptional: Bool

  /// The minimum number of members of a to-many; 0 for no minimum. Rule: `model.optional-count`.
  public var minCount: Int

  /// The maximum number of members of a to-many; 0 for no maximum, as in Core Data.
  public var maxCount: Int

  /// The effect of deleting a record on the records at the other end. The default is `nullify`.
  public var deleteRule: DeleteRule

  /// The alternate names, which are tried in order before the relationship's own name. Rule: `mapping.alternate-name`.
  public var from: [MappingPath]

  /// A Boolean value that indicates whether the relationship's own name is tried after the alternate names. The default
  /// is true. If it is false and there are no alternate names, the relationship is not read from items.
  /// Rule: `mapping.name`.
  public var usesOwnName: Bool

  /// The effect of a JSON null on a to-one. If nil, the policy of the nearest of the entity, its ancestors and the
  /// model applies. Rule: `mapping.null`.
  public var null: NullPolicy?

  /// The values that mean null. If nil, those of the nearest of the entity, its ancestors and the model apply.
  /// Rule: `mapping.null-values`.
  public var nullValues: [JSONValue]?

  /// The effect of a list in a response on a to-many. The default is `union`.
  public var assignment: RelationshipAssignment

  /// The policy for references to records that are neither stored nor in the response. The default is `create`.
  /// Rule: `relationships.weak`.
  public var stubs: StubPolicy

  /// The attribute that receives the key of an item, if items are in a dictionary by key.
  /// Rule: `mapping.keyed-collection`.
  public var keyedBy: PropertyName?

  /// The former name of the relationship, by which an existing store keeps its members. Nil if the relationship was not
  /// renamed.
  public var renamingIdentifier: String?

  /// Creates the description of a relationship.
  public init(
    _ name: PropertyName, to destination: EntityName, isToMany: Bool = false, inverse: PropertyName? = nil,
    isOrdered: Bool = false, isOptional: Bool = true, minCount: Int = 0, maxCount: Int = 0,
    deleteRule: DeleteRule = .nullify, from: [MappingPath] = [], usesOwnName: Bool = true,
    null: NullPolicy? = nil, nullValues: [JSONValue]? = nil,
    assignment: RelationshipAssignment = .union, stubs: StubPolicy = .create, keyedBy: PropertyName? = nil,
    renamingIdentifier: String? = nil
  ) {
    self.name = name
    self.destination = destination
    self.isToMany = isToMany
    self.inverse = inverse
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.minCount = minCount
    self.maxCount = maxCount
    self.deleteRule = deleteRule
    self.from = from
    self.usesOwnName = usesOwnName
    self.null = null
    self.nullValues = nullValues
    self.assignment = assignment
    self.stubs = stubs
    self.keyedBy = keyedBy
    self.renamingIdentifier = renamingIdentifier
  }

  /// Creates the description of a to-many relationship.
  public init(
    _ name: PropertyName, toMany destination: EntityName, inverse: PropertyName? = nil,
    isOrdered: Bool = false,
    from: [MappingPath] = [], deleteRule: DeleteRule = .nullify, assignment: RelationshipAssignment = .union
  ) {
    self.init(
      name, to: destination, isToMany: true, inverse: inverse, isOrdered: isOrdered, deleteRule: deleteRule,
      from: from, assignment: assignment)
  }
}

/// The effect of deleting a record on the records at the other end of a relationship. Rule: `save.delete-rules`.
public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
  case nullify, cascade, deny, noAction
}

/// The effect of a list in an item on a to-many. Rules: `relationships.union`, `relationships.replace`.
public enum RelationshipAssignment: String, Hashable, Sendable, CaseIterable {
  /// The members in the item are added. This is the default.
  case union
  /// The members in the item replace the existing members.
  case replace
}

/// The policy for a reference to a record that is neither stored nor created by another item of the response.
/// Rule: `relationships.weak`.
public enum StubPolicy: String, Hashable, Sendable, CaseIterable {
  /// The record is created as a stub. This is the default.
  case create
  /// The reference is skipped and reported.
  case never
}
