/// A relationship of an entity.
public struct RelationshipDescription: Hashable, Sendable {
  public var name: PropertyName
  public var destination: EntityName
  public var isToMany: Bool

  /// The relationship of the destination that says the same from the other side.
  public var inverse: PropertyName?

  /// Whether a to-many keeps the order of arrival. Rule: `relationships.ordered`.
  public var isOrdered: Bool

  public var isOptional: Bool

  /// The least number of members of a to-many; 0 is no bound. Rule: `model.optional-count`.
  public var minCount: Int

  /// The greatest number of members of a to-many; 0 is no bound, as in Core Data.
  public var maxCount: Int

  public var deleteRule: DeleteRule

  /// The alternate names, asked in order before the relationship's own name. Rule: `mapping.alternate-name`.
  public var from: [MappingPath]

  /// Whether the relationship's own name is asked after the alternate ones. False and no alternate name: items have
  /// nothing for it. Rule: `mapping.name`.
  public var usesOwnName: Bool

  /// What a JSON null does to a to-one. Nil: the entity's, its ancestors', the model's. Rule: `mapping.null`.
  public var null: NullPolicy?

  /// Whether what a response brings is added to a to-many or replaces it.
  public var assignment: RelationshipAssignment

  /// Whether a reference to a record that nobody has brought yet creates it. Rule: `relationships.weak`.
  public var stubs: StubPolicy

  /// Reads a dictionary of items by key; the key becomes this attribute of the item.
  /// Rule: `mapping.keyed-collection`.
  public var keyedBy: PropertyName?

  /// What it was called before, so that a stored file keeps its members. Nil: it always had its name.
  public var renamingIdentifier: String?

  public init(
    _ name: PropertyName, to destination: EntityName, isToMany: Bool = false, inverse: PropertyName? = nil,
    isOrdered: Bool = false, isOptional: Bool = true, minCount: Int = 0, maxCount: Int = 0,
    deleteRule: DeleteRule = .nullify, from: [MappingPath] = [], usesOwnName: Bool = true,
    null: NullPolicy? = nil,
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
    self.assignment = assignment
    self.stubs = stubs
    self.keyedBy = keyedBy
    self.renamingIdentifier = renamingIdentifier
  }

  /// A to-many relationship.
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

/// What happens to the records at the other end when a record is deleted. Rule: `save.delete-rules`.
public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
  case nullify, cascade, deny, noAction
}

/// What a to-many named by an item becomes. Rules: `relationships.union`, `relationships.replace`.
public enum RelationshipAssignment: String, Hashable, Sendable, CaseIterable {
  /// What comes is added to what is there. The default.
  case union
  /// It holds exactly what the item says.
  case replace
}

/// What a relationship does with a reference to a record that is neither stored nor brought full by the response.
/// Rule: `relationships.weak`.
public enum StubPolicy: String, Hashable, Sendable, CaseIterable {
  /// It creates the record with its key alone. The default.
  case create
  /// It leaves the reference out and reports it.
  case never
}
