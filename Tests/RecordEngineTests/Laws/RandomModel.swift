import JSONTree
import RecordModel

/// A model of one to five entities, created from a seed.
///
/// Every property name occurs once in a model, and an alternate name is the name followed by `Alt`. A dictionary can
/// therefore be read without knowing its entity. A sub-entity claims the items whose `kind` is its name.
struct RandomModel {
  var entities: [EntityDescription] = []
  var nulls = NullPolicy.clear
  /// A Boolean value that indicates whether every entity has a key, and responses give every item one.
  let isKeyed: Bool
  /// A Boolean value that indicates whether the model uses further features: several children of a parent, references
  /// without stubs, tombstones, and a hook that changes items.
  let isDemanding: Bool
  /// The attribute that the pre-population hook sets, with the entity of the items.
  var hooked: (entity: EntityName, attribute: PropertyName)?

  /// Creates a model with given entities.
  init(_ entities: EntityDescription...) {
    self.entities = entities
    isKeyed = false
    isDemanding = false
  }

  init(_ random: inout RandomNumbers, isKeyed: Bool = false, isDemanding: Bool = false) {
    self.isKeyed = isKeyed
    self.isDemanding = isDemanding
    let names: [EntityName] = ["Ant", "Bee", "Cat", "Dog", "Elk"]
    if random.chance(15) { nulls = .keep }
    for name in names.prefix(random.number(1...5)) { addEntity(name, &random) }
    for number in 0..<random.number(1...5) { addRelationship(number, &random) }
    if isDemanding { addDemands(&random) }
  }

  private mutating func addDemands(_ random: inout RandomNumbers) {
    for index in entities.indices {
      if entities[index].parent == nil, random.chance(20) {
        entities[index].deletedWhen = RecordPredicate("gone == true")
      }
      for side in entities[index].relationships.indices where random.chance(15) {
        entities[index].relationships[side].stubs = .never
      }
    }
    if random.chance(30), let entity = random.pick(entities) {
      let key = self.key(entity.name)?.properties ?? []
      let attributes = self.attributes(entity.name).map(\.name).filter { !key.contains($0) }
      hooked = random.pick(attributes).map { (entity.name, $0) }
    }
  }

  /// Makes properties required, and adds minimum and maximum counts to relationships. With `deletions`, also adds
  /// delete rules to relationships and tombstone conditions to entities.
  mutating func addRequirements(_ random: inout RandomNumbers, deletions: Bool = false) {
    for index in entities.indices {
      if deletions, entities[index].parent == nil {
        entities[index].deletedWhen = RecordPredicate("gone == 'yes'")
      }
      for number in entities[index].relationships.indices {
        let relationship = entities[index].relationships[number]
        if deletions {
          entities[index].relationships[number].deleteRule =
            random.pick([.nullify, .nullify, .nullify, .cascade, .cascade, .deny, .noAction]) ?? .nullify
          let isParent = entities.contains { $0.primaryKey.map(Optional.some) == [relationship.inverse] }
          if isParent, random.chance(50) {
            entities[index].relationships[number].isToMany = true
            entities[index].relationships[number].assignment = .replace
            entities[index].relationships[number].null = nil
          }
        }
        guard entities[index].primaryKey != [relationship.name] else { continue }
        if random.chance(relationship.inverse == nil ? 30 : 15) {
          entities[index].relationships[number].isOptional = false
        }
        if relationship.isToMany, random.chance(25) {
          entities[index].relationships[number].minCount = random.number(1...2)
          if random.chance(30) { entities[index].relationships[number].maxCount = random.number(2...4) }
        }
      }
    }
  }

  /// Returns a Boolean value that indicates whether a required property can be nil, because deletions with `noAction`
  /// do not update it. Rule: `save.delete-rules`.
  func mayLack(_ property: PropertyName) -> Bool {
    entities.flatMap(\.relationships).contains { $0.inverse == property && $0.deleteRule == .noAction }
  }

