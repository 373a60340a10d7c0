import JSONTree
import RecordModel

/// A graph from which consistent responses are derived: a record has the same values wherever it occurs in a response.
/// The graph changes between responses.
struct RandomTruth {
  let model: RandomModel
  private var graph: ReferenceGraph

  init(_ model: RandomModel, _ random: inout RandomNumbers) {
    self.model = model
    graph = ReferenceGraph(model)
    for entity in model.entities where !entity.isAbstract && model.keyRelationship(entity.name) == nil {
      for _ in 0..<random.number(1...3) { insert(entity.name, &random) }
    }
    // Parents are created before the records that are keyed by them.
    for entity in model.entities { addChildren(of: entity.name, &random) }
    change(&random)
  }

  private mutating func insert(_ entity: EntityName, _ random: inout RandomNumbers) {
    var record = ReferenceGraph.Record(entity: entity)
    // Each record has its own number, so that keys are unique.
    var number = graph.records.count + 1
    for attribute in model.keyAttributes(entity) ?? [] {
      record.values[attribute.name] =
        attribute.type == .string ? .string(String(number)) : .number(JSONNumber(Int64(number)))
      number = number % 2
    }
    _ = graph.insert(record)
  }

  private mutating func addChildren(of entity: EntityName, _ random: inout RandomNumbers) {
    guard let key = model.keyRelationship(entity), !model.isAbstract(entity) else { return }
    for number in graph.numbers {
      guard let record = graph.records[number], model.isKind(record.entity, of: key.destination),
        model.key(record.entity) != nil, random.chance(70)
      else { continue }
      graph.link(graph.insert(ReferenceGraph.Record(entity: entity)), key, number)
    }
  }

  /// Changes some values and links.
  mutating func change(_ random: inout RandomNumbers) {
    for number in graph.numbers {
      guard let record = graph.records[number] else { continue }
      let key = model.key(record.entity)?.properties ?? []
      for attribute in model.attributes(record.entity)
      where !key.contains(attribute.name) && random.chance(60) {
        graph.records[number]?.values[attribute.name] =
          random.chance(15) && attribute.isOptional ? .null : Self.value(attribute.type, &random)
      }
      for relationship in model.relationships(record.entity) where !isKey(relationship) {
        let others = graph.numbers.filter {
          model.isKind(graph.records[$0]?.entity ?? record.entity, of: relationship.destination)
        }
        for _ in 0..<random.number(0...2) {
          guard let other = random.pick(others) else { continue }
          if random.chance(75) {
            graph.link(number, relationship, other)
          } else {
            graph.unlink(number, relationship, other)
          }
        }
      }
    }
  }

  private static func value(_ type: AttributeType, _ random: inout RandomNumbers) -> JSONValue {
    let number = random.number(0...3)
    return type == .boolean
      ? .boolean(number > 1) : type == .string ? .string("t\(number)") : .number(JSONNumber(Int64(number)))
  }

  private func isKey(_ relationship: RelationshipDescription) -> Bool {
    [relationship, model.inverse(relationship)].compactMap(\.self).contains { side in
      model.entities.contains { $0.primaryKey == [side.name] }
    }
  }
}

// MARK: - Responses

extension RandomTruth {
  /// Returns a consistent response, in which all full items of a record have the same values.
  func response(_ random: inout RandomNumbers) -> (entity: EntityName, response: JSONValue) {
    let entity = random.pick(model.entities.map(\.name)) ?? "Ant"
    var maker = TruthResponse(model: model, graph: graph)
    maker.choose(&random)
    let records = graph.numbers.filter {
      model.isKind(graph.records[$0]?.entity ?? entity, of: entity) && graph.records[$0] != nil
    }.filter { maker.isKind($0, of: entity) }
    let items = (0..<random.number(0...5)).compactMap { _ in
      random.pick(records).map { maker.item($0, within: nil, declared: entity, depth: 0, &random) }
    }
    return (entity, .array(items))
  }
}

/// The properties and the notation of each record in one response.
private struct TruthResponse {
  let model: RandomModel
  let graph: ReferenceGraph
  /// The properties in the full dictionaries of a record.
  private var said: [Int: Set<PropertyName>] = [:]
  /// The members in the lists of a record.
  private var listed: [Int: [PropertyName: [Int]]] = [:]

  init(model: RandomModel, graph: ReferenceGraph) {
    self.model = model
    self.graph = graph
  }

  func isKind(_ number: Int, of entity: EntityName) -> Bool {
    graph.records[number].map { model.isKind($0.entity, of: entity) } ?? false
  }

