import RecordModel

/// The known parts of a model while a scenario is read. The model may be invalid: the outline is used to check the rest
/// of the file without reporting the model's errors again.
///
/// Results for inherited properties are cached, so that lookups do not visit all ancestors again.
struct ModelOutline {
  /// The names in the order of the model.
  private(set) var entityNames: [EntityName] = []
  private var entities: [EntityName: EntityDescription] = [:]
  /// The entities whose declarations have an error, so that they may have more properties than are known.
  private var unclearEntities: Set<EntityName> = []
  private var answers = Answers()
  /// The source locations of the parts of the model.
  var locations = ModelSourceMap()

  enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    /// A property that is not declared.
    case unknown
    /// A property whose declaration is invalid, which has been reported.
    case unclear

    var isKnown: Bool {
      switch self {
      case .attribute, .relationship: true
      case .unknown, .unclear: false
      }
    }
  }

  mutating func add(_ entity: EntityDescription, isClear: Bool) {
    if entities.updateValue(entity, forKey: entity.name) == nil { entityNames.append(entity.name) }
    if isClear { unclearEntities.remove(entity.name) } else { unclearEntities.insert(entity.name) }
    answers = Answers()
  }

  /// The outline without the cached results of lookups, which belong to one reader.
  var withOwnCaches: ModelOutline {
    var outline = self
    outline.answers = Answers()
    outline.locations = ModelSourceMap(locations.layers)
    return outline
  }

  func entity(_ name: EntityName) -> EntityDescription? { entities[name] }

  func property(_ name: PropertyName, of entity: EntityName) -> Property {
    if let own = ownProperties(of: entity)[name] { return own }
    let inherited = parent(of: entity).flatMap { entity in
      answers.properties[name, default: NearestValues()].value(of: entity, parent: parent) {
        ownProperties(of: $0)[name]
      }
    }
    return inherited ?? (isClear(entity) ? .unknown : .unclear)
  }

  /// Returns the property that records of an entity or of its sub-entities have, for use in a predicate. Returns
  /// `unclear` if sub-entities declare the name as different relationships, or as an attribute and a relationship.
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

  /// Returns the entities that determine the property with a name: those that declare one, or all entities if some are
  /// unclear.
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

  /// Returns the names of the entity's properties, followed by those of its ancestors.
  func propertyNames(of entity: EntityName) -> [String] {
    lineage(of: entity).flatMap { $0.attributes.map(\.name.rawValue) + $0.relationships.map(\.name.rawValue) }
  }

  /// Returns the nearest declared key: empty if there is none, nil if it is unclear.
  func primaryKey(of entity: EntityName) -> [PropertyName]? {
    guard isClear(entity) else { return nil }
    let nearest = answers.keys.value(of: entity, parent: parent) { name in
      entities[name].flatMap { $0.primaryKey.isEmpty ? nil : $0.primaryKey }
    }
    return nearest ?? []
  }

  /// Returns a Boolean value that indicates whether records of `entity` are also records of `ancestor`. Returns true if
  /// that is unclear.
  func isKind(_ entity: EntityName, of ancestor: EntityName) -> Bool {
    guard isClear(entity), entities[ancestor] != nil else { return true }
    let subtrees = subtrees()
    guard let entity = subtrees[entity], let ancestor = subtrees[ancestor] else { return false }
    return ancestor.contains(entity.lowerBound)
  }

  /// Returns the topmost known ancestor of an entity, which is the entity itself if it has no parent.
  func root(of entity: EntityName) -> EntityName { lineage(of: entity).last?.name ?? entity }

  /// Returns a Boolean value that indicates whether the entity and its ancestors are known and valid.
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
      // Without a destination, which is reported, the members are unknown.
      properties[relationship.name] =
        relationship.destination.rawValue.isEmpty ? .unclear : .relationship(relationship)
    }
    for attribute in entities[entity]?.attributes.reversed() ?? [] {
      properties[attribute.name] = .attribute(attribute)
    }
    answers.ownProperties[entity] = properties
    return properties
  }

  /// Returns the entity and its known ancestors, nearest first. Each occurs once, even if the model has a cycle.
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

  /// Returns the range of depth-first numbers of each entity and its sub-entities, starting with the entity itself.
  /// Entities in a cycle have no range.
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

  /// The cached results for the current entities. When an entity is added, a new object replaces this one.
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