  func checked() throws(ModelError) -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities, nulls: nulls)
  }

  // MARK: Entities

  private mutating func addEntity(_ name: EntityName, _ random: inout RandomNumbers) {
    var entity = EntityDescription(name)
    let roots = entities.filter { $0.parent == nil && (isDemanding || !isKeyedByParent($0)) }.map(\.name)
    let parents = entities.map(\.name)
    let prefix = name.rawValue.lowercased()
    if random.chance(30), let parent = random.pick(roots) {
      entity.parent = parent
      entity.usedWhen = try? RecordPredicate("kind == '\(name)'")
      if let index = index(parent), random.chance(25) { entities[index].isAbstract = true }
    } else if random.chance(isDemanding ? 40 : 18), let parent = random.pick(parents) {
      addParentKey(to: &entity, parent, isOneOfSeveral: isDemanding && random.chance(60))
    } else {
      addKey(to: &entity, prefix, &random)
    }
    for number in 1...random.number(1...3) {
      let property = PropertyName("\(prefix)\(number)")
      var attribute = AttributeDescription(
        property, random.pick([.string, .int32, .int64, .boolean]) ?? .string, null: randomNull(&random))
      if random.chance(25) { attribute.from = [MappingPath(keys: ["\(property)Alt"])] }
      if random.chance(10) { attribute.from.append(MappingPath(keys: ["meta", property.rawValue])) }
      if random.chance(20) { attribute.defaultValue = Self.defaultValue(attribute.type) }
      if random.chance(6) { attribute.isOptional = false }
      entity.attributes.append(attribute)
    }
    if entity.parent == nil {
      if random.chance(30) { entity.merge = .deep }
      if random.chance(10) { entity.null = .keep }
      if random.chance(10) {
        let name = PropertyName("\(prefix)Version")
        entity.attributes.append(AttributeDescription(name, .int64))
        entity.modificationAttribute = name
      }
    }
    entities.append(entity)
  }

  private func addKey(to entity: inout EntityDescription, _ prefix: String, _ random: inout RandomNumbers) {
    let first = PropertyName("\(prefix)ID")
    let second = PropertyName("\(prefix)Part")
    switch random.number(0...99) {
    case 0..<12 where !isKeyed: return
    case 12..<24:
      entity.attributes = [AttributeDescription(first, .string), AttributeDescription(second, .int32)]
      entity.primaryKey = [first, second]
    case 24..<60: entity.attributes = [AttributeDescription(first, .string)]
    default: entity.attributes = [AttributeDescription(first, random.chance(50) ? .int32 : .int64)]
    }
    if entity.primaryKey.isEmpty { entity.primaryKey = [first] }
    if entity.primaryKey.count == 1, entities.count % 2 == 0 { entity.keyPattern = "*/{key}" }
    if random.chance(25) { entity.attributes[0].from = [MappingPath(keys: ["\(first)Alt"])] }
    if random.chance(10) { entity.attributes[0].from.append(MappingPath(keys: ["meta", first.rawValue])) }
    if random.chance(10) { entity.attributes[0].defaultValue = Self.defaultValue(entity.attributes[0].type) }
  }

  /// Makes a relationship to the parent the key of an entity. Rule: `identity.relationship-key`.
  private mutating func addParentKey(
    to entity: inout EntityDescription, _ parent: EntityName, isOneOfSeveral: Bool
  ) {
    let up = PropertyName("\(entity.name.rawValue.lowercased())Parent")
    let down = PropertyName("\(entity.name.rawValue.lowercased())Child")
    entity.primaryKey = [up]
    entity.relationships = [RelationshipDescription(up, to: parent, inverse: down)]
    if let index = index(parent) {
      var side = RelationshipDescription(down, to: entity.name, inverse: up)
      side.isToMany = isOneOfSeveral
      entities[index].relationships.append(side)
    }
  }

  private static func defaultValue(_ type: AttributeType) -> JSONValue {
    switch type {
    case .string: "initial"
    case .boolean: true
    default: 99
    }
  }

  private func randomNull(_ random: inout RandomNumbers) -> NullPolicy? {
    random.chance(10) ? .keep : random.chance(10) ? .clear : nil
  }

  // MARK: Relationships

  private mutating func addRelationship(_ number: Int, _ random: inout RandomNumbers) {
    guard let source = random.pick(entities.map(\.name)), let from = index(source),
      let destination = random.chance(25) ? source : random.pick(entities.map(\.name)),
      let to = index(destination)
    else { return }
    let name = PropertyName("link\(number)")
    if source == destination, random.chance(15) {
      entities[from].relationships.append(side(name, to: destination, inverse: name, &random))
    } else if random.chance(75) {
      let back = PropertyName("back\(number)")
      entities[from].relationships.append(side(name, to: destination, inverse: back, &random))
      entities[to].relationships.append(side(back, to: source, inverse: name, &random))
    } else {
      entities[from].relationships.append(side(name, to: destination, inverse: nil, &random))
    }
  }

  private func side(
    _ name: PropertyName, to destination: EntityName, inverse: PropertyName?, _ random: inout RandomNumbers
  ) -> RelationshipDescription {
    var side = RelationshipDescription(name, to: destination, inverse: inverse)
    side.isToMany = random.chance(60)
    if side.isToMany {
      side.isOrdered = random.chance(25)
      side.assignment = random.chance(30) ? .replace : .union
    } else {
      side.null = randomNull(&random)
    }
    if random.chance(20) { side.from = [MappingPath(keys: ["\(name)Alt"])] }
    return side
  }
}

