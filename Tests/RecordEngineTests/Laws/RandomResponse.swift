import JSONTree
import RecordModel

/// Random responses with the irregularities that servers can send: conflicting duplicates, stubs, scalar keys, nulls,
/// wrong types, back references, and nested lists.
struct RandomResponse {
  let model: RandomModel
  /// The seed for the `kind` of each key, so that a record has one entity throughout a response.
  private let kindSeed: UInt64
  /// The number of keys. With few keys, records are often repeated and contradictory; with many, only sometimes.
  private let keyCount: Int
  /// A Boolean value that indicates whether a record is full only once, and a stub afterwards. Then only different
  /// records contradict each other.
  private let saysOnce: Bool
  private var said: Set<String> = []
  private var budget = 30

  private init(_ model: RandomModel, _ random: inout RandomNumbers, keyCount: Int?) {
    self.model = model
    kindSeed = random.next()
    self.keyCount = keyCount ?? random.pick([3, 5, 12]) ?? 5
    saysOnce = random.chance(40)
  }

  /// Creates a random response.
  ///
  /// - Parameter keyCount: The number of keys, or nil for a random one.
  static func make(
    _ model: RandomModel, _ random: inout RandomNumbers, keyCount: Int? = nil
  ) -> (entity: EntityName, response: JSONValue) {
    var maker = RandomResponse(model, &random, keyCount: keyCount)
    let entity = random.pick(model.entities.map(\.name)) ?? "Ant"
    if random.chance(5) { return (entity, maker.item(entity, depth: 0, &random)) }
    let items = (0..<random.number(0...5)).map { _ in maker.element(entity, depth: 0, &random) }
    return (entity, .array(items))
  }

  /// Returns an element of a list: an item, a scalar key, a null, or another list.
  private mutating func element(
    _ entity: EntityName, within relationship: RelationshipDescription? = nil, depth: Int,
    _ random: inout RandomNumbers
  ) -> JSONValue {
    switch random.number(0...99) {
    case 0..<3: return .null
    case 3..<6:
      return .array(
        (0...1).map { _ in item(entity, within: relationship, depth: depth, &random) })
    case 6..<20: return scalar(entity, &random)
    default: return item(entity, within: relationship, depth: depth, &random)
    }
  }

  private mutating func scalar(_ entity: EntityName, _ random: inout RandomNumbers) -> JSONValue {
    if random.chance(5), !model.isKeyed { return true }
    return key(random.number(1...keyCount), of: entity, &random)
  }

  private func key(_ number: Int, of entity: EntityName, _ random: inout RandomNumbers) -> JSONValue {
    guard random.chance(30) else { return .number(JSONNumber(Int64(number))) }
    return .string(model.hasKeyPattern(entity) && number % 2 == 1 ? "a/b/\(number)" : String(number))
  }

  private mutating func item(
    _ declared: EntityName, within relationship: RelationshipDescription? = nil, depth: Int,
    _ random: inout RandomNumbers
  ) -> JSONValue {
    budget -= 1
    var members: JSONObject = [:]
    var entity = declared
    var number = random.number(1...keyCount)
    for _ in 0..<4 where !model.isKind(kind(declared, number), of: declared) {
      number = random.number(1...keyCount)
    }
    let kind = kind(declared, number)
    if model.isKind(kind, of: declared) { entity = kind }
    let isNew = said.insert("\(model.root(entity)) \(number)").inserted || !saysOnce
    let isStub = random.chance(25) || !isNew
    if !isStub || random.chance(50) { members["kind"] = .string(entity.rawValue) }
    addKey(entity, number, within: relationship, to: &members, depth, &random)
    if random.chance(10) { members["url"] = "https://api.test/" }
    if model.isDemanding, random.chance(20) {
      members["note"] = .number(JSONNumber(Int64(random.number(0...1))))
    }
    if model.isDemanding, random.chance(8) { members["gone"] = true }
    if !isStub {
      addAttributes(entity, to: &members, &random)
      for relationship in model.relationships(entity)
      where relationship.name != model.keyRelationship(entity)?.name && budget > 0 && depth < 3 {
        guard random.chance(40) else { continue }
        put(relationship.name, relationship.from, value(relationship, depth, &random), in: &members, &random)
      }
    }
    return .object(JSONObject(random.shuffled(members.map { ($0, $1) })))
  }

  private func kind(_ declared: EntityName, _ number: Int) -> EntityName {
    let root = model.root(declared)
    var random = RandomNumbers(seed: kindSeed ^ UInt64(number) ^ UInt64(root.rawValue.utf8.first ?? 0) << 8)
    return random.pick(model.concreteEntities(root)) ?? root
  }

