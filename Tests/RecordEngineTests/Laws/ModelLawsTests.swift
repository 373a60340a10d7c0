import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that every saved graph conforms to the model, and that no deletion removes a record of the response. The
/// models have required relationships on both sides. The responses delete, replace and change the entity of records in
/// every way, with edits between them. Both stores must agree. Rules: `save.validation`, `save.atomic`,
/// `save.delete-rules`, `orphans.decide`, `orphans.tombstone`, `relationships.replace`, `identity.sub-entity`.
@Suite struct ModelLawsTests {
  /// The counts of outcomes.
  struct Tally {
    var saved = 0
    var refused = 0
    var deleted = 0
    var changedByHand = 0
    var codes: Set<DiagnosticCode> = []
  }

  @Test(arguments: randomSeeds(150)) func noSaveBreaksTheModel(seed: UInt64) throws {
    var tally = Tally()
    try run(seed, &tally)
  }

  /// The random cases cover saves, refused saves, deletions, edits and the diagnostics of these rules.
  @Test func casesMeetEveryRule() throws {
    var tally = Tally()
    for seed in UInt64(1)...100 { try run(seed, &tally) }
    #expect(tally.saved > 100 && tally.refused > 20 && tally.deleted > 50 && tally.changedByHand > 20)
    #expect(
      tally.codes.isSuperset(of: [
        .requiredOwner, .deniedDeletion, .entityChanged, .orphansNotEvaluated, .nullElement, .valueType,
      ]))
  }

  private func run(_ seed: UInt64, _ tally: inout Tally) throws {
    var random = RandomNumbers(seed: seed &* 15_485_863)
    var model = RandomModel(&random)
    model.addRequirements(&random, deletions: true)
    let pair = try StorePair(model.checked().schema)
    let engine = try ReferenceEngine(model, store: pair)
    for round in 1...6 {
      let before = try engine.graph()
      var told = "seed \(seed), round \(round)\n\(model)\n--- before\n\(before.graph)\n"
      if random.chance(25) {
        try changeByHand(model, pair, before.graph, &random, &tally, told)
      } else {
        let (entity, response) = RandomResponse.make(model, &random)
        let value = Self.withTombstones(response, &random)
        let deletes = random.chance(50)
        told += "--- \(entity)\(deletes ? " with orphans" : ""): \(value.compactText())\n"
        try importResponse(value, of: entity, deletes: deletes, engine, before, &tally, told)
      }
      let after = try engine.graph().graph
      let violations = try engine.violations()
      try #require(violations == [], "\(told)--- after\n\(after)")
      try #require(pair.disagreements == [], "\(told)")
    }
    try pair.compareAll()
    #expect(pair.disagreements == [], "seed \(seed)")
  }

  // MARK: Responses

  private func importResponse(
    _ response: JSONValue, of entity: EntityName, deletes: Bool, _ engine: ReferenceEngine,
    _ before: (graph: ReferenceGraph, numbers: [RecordID: Int]), _ tally: inout Tally, _ told: String
  ) throws {
    let index = try #require(engine.schema.indices[entity])
    func population(deletes: Bool) -> Population {
      var options = PopulationOptions()
      if deletes { options.orphans = OrphanDeletion() }
      return Population(
        schema: engine.schema, reader: engine.store, entity: index, response: "test", options: options)
    }
    let importing = population(deletes: deletes)
    do {
      let result = try importing.populateAndSave(JSONDocument(response), to: engine.store)
      tally.saved += 1
      tally.deleted += result.summary.deleted.count
      tally.codes.formUnion(result.diagnostics.map(\.code))
    } catch {
      tally.refused += 1
      try #require(
        try engine.graph().graph.records == before.graph.records, "\(told)a refused save changed the graph")
      // Records that cannot be deleted are kept, so orphans must not cause a failure.
      guard deletes, error.primary.code == .saveError else { return }
      do {
        var other = try population(deletes: false).records(of: JSONDocument(response))
        try other.check()
        Issue.record("\(told)the save fails only with orphans: \(error)")
      } catch {}
      return
    }
    let after = try engine.graph().numbers
    let brought = Self.broughtKeys(response, of: entity, engine.model)
    for (id, number) in before.numbers where after[id] == nil {
      guard let record = before.graph.records[number], let key = engine.model.key(record.entity) else {
        continue
      }
      let values = key.properties.compactMap { record.values[$0] }
      if values.count == key.properties.count, brought.contains(.key(key.scope, values)) {
        Issue.record("\(told)\(before.graph.label(number)) is in the response, but was deleted")
      }
    }
  }

  /// Returns the response with tombstones for some dictionaries.
  private static func withTombstones(_ value: JSONValue, _ random: inout RandomNumbers) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map { withTombstones($0, &random) })
    case .object(let members):
      var result: JSONObject = [:]
      for (key, member) in members { result[key] = withTombstones(member, &random) }
      if random.chance(8) { result["gone"] = "yes" }
      return .object(result)
    default: return value
    }
  }

  /// Returns the keys that the response mentions, except those of tombstones and of records that only tombstones
  /// mention.
  private static func broughtKeys(
    _ response: JSONValue, of entity: EntityName, _ model: RandomModel
  ) -> Set<ReferencePopulation.Identity> {
    func met(_ model: RandomModel) -> (reference: ReferencePopulation, roots: [Int]) {
      var reference = ReferencePopulation(model: model, graph: ReferenceGraph(model))
      let roots = ReferenceValue.items(response).compactMap {
        reference.meet($0, entity, enclosing: nil, isRoot: true)
      }
      return (reference, roots)
    }
    func isGone(_ proto: ReferencePopulation.Proto) -> Bool {
      proto.mentions.contains { $0.item["gone"] == "yes" }
    }
    // A tombstone does not have to name the sub-entity of its record.
    var concrete = model
    for index in concrete.entities.indices { concrete.entities[index].isAbstract = false }
    let gone = Set(met(concrete).reference.protos.filter(isGone).compactMap(\.identity))

    let (reference, roots) = met(model)
    func counts(_ index: Int) -> Bool {
      let proto = reference.protos[index]
      return !isGone(proto) && proto.identity.map { !gone.contains($0) } ?? true
    }
    var brought: Set<Int> = []
    var pending = roots
    while let index = pending.popLast() {
      guard counts(index), brought.insert(index).inserted else { continue }
      let proto = reference.protos[index]
      pending += proto.mentions.flatMap(\.children.values).flatMap { $0.linked + $0.populated }
      if let parent = proto.parent { pending.append(parent) }
    }
    return Set(brought.compactMap { reference.protos[$0].identity })
  }

  // MARK: Edits

  private func changeByHand(
    _ model: RandomModel, _ pair: StorePair, _ before: ReferenceGraph, _ random: inout RandomNumbers,
    _ tally: inout Tally, _ told: String
  ) throws {
    let container = PersistentContainer(model: try model.checked(), store: pair)
    let context = container.makeContext()
    var records: [Record] = []
    for entity in model.entities where entity.parent == nil {
      records += try context.fetch(RecordFetchRequest(entity.name))
    }
    for _ in 0..<random.number(1...4) {
      guard let record = random.pick(records) else { break }
      if random.chance(40) {
        context.delete(record)
        continue
      }
      guard let entity = record.entityName, let relationship = random.pick(model.relationships(entity)) else {
        continue
      }
      let others = records.filter { other in
        other.entityName.map { model.isKind($0, of: relationship.destination) } ?? false && !other.isDeleted
      }
      let chosen = random.shuffled(others).prefix(random.number(0...2))
      if relationship.isToMany {
        record[relationship.name] = Array(chosen)
      } else {
        record[relationship.name] = chosen.first
      }
    }
    try expectOwners(context.graph, told)
    do {
      try context.save()
      tally.changedByHand += 1
    } catch {
      let engine = try ReferenceEngine(model, store: pair)
      try #require(
        try engine.graph().graph.records == before.records, "\(told)a refused save changed the graph")
    }
  }

  /// Checks that the owners of members through relationships without an inverse are found, including unsaved changes.
  private func expectOwners(_ graph: WorkingGraph, _ told: String) throws {
    let reader = GraphReader(graph)
    for relationship in graph.schema.relationships where relationship.inverse == nil {
      let rows = try reader.rows(of: relationship.entity)
      let targets = try rows.map { row in
        if let slot = relationship.slot { return row.toOnes[slot].map { [$0] } ?? [] }
        return try reader.members(of: relationship.index, owners: [row.id])[0]
      }
      let members = try reader.rows(of: relationship.destination).map(\.id)
      let expected = members.map { member in
        zip(rows, targets).filter { $1.contains(member) }.map(\.0.id)
      }
      #expect(
        try reader.owners(of: relationship, members: members) == expected, "\(told)\(relationship.name)")
    }
  }
}