// MARK: - Declarations by name

extension RandomModel {
  private func index(_ name: EntityName) -> Int? { entities.firstIndex { $0.name == name } }

  func isKeyedByParent(_ entity: EntityDescription) -> Bool {
    entity.relationships.contains { entity.primaryKey == [$0.name] }
  }

  /// Returns the entity and its ancestors, nearest first.
  func lineage(_ name: EntityName) -> [EntityDescription] {
    guard let entity = entities.first(where: { $0.name == name }) else { return [] }
    return [entity] + (entity.parent.map(lineage) ?? [])
  }

  func isKind(_ name: EntityName, of ancestor: EntityName) -> Bool {
    lineage(name).contains { $0.name == ancestor }
  }

  func isAbstract(_ name: EntityName) -> Bool { lineage(name).first?.isAbstract ?? false }

  /// Returns the attributes of an entity, inherited ones first.
  func attributes(_ name: EntityName) -> [AttributeDescription] {
    lineage(name).reversed().flatMap(\.attributes)
  }

  /// Returns the relationships of an entity, inherited ones first.
  func relationships(_ name: EntityName) -> [RelationshipDescription] {
    lineage(name).reversed().flatMap(\.relationships)
  }

  func inverse(_ relationship: RelationshipDescription) -> RelationshipDescription? {
    relationships(relationship.destination).first { $0.name == relationship.inverse }
  }

  /// Returns the nearest declaration of a key, and the entity that declares it.
  func key(_ name: EntityName) -> (scope: EntityName, properties: [PropertyName])? {
    lineage(name).first { !$0.primaryKey.isEmpty }.map { ($0.name, $0.primaryKey) }
  }

  /// Returns the attributes of the key, or nil if there is no key or it is a relationship.
  func keyAttributes(_ name: EntityName) -> [AttributeDescription]? {
    guard let key = key(name) else { return nil }
    let found = key.properties.compactMap { property in attributes(name).first { $0.name == property } }
    return found.isEmpty ? nil : found
  }

  /// Returns the key in a value for a key attribute, converted to its type; nil if it does not convert. The only pattern
  /// of keys is `*/{key}`. Rule: `identity.key-pattern`.
  func convertedKey(_ value: JSONValue, to attribute: AttributeDescription, of name: EntityName) -> JSONValue?
  {
    var value = value
    if hasKeyPattern(name), case .string(let text) = value, let slash = text.lastIndex(of: "/"),
      text.index(after: slash) < text.endIndex
    {
      value = .string(String(text[text.index(after: slash)...]))
    }
    return ReferenceValue.converted(value, to: attribute.type)
  }

  /// Returns a Boolean value that indicates whether an entity has a pattern of keys.
  func hasKeyPattern(_ name: EntityName) -> Bool { lineage(name).contains { $0.keyPattern != nil } }

  /// Returns the relationship that is the key.
  func keyRelationship(_ name: EntityName) -> RelationshipDescription? {
    guard let key = key(name) else { return nil }
    return relationships(name).first { key.properties == [$0.name] }
  }

  /// Returns a Boolean value that indicates whether a parent can have several records of the entity as children.
  func isOneOfSeveral(_ name: EntityName) -> Bool {
    keyRelationship(name).flatMap(inverse)?.isToMany ?? false
  }

  /// A Boolean value that indicates whether a parent can have several children of some entity.
  var hasChildrenAmongSeveral: Bool { entities.contains { isOneOfSeveral($0.name) } }