  private func isKeyless(_ number: Int) -> Bool {
    graph.records[number].map { model.key($0.entity) == nil } ?? true
  }

  mutating func choose(_ random: inout RandomNumbers) {
    for number in graph.numbers {
      guard let record = graph.records[number] else { continue }
      let key = model.key(record.entity)?.properties ?? []
      var names: Set<PropertyName> = []
      for attribute in model.attributes(record.entity) where !key.contains(attribute.name) {
        if random.chance(70) || !attribute.isOptional { names.insert(attribute.name) }
      }
      if !isKeyless(number) {
        for relationship in model.relationships(record.entity) where !key.contains(relationship.name) {
          guard random.chance(60) else { continue }
          let members = graph.members(number, relationship.name)
          names.insert(relationship.name)
          listed[number, default: [:]][relationship.name] =
            relationship.isToMany ? members.filter { _ in random.chance(75) } : members
        }
      }
      said[number] = names
    }
  }

  // MARK: Items

  /// Returns the item for a record: full, a stub, or a scalar key.
  func item(
    _ number: Int, within relationship: RelationshipDescription?, declared: EntityName, depth: Int,
    _ random: inout RandomNumbers
  ) -> JSONValue {
    guard let record = graph.records[number] else { return .null }
    var members: JSONObject = [:]
    let isFull = isKeyless(number) || depth < 3 && random.chance(70)
    if let key = model.keyAttributes(record.entity) {
      let value = record.values[key[0].name] ?? .null
      // A scalar key does not specify the sub-entity, so it is only used for the declared entity.
      if !isFull, key.count == 1, random.chance(50) { return written(value, key[0].type, &random) }
      for attribute in key {
        RandomResponse.put(
          attribute.name, attribute.from,
          written(record.values[attribute.name] ?? .null, attribute.type, &random), in: &members, &random)
      }
    } else if let key = model.keyRelationship(record.entity),
      relationship?.name != key.inverse || relationship == nil || random.chance(20),
      let parent = graph.members(number, key.name).first
    {
      put(
        key, item(parent, within: key, declared: key.destination, depth: depth + 1, &random), &members,
        &random)
    }
    if isFull || model.isAbstract(declared) || random.chance(50) {
      members["kind"] = .string(record.entity.rawValue)
    }
    if isFull { addProperties(number, record, to: &members, depth, &random) }
    return .object(JSONObject(random.shuffled(members.map { ($0, $1) })))
  }

  private func addProperties(
    _ number: Int, _ record: ReferenceGraph.Record, to members: inout JSONObject,
    _ depth: Int, _ random: inout RandomNumbers
  ) {
    for attribute in model.attributes(record.entity) where said[number]?.contains(attribute.name) ?? false {
      let value = written(record.values[attribute.name] ?? .null, attribute.type, &random)
      RandomResponse.put(attribute.name, attribute.from, value, in: &members, &random)
    }
    for relationship in model.relationships(record.entity)
    where said[number]?.contains(relationship.name) ?? false {
      let items = (listed[number]?[relationship.name] ?? []).map {
        item($0, within: relationship, declared: relationship.destination, depth: depth + 1, &random)
      }
      put(
        relationship, relationship.isToMany ? list(items, &random) : items.first ?? .null, &members, &random)
    }
  }

  /// Returns a list in one of its equivalent notations.
  private func list(_ items: [JSONValue], _ random: inout RandomNumbers) -> JSONValue {
    if items.isEmpty, random.chance(30) { return .null }
    if items.count == 1, random.chance(30) { return items[0] }
    if items.count > 1, random.chance(15) {
      return [.array(Array(items.prefix(1))), .array(Array(items.dropFirst()))]
    }
    return .array(items)
  }

  private func put(
    _ relationship: RelationshipDescription, _ value: JSONValue,
    _ members: inout JSONObject, _ random: inout RandomNumbers
  ) {
    RandomResponse.put(relationship.name, relationship.from, value, in: &members, &random)
  }

  /// Returns a value in one of the notations that convert to it.
  private func written(_ value: JSONValue, _ type: AttributeType, _ random: inout RandomNumbers) -> JSONValue
  {
    switch value {
    case .number(let number) where random.chance(30): .string(number.digits)
    case .boolean(let boolean) where random.chance(30): .string(boolean ? "yes" : "no")
    case .string(let text) where random.chance(30):
      Int64(text).map { .number(JSONNumber($0)) } ?? value
    default: value
    }
  }
}
