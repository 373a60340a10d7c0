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
  package var indices: [EntityName: EntityIndex] = [:]
  /// The entities in a depth-first count: each one directly before its sub-entities.
  package var depthFirst: [EntityIndex] = []
  /// The key scopes that are none of the model's own, but a tweak's: no store can find rows by their keys.
  package var tweakedKeyScopes: Set<EntityIndex> = []
  /// The file of tweaks that has made it otherwise than its model; empty if none has.
  package var tweaks: [UInt8] = []

  package init() {}

  package func entity(_ name: EntityName) -> SchemaEntity? { indices[name].map { entities[$0] } }

  /// Whether `entity` is `ancestor` or one of its sub-entities.
  package func isKind(_ entity: EntityIndex, of ancestor: EntityIndex) -> Bool {
    entities[ancestor].subtree.contains(entities[entity].subtree.lowerBound)
  }

  /// The entity and its sub-entities, each after its ancestors. Linear in these alone.
  package func kinds(of entity: EntityIndex) -> ArraySlice<EntityIndex> {
    depthFirst[entities[entity].subtree]
  }

  /// The entities of a tree, in the order of the model.
  package func entities(ofTree tree: TreeIndex) -> [SchemaEntity] {
    kinds(of: trees[tree].root).sorted().map { entities[$0] }
  }
}

extension Schema {
  /// The most columns that the properties of a tree may have. SQLite allows 2000 in a table and in a result; the engine
  /// needs three of them in each row, and one that numbers the rows of a list.
  package static let maximumColumns = 1996

  /// The maximum of inherited properties in a tree, summed over the sub-entities that do not share their parent's list.
  package static let maximumInheritedProperties = 1_000_000

  /// The number of columns in which a store keeps the properties of a tree: one for each attribute and each to-one, and a
  /// second one for a to-one whose inverse is ordered.
  package func columns(ofTree tree: TreeIndex) -> Int {
    let positions = trees[tree].toOnes.count { toOne in
      relationships[toOne].inverse.map { relationships[$0].isOrdered } ?? false
    }
    return trees[tree].columnCount + trees[tree].toOnes.count + positions
  }
}

/// The columns that rows of one inheritance tree have.
package struct SchemaTree: Sendable {
  package var root: EntityIndex
  package var columnCount = 0
  /// The to-one relationships that rows of the tree keep, by slot.
  package var toOnes: [RelationshipIndex] = []

  /// The slots and the to-one relationships that have them.
  package var slots: some Sequence<(SlotIndex, RelationshipIndex)> {
    toOnes.lazy.enumerated().map { (SlotIndex($0), $1) }
  }
}

package struct SchemaEntity: Sendable {
  package var index: EntityIndex
  package var name: EntityName
  package var className: String
  package var isAbstract: Bool
  package var parent: EntityIndex?
  /// Direct sub-entities in declaration order.
  package var children: [EntityIndex] = []
  package var tree = TreeIndex(0)
  /// Numbers of the entity and its sub-entities in a depth-first count; an entity's own number comes first.
  package var subtree: Range<Int> = 0..<0

  /// Inherited ones first, so that a position means the same in every sub-entity.
  package var attributes: [SchemaAttribute] = []
  package var attributeIndices: [PropertyName: AttributeIndex] = [:]
  /// Inherited ones first.
  package var relationships: [RelationshipIndex] = []
  package var relationshipIndices: [PropertyName: RelationshipIndex] = [:]

  package var key: SchemaKey = .none
  /// The entity whose declaration the key is: keys are unique in the tree below it.
  package var keyScope = EntityIndex(0)
  /// Who computes the key of an item, if it is no value that stands in it.
  package var keyComputation: (any Representation)?

  package var responseKeyPath: MappingPath?
  package var responseKeyedBy: AttributeIndex?
  package var merge = MergeStrategy.first
  package var modificationAttribute: AttributeIndex?
  package var dictionaryAttribute: AttributeIndex?
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
  case attributes([AttributeIndex])
  /// A to-one relationship.
  case relationship(RelationshipIndex)
}

package struct SchemaAttribute: Sendable {
  package var name: PropertyName
  package var type: AttributeType
  /// Where rows of the tree keep it.
  package var column: ColumnIndex
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
  package var index: RelationshipIndex
  /// The entity that declares it.
  package var entity: EntityIndex
  package var name: PropertyName
  package var destination: EntityIndex
  package var isToMany: Bool
  package var inverse: RelationshipIndex?
  /// Whether the inverse is a to-one, so that a member has one owner at most.
  package var isInverseToOne = false
  /// Where rows of the tree keep a to-one; nil for a to-many.
  package var slot: SlotIndex?
  package var isOrdered: Bool
  package var isOptional: Bool
  package var minCount: Int
  package var maxCount: Int
  package var deleteRule: DeleteRule
  package var paths: [MappingPath]
  package var null: NullPolicy
  package var assignment: RelationshipAssignment
  package var stubs: StubPolicy
  /// An attribute of the destination.
  package var keyedBy: AttributeIndex?
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
  package var linkRelationship: RelationshipIndex? {
    isToMany && !isInverseToOne ? min(index, inverse ?? index) : nil
  }
}
