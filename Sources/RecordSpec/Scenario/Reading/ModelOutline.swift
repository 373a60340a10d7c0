import RecordModel

/// What is known of a model while a scenario is read, also of one that is wrong: enough to check the rest of the
/// file against it without telling the model's mistakes again.
struct ModelOutline {
  /// In the order of the model.
  private(set) var entityNames: [EntityName] = []
  private var entities: [EntityName: EntityDescription] = [:]
  /// Entities with a mistake in the declaration itself, so that they may have more properties than are known.
  private var unclearEntities: Set<EntityName> = []

  enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    /// It is not declared.
    case unknown
    /// Its declaration is wrong, which has been reported.
    case unclear
  }

  mutating func add(_ entity: EntityDescription, isClear: Bool) {
    if entities.updateValue(entity, forKey: entity.name) == nil { entityNames.append(entity.name) }
    if isClear { unclearEntities.remove(entity.name) } else { unclearEntities.insert(entity.name) }
  }

  func entity(_ name: EntityName) -> EntityDescription? { entities[name] }

  func property(_ name: PropertyName, of entity: EntityName) -> Property {
    for ancestor in lineage(of: entity) {
      if let attribute = ancestor.attributes.first(where: { $0.name == name }) {
        return .attribute(attribute)
      }
      if let relationship = ancestor.relationships.first(where: { $0.name == name }) {
        return .relationship(relationship)
      }
    }
    return isClear(entity) ? .unknown : .unclear
  }

  /// The property as records of the entity or of its sub-entities have it: what a predicate may ask for. Unclear where
  /// sub-entities have different relationships of that name.
  func property(_ name: PropertyName, ofKind entity: EntityName) -> Property {
    let own = property(name, of: entity)
    guard case .unknown = own else { return own }
    var found: Property?
    for candidate in entityNames where candidate != entity && isKind(candidate, of: entity) {
      switch (found, property(name, of: candidate)) {
      case (_, .unknown), (.attribute, .attribute): break
      case (nil, let property): found = property
      case (.relationship(let first), .relationship(let other)) where first == other: break
      default: return .unclear
      }
    }
    return found ?? .unknown
  }

  /// The entity's own properties, then those of its ancestors.
  func propertyNames(of entity: EntityName) -> [String] {
    lineage(of: entity).flatMap {
      $0.attributes.map(\.name.rawValue) + $0.relationships.map(\.name.rawValue)
    }
  }

  /// The nearest declared key; empty if there is none, nil if it is not clear.
  func primaryKey(of entity: EntityName) -> [PropertyName]? {
    isClear(entity) ? lineage(of: entity).first { !$0.primaryKey.isEmpty }?.primaryKey ?? [] : nil
  }

  /// Whether a record of `entity` is one of `ancestor`; true as well where that is not clear.
  func isKind(_ entity: EntityName, of ancestor: EntityName) -> Bool {
    lineage(of: entity).contains { $0.name == ancestor } || !isClear(entity) || entities[ancestor] == nil
  }

  /// Whether the entity and its ancestors are known and without mistake.
  private func isClear(_ entity: EntityName) -> Bool {
    let lineage = lineage(of: entity)
    guard let last = lineage.last, last.parent == nil else { return false }
    return lineage.allSatisfy { !unclearEntities.contains($0.name) }
  }

  /// The entity and its ancestors, nearest first, as far as they are known. Each once, whatever the model says.
  private func lineage(of entity: EntityName) -> [EntityDescription] {
    var lineage: [EntityDescription] = []
    var next: EntityName? = entity
    while let name = next, let entity = entities[name], !lineage.contains(where: { $0.name == name }) {
      lineage.append(entity)
      next = entity.parent
    }
    return lineage
  }
}