  /// Returns a Boolean value that indicates whether an item is a tombstone.
  func isGone(_ item: JSONValue, _ name: EntityName) -> Bool {
    item["gone"] == true && lineage(name).contains { $0.deletedWhen != nil }
  }

  /// Returns the dictionary into which the pre-population hook changes an item.
  func hookAnswer(_ item: JSONValue, _ name: EntityName) -> JSONValue? {
    guard let hooked, hooked.entity == name, case .object(var members) = item else { return nil }
    members[hooked.attribute.rawValue] = item["note"] ?? 1
    return .object(members)
  }

  func null(_ declared: NullPolicy?, _ entity: EntityName) -> NullPolicy {
    declared ?? lineage(entity).lazy.compactMap(\.null).first ?? nulls
  }

  func merge(_ entity: EntityName) -> MergeStrategy {
    lineage(entity).lazy.compactMap(\.merge).first ?? .first
  }

  func modificationAttribute(_ entity: EntityName) -> AttributeDescription? {
    let name = lineage(entity).lazy.compactMap(\.modificationAttribute).first
    return attributes(entity).first { $0.name == name }
  }

  /// Returns the concrete entities that items can have if `name` is declared, in the order of the model.
  func concreteEntities(_ name: EntityName) -> [EntityName] {
    entities.map(\.name).filter { isKind($0, of: name) && !isAbstract($0) }
  }

  /// Returns the root entity, which claims no `kind`.
  func root(_ name: EntityName) -> EntityName { lineage(name).last?.name ?? name }
}

extension RandomModel: CustomStringConvertible {
  var description: String {
    var lines = nulls == .keep ? ["nulls: keep"] : []
    for entity in entities {
      var facts = ["\(entity.name)"]
      if let parent = entity.parent {
        facts.append("parent \(parent) when \(entity.usedWhen?.text ?? "never")")
      }
      if entity.isAbstract { facts.append("abstract") }
      if let condition = entity.deletedWhen { facts.append("deleted when \(condition.text)") }
      if !entity.primaryKey.isEmpty {
        facts.append("key \(entity.primaryKey.map(\.rawValue).joined(separator: ","))")
      }
      if let pattern = entity.keyPattern { facts.append("pattern \(pattern)") }
      if let merge = entity.merge { facts.append("merge \(merge)") }
      if let null = entity.null { facts.append("null \(null)") }
      if let name = entity.modificationAttribute { facts.append("modification \(name)") }
      if entity.deletedWhen != nil { facts.append("deletable") }
      if let hooked, hooked.entity == entity.name { facts.append("hook sets \(hooked.attribute)") }
      lines.append(facts.joined(separator: ", "))
      lines += entity.attributes.map { "  \(describe($0))" }
      lines += entity.relationships.map { "  \(describe($0))" }
    }
    return lines.joined(separator: "\n")
  }

  private func describe(_ attribute: AttributeDescription) -> String {
    var facts = ["\(attribute.name): \(attribute.type)"]
    if !attribute.from.isEmpty { facts.append("from \(attribute.from.map(\.description))") }
    if let value = attribute.defaultValue { facts.append("default \(value.compactText())") }
    if !attribute.isOptional { facts.append("required") }
    if let null = attribute.null { facts.append("null \(null)") }
    return facts.joined(separator: ", ")
  }

  private func describe(_ relationship: RelationshipDescription) -> String {
    var facts = [
      "\(relationship.name): \(relationship.isToMany ? "many " : "")\(relationship.destination)"
    ]
    if let inverse = relationship.inverse { facts.append("inverse \(inverse)") }
    if relationship.isOrdered { facts.append("ordered") }
    if !relationship.isOptional { facts.append("required") }
    if relationship.minCount > 0 { facts.append("min \(relationship.minCount)") }
    if relationship.maxCount > 0 { facts.append("max \(relationship.maxCount)") }
    if relationship.deleteRule != .nullify { facts.append("delete rule \(relationship.deleteRule)") }
    if relationship.assignment == .replace { facts.append("replace") }
    if !relationship.from.isEmpty { facts.append("from \(relationship.from.map(\.description))") }
    if let null = relationship.null { facts.append("null \(null)") }
    if relationship.stubs == .never { facts.append("no stubs") }
    return facts.joined(separator: ", ")
  }
}
