package import JSONTree

/// A validated model, resolved for use: indices replace names, and inherited declarations are copied.
///
/// Entities and relationships are identified by their index in `entities` and `relationships`, in the order of the
/// model. Every pass over them is deterministic, and every look-up is an array access.
package struct Schema: Sendable {
  package var entities: [SchemaEntity] = []
  /// The declared relationships, each of them once. Sub-entities share the relationships of their ancestors.
  package var relationships: [SchemaRelationship] = []
  /// The inheritance trees, one for each entity without parent. The records of a tree share one layout of rows.
  package var trees: [SchemaTree] = []
  package var indices: [EntityName: EntityIndex] = [:]
  /// The entities in depth-first order. Each entity comes directly before its sub-entities.
  package var depthFirst: [EntityIndex] = []
  /// The key scopes that tweaks have changed. No store can find rows by the keys of these scopes.
  package var tweakedKeyScopes: Set<EntityIndex> = []
  /// The file of tweaks that was applied to the model; empty without tweaks.
  package var tweaks: [UInt8] = []

  /// A Boolean value that indicates whether a path or a predicate reads values from around the items. Equal items then need not be
  /// equal records.
  package var readsAroundItems = false

  package init() {}

  package func entity(_ name: EntityName) -> SchemaEntity? { indices[name].map { entities[$0] } }

  /// Returns a Boolean value that indicates whether `entity` is `ancestor` or one of its sub-entities.
  package func isKind(_ entity: EntityIndex, of ancestor: EntityIndex) -> Bool {
    entities[ancestor].subtree.contains(entities[entity].subtree.lowerBound)
  }

  /// Returns the entity and its sub-entities, each after its ancestors.
  ///
  /// - Complexity: linear in the number of these entities.
  package func kinds(of entity: EntityIndex) -> ArraySlice<EntityIndex> {
    depthFirst[entities[entity].subtree]
  }

  /// Returns the entities of a tree, in the order of the model.
  package func entities(ofTree tree: TreeIndex) -> [SchemaEntity] {
    kinds(of: trees[tree].root).sorted().map { entities[$0] }
  }
}

extension Schema {
  /// Returns a Boolean value that indicates whether an entity or one of its ancestors ignores a key of its items.
  ///
  /// Rule: `diagnostics.drift-ignored`.
  package func ignores(_ path: MappingPath, of entity: EntityIndex) -> Bool {
    let text = path.keyText
    return sequence(first: entity, next: { entities[$0].parent }).contains { entity in
      entities[entity].ignores.contains { $0.matches(text) }
    }
  }
}

extension Schema {
  /// The entities whose records can be stubs: a relationship leads to the entity or an ancestor, and the entity has a
  /// key.
  ///
  /// - Complexity: linear in the number of relationships and of entities with their sub-entities.
  package var entitiesWithStubs: Set<EntityIndex> {
    var found: Set<EntityIndex> = []
    for relationship in relationships where relationship.stubs == .create {
      guard !found.contains(relationship.destination) else { continue }
      found.formUnion(kinds(of: relationship.destination))
    }
    return found.filter { entities[$0].key != .none }
  }
}

extension Schema {
  /// The maximum number of columns for the properties of a tree. SQLite allows 2000 columns in a table and in a result.
  /// The engine needs three of them in each row, and one to number the rows of a list.
  package static let maximumColumns = 1996

  /// The maximum number of inherited properties in a tree, summed over the sub-entities that do not share their
  /// parent's list.
  package static let maximumInheritedProperties = 1_000_000

  /// Returns the number of columns in which a store keeps the properties of a tree: one for each attribute and each
  /// to-one, and a second one for a to-one whose inverse is ordered.
  package func columns(ofTree tree: TreeIndex) -> Int {
    let positions = trees[tree].toOnes.count { toOne in
      relationships[toOne].inverse.map { relationships[$0].isOrdered } ?? false
    }
    return trees[tree].columnCount + trees[tree].toOnes.count + positions
  }
}

