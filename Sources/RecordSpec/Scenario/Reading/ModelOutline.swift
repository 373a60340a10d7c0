import RecordModel

/// What is known of a model while a scenario is read, also of one that is wrong: enough to check the rest of the
/// file against it without telling the model's mistakes again.
///
/// Questions about inherited properties keep their answers, so that they do not walk over all ancestors again.
struct ModelOutline {
  /// In the order of the model.
  private(set) var entityNames: [EntityName] = []
  private var entities: [EntityName: EntityDescription] = [:]
  /// Entities with a mistake in the declaration itself, so that they may have more properties than are known.
  private var unclearEntities: Set<EntityName> = []
  private var answers = Answers()

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
    answers = Answers()
  }

  func entity(_ name: EntityName) -> EntityDescription? { entities[name] }

  func property(_ name: PropertyName, of entity: EntityName) -> Property {
    let nearest = answers.properties[name, default: NearestValues()].value(of: entity, parent: parent) {
      ownProperties(of: $0)[name]
    }
    return nearest ?? (isClear(entity) ? .unknown : .unclear)
  }

  /// The property as records of the entity or of its sub-entities have it: what a predicate may ask for. Unclear where
  /// sub-entities have different relationships of that name.
  func property(_ name: PropertyName, ofKind entity: EntityName) -> Property {
    let own = property(name, of: entity)
    guard case .unknown = own else { return own }
    let question = Answers.KindQuestion(entity: entity, name: name)
    if let answer = answers.propertiesOfKinds[question] { return answer }
    let answer = subEntityProperty(name, below: entity)
    answers.propertiesOfKinds[question] = answer
    return answer
  }

  private func subEntityProperty(_ name: PropertyName, below entity: EntityName) -> Property {
    var found: Property?
    for candidate in candidates(for: name) where candidate != entity && isKind(candidate, of: entity) {
      switch (found, property(name, of: candidate)) {
      case (_, .unknown), (.attribute, .attribute): break
      case (nil, let property): found = property
      case (.relationship(let first), .relationship(let other)) where first == other: break
      default: return .unclear
      }
    }
    return found ?? .unknown
  }

  /// The entities whose property of a name says what all entities have: those that declare one, and unclear ones.
  private func candidates(for name: PropertyName) -> [EntityName] {
    let hasUnclear = answers.hasUnclear ?? !entityNames.allSatisfy(isClear)
    answers.hasUnclear = hasUnclear
    if hasUnclear { return entityNames }
    if let declarers = answers.declarers { return declarers[name] ?? [] }
    var declarers: [PropertyName: [EntityName]] = [:]
    for entity in entityNames {
      for name in ownProperties(of: entity).keys { declarers[name, default: []].append(entity) }
    }
    answers.declarers = declarers
    return declarers[name] ?? []
  }

  /// The entity's own properties, then those of its ancestors.
  func propertyNames(of entity: EntityName) -> [String] {
    lineage(of: entity).flatMap {
      $0.attributes.map(\.name.rawValue) + $0.relationships.map(\.name.rawValue)
    }
  }

  /// The nearest declared key; empty if there is none, nil if it is not clear.
  func primaryKey(of entity: EntityName) -> [PropertyName]? {
    guard isClear(entity) else { return nil }
    let nearest = answers.keys.value(of: entity, parent: parent) { name in
      entities[name].flatMap { $0.primaryKey.isEmpty ? nil : $0.primaryKey }
    }
    return nearest ?? []
  }

  /// Whether a record of `entity` is one of `ancestor`; true as well where that is not clear.
  func isKind(_ entity: EntityName, of ancestor: EntityName) -> Bool {
    guard isClear(entity), entities[ancestor] != nil else { return true }
    let subtrees = subtrees()
    guard let entity = subtrees[entity], let ancestor = subtrees[ancestor] else { return false }
    return ancestor.contains(entity.lowerBound)
  }

  /// Whether the entity and its ancestors are known and without mistake.
  private func isClear(_ entity: EntityName) -> Bool {
    let nearest = answers.clearness.value(of: entity, parent: parent) { name -> Bool? in
      guard let entity = entities[name], !unclearEntities.contains(name) else { return false }
      return entity.parent == nil ? true : nil
    }
    return nearest ?? false
  }

  private func parent(of entity: EntityName) -> EntityName? { entities[entity]?.parent }

  private func ownProperties(of entity: EntityName) -> [PropertyName: Property] {
    if let properties = answers.ownProperties[entity] { return properties }
    var properties: [PropertyName: Property] = [:]
    for relationship in entities[entity]?.relationships.reversed() ?? [] {
      properties[relationship.name] = .relationship(relationship)
    }
    for attribute in entities[entity]?.attributes.reversed() ?? [] {
      properties[attribute.name] = .attribute(attribute)
    }
    answers.ownProperties[entity] = properties
    return properties
  }

  /// The entity and its ancestors, nearest first, as far as they are known. Each once, whatever the model says.
  private func lineage(of entity: EntityName) -> [EntityDescription] {
    var lineage: [EntityDescription] = []
    var visited: Set<EntityName> = []
    var next: EntityName? = entity
    while let name = next, let entity = entities[name], visited.insert(name).inserted {
      lineage.append(entity)
      next = entity.parent
    }
    return lineage
  }

  /// Numbers of each entity and its sub-entities in a depth-first count, its own first; none for entities in a cycle.
  private func subtrees() -> [EntityName: Range<Int>] {
    if let subtrees = answers.subtrees { return subtrees }
    var children: [EntityName: [EntityName]] = [:]
    var pending: [EntityName] = []
    for name in entityNames {
      if let parent = entities[name]?.parent, entities[parent] != nil {
        children[parent, default: []].append(name)
      } else {
        pending.append(name)
      }
    }
    var order: [EntityName] = []
    var subtrees: [EntityName: Range<Int>] = [:]
    while let name = pending.popLast() {
      subtrees[name] = order.count..<order.count + 1
      order.append(name)
      pending.append(contentsOf: children[name] ?? [])
    }
    for name in order.reversed() {
      guard let parent = entities[name]?.parent, let outer = subtrees[parent], let inner = subtrees[name]
      else { continue }
      subtrees[parent] = outer.lowerBound..<max(outer.upperBound, inner.upperBound)
    }
    answers.subtrees = subtrees
    return subtrees
  }

  /// Answers about the entities as they are; others are added to a new object.
  private final class Answers {
    var properties: [PropertyName: NearestValues<Property>] = [:]
    var ownProperties: [EntityName: [PropertyName: Property]] = [:]
    var propertiesOfKinds: [KindQuestion: Property] = [:]
    var declarers: [PropertyName: [EntityName]]?
    var hasUnclear: Bool?
    var keys = NearestValues<[PropertyName]>()
    var clearness = NearestValues<Bool>()
    var subtrees: [EntityName: Range<Int>]?

    struct KindQuestion: Hashable {
      var entity: EntityName
      var name: PropertyName
    }
  }
}