  private mutating func addKey(
    _ entity: EntityName, _ number: Int, within enclosing: RelationshipDescription?,
    to members: inout JSONObject, _ depth: Int, _ random: inout RandomNumbers
  ) {
    if let relationship = model.keyRelationship(entity) {
      let hasParent = enclosing != nil && enclosing?.name == relationship.inverse
      // The rules do not define the result for a nested child that names another parent, so this is rare.
      guard random.chance(hasParent ? 10 : model.isKeyed ? 100 : 60) else { return }
      if model.isDemanding, random.chance(10) {
        let parents = (0...random.number(0...2)).map { _ in
          element(relationship.destination, depth: depth + 1, &random)
        }
        put(relationship.name, relationship.from, .array(parents), in: &members, &random)
        return
      }
      let isScalar = model.keyAttributes(relationship.destination)?.count == 1 && random.chance(50)
      let value =
        isScalar || budget <= 0 && !model.isKeyed
        ? scalar(relationship.destination, &random)
        : item(relationship.destination, depth: depth + 1, &random)
      put(relationship.name, relationship.from, value, in: &members, &random)
      return
    }
    var rest = number
    for attribute in model.keyAttributes(entity) ?? [] {
      let value: JSONValue? =
        switch random.number(model.isKeyed ? 6...99 : 0...99) {
        case 0..<2: nil
        case 2..<4: .null
        case 4..<6: ["no": "key"]
        default: key(rest, of: entity, &random)
        }
      if let value { put(attribute.name, attribute.from, value, in: &members, &random) }
      rest = rest % 3
    }
  }

  private func addAttributes(
    _ entity: EntityName, to members: inout JSONObject,
    _ random: inout RandomNumbers
  ) {
    let key = model.key(entity)?.properties ?? []
    for attribute in model.attributes(entity) where !key.contains(attribute.name) {
      let value: JSONValue? =
        switch random.number(0...99) {
        case 0..<25: attribute.isOptional ? nil : 1
        case 25..<35: .null
        case 35..<40: [["no", "value"], "words", 1.5].randomElement(using: &random)
        default: Self.value(attribute.type, random.number(0...2), &random)
        }
      if let value { put(attribute.name, attribute.from, value, in: &members, &random) }
    }
  }

  private mutating func value(
    _ relationship: RelationshipDescription, _ depth: Int, _ random: inout RandomNumbers
  ) -> JSONValue {
    let destination = relationship.destination
    if random.chance(8) { return .null }
    if relationship.isToMany {
      if random.chance(8) { return element(destination, within: relationship, depth: depth + 1, &random) }
      return .array(
        (0..<random.number(0...3)).map { _ in
          element(destination, within: relationship, depth: depth + 1, &random)
        })
    }
    if random.chance(5) {
      return .array(
        (0...1).map { _ in element(destination, within: relationship, depth: depth + 1, &random) })
    }
    return random.chance(20)
      ? scalar(destination, &random) : item(destination, within: relationship, depth: depth + 1, &random)
  }
}

// MARK: - Shared parts of responses

extension RandomResponse {
  /// Returns one of a few values of a type, in a random notation that converts to it.
  static func value(_ type: AttributeType, _ number: Int, _ random: inout RandomNumbers) -> JSONValue {
    switch type {
    case .boolean: number % 2 == 0 ? (random.chance(50) ? true : "yes") : (random.chance(50) ? false : 0)
    default: random.chance(30) ? .string(String(number)) : .number(JSONNumber(Int64(number)))
    }
  }

  /// Puts a value at one of the mapping paths of a property. Paths with precedence over it stay empty.
  static func put(
    _ name: PropertyName, _ paths: [MappingPath], _ value: JSONValue,
    in members: inout JSONObject, _ random: inout RandomNumbers
  ) {
    let path = random.pick(paths + [MappingPath(keys: [name.rawValue])])
    let keys = (path?.components ?? []).compactMap { component in
      if case .key(let key) = component { key } else { nil }
    }
    if keys.count == 2 {
      var inner = JSONObject()
      if case .object(let known)? = members[keys[0]] { inner = known }
      inner[keys[1]] = value
      members[keys[0]] = .object(inner)
    } else {
      members[keys.first ?? name.rawValue] = value
    }
  }

  private func put(
    _ name: PropertyName, _ paths: [MappingPath], _ value: JSONValue,
    in members: inout JSONObject, _ random: inout RandomNumbers
  ) {
    Self.put(name, paths, value, in: &members, &random)
    // The value is sometimes written at a second path too. The path with precedence determines the value.
    if random.chance(5) { Self.put(name, paths, random.chance(50) ? .null : value, in: &members, &random) }
  }
}