/// The columns of the rows of an inheritance tree.
package struct SchemaTree: Sendable {
  package var root: EntityIndex
  package var columnCount = 0
  /// The to-one relationships that the rows of the tree store, by slot.
  package var toOnes: [RelationshipIndex] = []

  /// The slots with their to-one relationships.
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
  /// The direct sub-entities, in the order of declaration.
  package var children: [EntityIndex] = []
  package var tree = TreeIndex(0)
  /// The depth-first numbers of the entity and its sub-entities. The first is the entity's own number.
  package var subtree: Range<Int> = 0..<0

  /// The attributes, with inherited ones first, so that an index has the same meaning in every sub-entity.
  package var attributes: [SchemaAttribute] = []
  package var attributeIndices: [PropertyName: AttributeIndex] = [:]
  /// The names of the attributes, for reads of single values. Set after all attributes are known.
  package var attributeNames = KeyTable([])
  /// The relationships, with inherited ones first.
  package var relationships: [RelationshipIndex] = []
  package var relationshipIndices: [PropertyName: RelationshipIndex] = [:]

  package var key: SchemaKey = .none
  /// The entity that declares the key. Keys are unique within this entity and its sub-entities.
  package var keyScope = EntityIndex(0)
  /// The representation that computes the keys of items; nil if keys are read from items.
  package var keyComputation: (any Representation)?

  package var responseKeyPath: MappingPath?
  package var responseKeyedBy: AttributeIndex?
  package var sideloaded: [(path: MappingPath, entities: [EntityIndex])] = []
  package var deletedKeyPath: MappingPath?
  package var skipsItemsWithoutKey = false
  package var merge = MergeStrategy.first
  package var modificationAttribute: AttributeIndex?
  package var dictionaryAttribute: AttributeIndex?
  package var usedWhen: RecordPredicate?
  package var deletedWhen: RecordPredicate?
  package var detailAddress: DetailAddress?
  package var isRecordLevelCachingEnabled = false
  /// The patterns of unused keys that drift reports leave out, without those of the ancestors.
  package var ignores: [KeyPattern] = []
  /// The paths of the attributes and relationships. Set after all of these are known.
  package var lookup = PropertyLookup()
  package var renamingIdentifier: String?
}

/// The properties that identify a record.
package enum SchemaKey: Hashable, Sendable {
  case none
  case attributes([AttributeIndex])
  /// A to-one relationship.
  case relationship(RelationshipIndex)
}

package struct SchemaAttribute: Sendable {
  package var name: PropertyName
  package var type: AttributeType
  /// The column in the rows of the tree.
  package var column: ColumnIndex
  /// The paths in items, in the order in which they are tried. The last one is the attribute's own name, if it is used.
  package var paths: [MappingPath]
  package var dateFormat: DateFormat?
  package var defaultValue: AttributeValue?
  package var isOptional: Bool
  package var null: NullPolicy
  package var nullValues: [JSONValue]
  /// The text around a value, for the key of an entity with a pattern. Rule: `identity.key-pattern`.
  package var keyPattern: KeyTextPattern?
  package var transformer: String?
  package var renamingIdentifier: String?
}

package struct SchemaRelationship: Sendable {
  package var index: RelationshipIndex
  /// The entity that declares the relationship.
  package var entity: EntityIndex
  package var name: PropertyName
  package var destination: EntityIndex
  package var isToMany: Bool
  package var inverse: RelationshipIndex?
  /// A Boolean value that indicates whether the inverse is a to-one, so that a member has at most one owner.
  package var isInverseToOne = false
  /// The slot of a to-one in the rows of the tree; nil for a to-many.
  package var slot: SlotIndex?
  package var isOrdered: Bool
  package var isOptional: Bool
  package var minCount: Int
  package var maxCount: Int
  package var deleteRule: DeleteRule
  package var paths: [MappingPath]
  package var null: NullPolicy
  package var nullValues: [JSONValue]
  package var assignment: RelationshipAssignment
  package var stubs: StubPolicy
  /// The attribute of the destination that receives the keys of a dictionary of items.
  package var keyedBy: AttributeIndex?
  package var renamingIdentifier: String?
}

extension SchemaAttribute {
  /// The kinds of values that the date format reads: numbers without a format.
  package var kindsOfDates: [JSONKind] {
    guard let dateFormat else { return [.number] }
    return dateFormat.readsNumbers ? [.number, .string] : [.string]
  }
}

extension SchemaEntity {
  /// Returns a Boolean value that indicates whether an attribute is the key or a part of it.
  package func isPartOfKey(_ attribute: PropertyName) -> Bool {
    guard case .attributes(let key) = key else { return false }
    return key.contains { attributes[$0].name == attribute }
  }

  /// The attributes that the entity does not inherit.
  package func declaredAttributes(in schema: Schema) -> ArraySlice<SchemaAttribute> {
    attributes.dropFirst(parent.map { schema.entities[$0].attributes.count } ?? 0)
  }
}

extension SchemaRelationship {
  /// The relationship under which the links of members are stored, if no row stores them: the first declared
  /// relationship of a many-to-many pair, or a to-many without inverse itself. Nil if a to-one on either side stores
  /// the link.
  package var linkRelationship: RelationshipIndex? {
    isToMany && !isInverseToOne ? min(index, inverse ?? index) : nil
  }
}
