import JSONTree
import RecordEngine
import RecordModel
import Testing

/// The engine for random tests: it imports responses one after another into one store, and reads the store as plain
/// values.
struct ReferenceEngine {
  let model: RandomModel
  let schema: Schema
  let store: any Store

  /// - Parameter store: The store, or nil for a new one in memory.
  init(_ model: RandomModel, store: (any Store)? = nil) throws {
    let schema = try model.checked().schema
    self.init(model, schema, store ?? MemoryStore(schema: schema))
  }

  init(_ model: RandomModel, _ schema: Schema, _ store: any Store) {
    self.model = model
    self.schema = schema
    self.store = store
  }

  func importResponse(_ response: JSONValue, of entity: EntityName) throws -> PopulationResult {
    let index = try #require(schema.indices[entity])
    var options = PopulationOptions()
    if model.hooked != nil {
      options.prePopulation = { [model] in model.hookAnswer($0.dictionary.value, $0.entity) }
    }
    let population = Population(
      schema: schema, reader: store, entity: index, response: "test", options: options)
    return try population.populateAndSave(JSONDocument(response), to: store)
  }

  /// Imports a response. Returns the result or the failure.
  func attempt(_ response: JSONValue, of entity: EntityName) throws -> (PopulationResult?, RequestFailure?) {
    do {
      return (try importResponse(response, of: entity), nil)
    } catch let failure as RequestFailure {
      return (nil, failure)
    }
  }
}

extension ReferenceEngine {
  /// Returns the contents of the store, and the number of each record.
  func graph() throws -> (graph: ReferenceGraph, numbers: [RecordID: Int]) { try graph(of: store) }

  /// Returns the contents of a reader, and the number of each record.
  func graph(of reader: any StoreReader) throws -> (graph: ReferenceGraph, numbers: [RecordID: Int]) {
    var graph = ReferenceGraph(model)
    var numbers: [RecordID: Int] = [:]
    let rows = try schema.trees.flatMap { try reader.rows(of: $0.root) }
    for row in rows {
      let entity = schema.entities[row.entity]
      var record = ReferenceGraph.Record(entity: entity.name, isStub: row.isStub)
      for attribute in entity.attributes {
        record.values[attribute.name] = try row.values[attribute.column].map(Self.plain)
      }
      numbers[row.id] = graph.insert(record)
    }
    for row in rows {
      guard let number = numbers[row.id] else { continue }
      for relationship in schema.entities[row.entity].relationships.map({ schema.relationships[$0] }) {
        let members =
          try relationship.slot.map { row.toOnes[for: $0].map { [$0] } ?? [] }
          ?? (reader.members(of: relationship.index, owners: [row.id])[0])
        graph.records[number]?.links[relationship.name] = try members.map {
          try #require(numbers[$0], "\(relationship.name) links a missing record")
        }
      }
    }
    return (graph, numbers)
  }

  private static func plain(_ value: AttributeValue) throws -> JSONValue {
    switch value {
    case .integer(let integer): return .number(JSONNumber(integer))
    case .string(let text): return .string(text)
    case .boolean(let boolean): return .boolean(boolean)
    default:
      Issue.record("random models have no such value: \(value)")
      return .null
    }
  }

  /// Returns a message for each violation of the model in the store.
  func violations() throws -> [String] {
    let graph = try graph().graph
    var found: [String] = []
    for number in graph.numbers {
      guard let record = graph.records[number] else { continue }
      for relationship in model.relationships(record.entity) {
        let members = graph.members(number, relationship.name)
        if Set(members).count != members.count {
          found.append("\(graph.label(number)).\(relationship.name) has a member twice")
        }
        for member in members.compactMap({ graph.records[$0] })
        where !model.isKind(member.entity, of: relationship.destination) {
          found.append("\(graph.label(number)).\(relationship.name) has a \(member.entity)")
        }
        guard let inverse = model.inverse(relationship) else { continue }
        for member in members where !graph.members(member, inverse.name).contains(number) {
          found.append(
            "\(graph.label(number)).\(relationship.name) has \(graph.label(member)), whose \(inverse.name) does not agree"
          )
        }
      }
      let label = graph.label(number)
      for property in graph.lacks(number, isStored: true) where !model.mayLack(property) {
        found.append("\(label).\(property) is not what the model allows")
      }
      guard let key = model.keyAttributes(record.entity) else { continue }
      let isWhole = key.allSatisfy { record.values[$0.name] != nil }
      if isWhole, graph.numbers.contains(where: { $0 < number && graph.label($0) == label }) {
        found.append("there are two records \(label)")
      }
    }
    for row in try schema.trees.flatMap({ try store.rows(of: $0.root) }) {
      let columns = Set(schema.entities[row.entity].attributes.map(\.column))
      let slots = Set(schema.entities[row.entity].relationships.compactMap { schema.relationships[$0].slot })
      if row.values.indices.contains(where: { row.values[$0] != nil && !columns.contains(ColumnIndex($0)) })
        || row.toOnes.indices.contains(where: { row.toOnes[$0] != nil && !slots.contains(SlotIndex($0)) })
      {
        found.append("a '\(schema.entities[row.entity].name)' has values of another entity")
      }
    }
    return found
  }
}
