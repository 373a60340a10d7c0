import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that both stores return the same results after any changes.
@Suite struct StoreAgreementTests {
  private static func schema() throws -> Schema {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Node", primaryKey: "id",
        attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)],
        relationships: [
          RelationshipDescription("next", to: "Node", inverse: "former"),
          RelationshipDescription("former", to: "Node", inverse: "next"),
          RelationshipDescription("parent", to: "Node", inverse: "children"),
          RelationshipDescription("children", toMany: "Node", inverse: "parent", isOrdered: true),
          RelationshipDescription("owner", to: "Node", inverse: "owned"),
          RelationshipDescription("owned", toMany: "Node", inverse: "owner"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "nodes", isOrdered: true),
          RelationshipDescription("friends", toMany: "Node", inverse: "friends"),
          RelationshipDescription("ranking", toMany: "Node", inverse: "ranking", isOrdered: true),
          RelationshipDescription("marked", toMany: "Tag", isOrdered: true),
          RelationshipDescription("favourite", to: "Tag"),
        ]),
      EntityDescription(
        "Leaf", parent: "Node", attributes: [AttributeDescription("TEXT", .double)],
        relationships: [RelationshipDescription("Owner", to: "Tag")]),
      EntityDescription(
        "Twig", parent: "Node", primaryKey: "code", attributes: [AttributeDescription("code", .string)]),
      EntityDescription(
        "Tag", primaryKey: "name", "kind",
        attributes: [AttributeDescription("name", .string), AttributeDescription("kind", .int16)],
        relationships: [RelationshipDescription("nodes", toMany: "Node", inverse: "tags", isOrdered: true)]),
    ]).schema
  }

  @Test(arguments: randomSeeds(40)) func randomChanges(seed: UInt64) throws {
    let schema = try Self.schema()
    let pair = try StorePair(schema)
    var random = RandomNumbers(seed: seed)
    var graph = WorkingGraph(schema: schema, reader: pair)
    var ids: [RecordID] = []
    for _ in 0..<random.number(3...12) {
      for _ in 0..<random.number(1...25) { try change(&graph, &ids, &random) }
      try pair.commit(graph.changes())
      graph.markSaved()
      graph.forget(ids)
      if random.chance(30) { try pair.reopen() }
      try pair.compareAll()
    }
    #expect(pair.disagreements == [], "seed \(seed)")
  }

  private func change(_ graph: inout WorkingGraph, _ ids: inout [RecordID], _ random: inout RandomNumbers)
    throws
  {
    let schema = graph.schema
    if ids.isEmpty || random.chance(25) {
      let id = graph.insert([EntityIndex(random.number(0...3))])[0]
      ids.append(id)
      setKey(&graph, id, &random)
      return
    }
    guard let id = random.pick(ids), let row = try graph.row(id) else { return }
    let entity = schema.entities[row.entity]
    if random.chance(8) {
      try graph.delete([id])
      ids.removeAll { $0 == id }
      return
    }
    if random.chance(25) {
      guard let attribute = random.pick(entity.attributes) else { return }
      if case .attributes(let keys) = entity.key,
        keys.contains(entity.attributeIndices[attribute.name] ?? -1)
      {
        return setKey(&graph, id, &random)
      }
      let value: AttributeValue? =
        switch attribute.type {
        case .string: random.chance(30) ? nil : .string("text \(random.number(0...9))")
        case .double: random.chance(30) ? nil : .double(Double(random.number(0...9)) / 3)
        case .int64: random.chance(30) ? nil : .integer(Int64(random.number(0...9)))
        default: nil
        }
      return graph.update(id) { $0.values[attribute.column] = value }
    }
    guard let relationship = random.pick(entity.relationships) else { return }
    let value = schema.relationships[relationship]
    let candidates = ids.filter { candidate in
      (try? graph.row(candidate)).flatMap { $0 }.map { schema.isKind($0.entity, of: value.destination) }
        ?? false
    }
    guard let target = random.pick(candidates) else { return }
    if !value.isToMany {
      return try graph.setToOne(relationship, of: id, to: random.chance(15) ? nil : target)
    }
    let members = try graph.members(of: relationship, owner: id)
    if random.chance(25), let member = random.pick(members) {
      try graph.removeMember(member, from: relationship, of: id)
    } else if value.isOrdered, members.count > 1, random.chance(25) {
      try graph.setOrder(random.shuffled(members), of: relationship, owner: id)
    } else {
      try graph.addMember(target, to: relationship, of: id)
    }
  }

  /// Sets an unused key, because the results for a key of two records are undefined.
  private func setKey(_ graph: inout WorkingGraph, _ id: RecordID, _ random: inout RandomNumbers) {
    guard let row = graph.knownRow(id) else { return }
    let entity = graph.schema.entities[row.entity]
    guard case .attributes(let positions) = entity.key else { return }
    let number = Int64.random(in: 0...Int64.max, using: &random)
    let isMissing = random.chance(10)
    graph.update(id) { row in
      for position in positions {
        let attribute = entity.attributes[position]
        switch attribute.type {
        case _ where isMissing: row.values[attribute.column] = nil
        case .string: row.values[attribute.column] = .string("\(number)")
        case .int16: row.values[attribute.column] = .integer(number & 0xFF)
        default: row.values[attribute.column] = .integer(number)
        }
      }
    }
  }

  /// The responses are random too.
  @Test(arguments: randomSeeds(60)) func randomResponses(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed &* 104_729)
    let model = RandomModel(&random)
    let pair = try StorePair(try model.checked().schema)
    let engine = try ReferenceEngine(model, store: pair)
    for _ in 0..<random.number(1...4) {
      let (entity, response) = RandomResponse.make(model, &random)
      _ = try engine.attempt(response, of: entity)
      if random.chance(25) { try pair.reopen() }
      try pair.compareAll()
    }
    #expect(pair.disagreements == [], "seed \(seed)")
  }
}
