/// A checked model resolved for use: names have become indices, and what is inherited stands in place.
///
/// Entities and relationships are named by their index in `entities` and `relationships`, in the model's order,
/// so that every pass over them is deterministic and every look-up is an array access.
package struct Schema: Sendable {
  package var entities: [SchemaEntity] = []
  /// Every declared relationship once; sub-entities share their ancestors' relationships.
  package var relationships: [SchemaRelationship] = []
  /// One for each entity without parent: what its whole tree keeps in one row.
  package var trees: [SchemaTree] = []
  package var indices: [EntityName: Int] = [:]
  /// The entities in a depth-first count: each one directly before its sub-entities.
  package var depthFirst: [Int] = []
  /// The key scopes that are none of the model's own, but a tweak's: no store can find rows by their keys.
  package var tweakedKeyScopes: Set<Int> = []
  /// The file of tweaks that has made it otherwise than its model; empty if none has.
  package var tweaks: [UInt8] = []

  package init() {}

  package func entity(_ name: EntityName) -> SchemaEntity? { indices[name].map { entities[$0] } }

  /// Whether `entity` is `ancestor` or one of its sub-entities.
  package func isKind(_ entity: Int, of ancestor: Int) -> Bool {
    entities[ancestor].subtree.contains(entities[entity].subtree.lowerBound)
  }

  /// The entity and its sub-entities, each after its ancestors. Linear in these alone.
  package func kinds(of entity: Int) -> ArraySlice<Int> { depthFirst[entities[entity].subtree] }

  /// The entities of a tree, in the order of the model.
  package func entities(ofTree tree: Int) -> [SchemaEntity] {
    kinds(of: trees[tree].root).sorted().map { entities[$0] }
  }
}

/// The columns that rows of one inheritance tree have.
package struct SchemaTree: Sendable {
  package var root: Int
  package var columnCount = 0
  /// The to-one relationships that rows of the tree keep, by slot.
  package var toOnes: [Int] = []
}

package struct SchemaEntity: Sendable {
  package var index: Int
  package var name: EntityName
  package var className: String
  package var isAbstract: Bool
  package var parent: Int?
  /// Direct sub-entities in declaration order.
  package var children: [Int] = []
  package var tree = 0
  /// Numbers of the entity and its sub-entities in a depth-first count; an entity's own number comes first.
  package var subtree: Range<Int> = 0..<0

  /// Inherited ones first, so that a position means the same in every sub-entity.
  package var attributes: [SchemaAttribute] = []
  package var attributePositions: [PropertyName: Int] = [:]
  /// Indices into `Schema.relationships`, inherited ones first.
  package var relationships: [Int] = []
  package var relationshipIndices: [PropertyName: Int] = [:]

  package var key: SchemaKey = .none
  /// The entity whose declaration the key is: keys are unique in the tree below it.
  package var keyScope = 0
  /// Who computes the key of an item, if it is no value that stands in it.
  package var keyComputation: (any Representation)?

  package var responseKeyPath: MappingPath?
  /// The position of an attribute.
  package var responseKeyedBy: Int?
  package var merge = MergeStrategy.first
  /// The position of an attribute.
  package var modificationAttribute: Int?
  /// The position of an attribute.
  package var dictionaryAttribute: Int?
  package var usedWhen: RecordPredicate?
  package var deletedWhen: RecordPredicate?
  package var detailAddress: DetailAddress?
  package var isRecordLevelCachingEnabled = false
  /// Where items have the attributes and relationships, once all of these are known.
  package var lookup = PropertyLookup()
  package var renamingIdentifier: String?
}

/// What identifies a record.
package enum SchemaKey: Hashable, Sendable {
  case none
  /// Positions of attributes.
  case attributes([Int])
  /// A to-one relationship.
  case relationship(Int)
}

package struct SchemaAttribute: Sendable {
  package var name: PropertyName
  package var type: AttributeType
  /// Where rows of the tree keep it.
  package var column: Int
  /// Where items have it, in the order in which to ask; the last one is its own name, unless that is not asked.
  package var paths: [MappingPath]
  package var dateFormat: DateFormat?
  package var defaultValue: AttributeValue?
  package var isOptional: Bool
  package var null: NullPolicy
  package var transformer: String?
  package var renamingIdentifier: String?
}

package struct SchemaRelationship: Sendable {
  package var index: Int
  /// The entity that declares it.
  package var entity: Int
  package var name: PropertyName
  package var destination: Int
  package var isToMany: Bool
  package var inverse: Int?
  /// Whether the inverse is a to-one, so that a member has one owner at most.
  package var isInverseToOne = false
  /// Where rows of the tree keep a to-one; nil for a to-many.
  package var slot: Int?
  package var isOrdered: Bool
  package var isOptional: Bool
  package var minCount: Int
  package var maxCount: Int
  package var deleteRule: DeleteRule
  package var paths: [MappingPath]
  package var null: NullPolicy
  package var assignment: RelationshipAssignment
  package var stubs: StubPolicy
  /// The position of an attribute of the destination.
  package var keyedBy: Int?
  package var renamingIdentifier: String?
}

extension SchemaEntity {
  /// The attributes that the entity does not inherit.
  package func declaredAttributes(in schema: Schema) -> ArraySlice<SchemaAttribute> {
    attributes.dropFirst(parent.map { schema.entities[$0].attributes.count } ?? 0)
  }
}

extension SchemaRelationship {
  /// The relationship under which links are kept, where no row keeps who belongs to whom: of a many-to-many pair the
  /// one declared first, of a to-many without inverse itself. Nil where a to-one on either side says it all.
  package var linkRelationship: Int? { isToMany && !isInverseToOne ? min(index, inverse ?? index) : nil }
}
