import TestSupport
import Testing

@testable import RecordModel

/// The properties and options that entities inherit, over any number of levels.
@Suite("Schemas: inheritance")
struct SchemaTests {
  /// Searches each value from the entity upward, as the rules are worded.
  private struct Reference {
    let entities: [EntityDescription]

    func lineage(_ entity: EntityDescription) -> [EntityDescription] {
      let parent = entity.parent.flatMap { name in entities.first { $0.name == name } }
      return [entity] + (parent.map(lineage) ?? [])
    }

    func nearest<Value>(_ entity: EntityDescription, _ value: (EntityDescription) -> Value?) -> Value? {
      lineage(entity).lazy.compactMap(value).first
    }

    func attributes(_ entity: EntityDescription) -> [AttributeDescription] {
      lineage(entity).reversed().flatMap(\.attributes)
    }
  }

  private static func entities(_ random: inout SeededGenerator) -> [EntityDescription] {
    let count = Int.random(in: 1...9, using: &random)
    var entities: [EntityDescription] = []
    for number in 0..<count {
      var entity = EntityDescription(EntityName("E\(number)"))
      if number > 0, Int.random(in: 0...4, using: &random) > 0 {
        entity.parent = EntityName("E\(Int.random(in: 0..<number, using: &random))")
      }
      for index in 0..<Int.random(in: 0...2, using: &random) {
        entity.attributes.append(
          AttributeDescription(
            PropertyName("a\(number)_\(index)"), Bool.random(using: &random) ? .date : .string))
      }
      for index in 0..<Int.random(in: 0...1, using: &random) {
        let target = EntityName("E\(Int.random(in: 0..<count, using: &random))")
        entity.relationships.append(
          RelationshipDescription(PropertyName("r\(number)_\(index)"), to: target))
      }
      if Int.random(in: 0...2, using: &random) == 0 { entity.dateFormat = "yyyy-MM-dd" }
      if Int.random(in: 0...2, using: &random) == 0 {
        entity.null = [.clear, .keep].randomElement(using: &random)
      }
      if Int.random(in: 0...2, using: &random) == 0 {
        entity.merge = [.first, .deep].randomElement(using: &random)
      }
      if Int.random(in: 0...3, using: &random) == 0 {
        entity.responseKeyPath = MappingPath(keys: ["k\(number)"])
      }
      if Int.random(in: 0...3, using: &random) == 0 { entity.deletedWhen = "gone == YES" }
      if Int.random(in: 0...3, using: &random) == 0 {
        entity.isRecordLevelCachingEnabled = Bool.random(using: &random)
      }
      if let key = entity.attributes.first(where: { $0.type == .string }), Bool.random(using: &random) {
        entity.primaryKey = [key.name]
      }
      entities.append(entity)
    }
    // Sub-entities may be declared before their parents.
    return entities.shuffled(using: &random)
  }

  @Test func entitiesInheritWhatTheirNearestAncestorsDeclare() throws {
    var random = SeededGenerator(seed: 61)
    for _ in 0..<1_500 {
      let entities = Self.entities(&random)
      let reference = Reference(entities: entities)
      let schema = try ManagedObjectModel(entities: entities).schema
      #expect(schema.depthFirst.map(\.rawValue).sorted() == Array(entities.indices))
      for (value, entity) in zip(schema.entities, entities) {
        let attributes = reference.attributes(entity)
        #expect(value.attributes.map(\.name) == attributes.map(\.name))
        for (position, attribute) in attributes.enumerated() {
          let format = attribute.type == .date ? reference.nearest(entity, \.dateFormat) : nil
          #expect(value.attributeIndices[attribute.name] == AttributeIndex(position))
          #expect(value.attributes[position].null == reference.nearest(entity, \.null) ?? .clear)
          #expect(value.attributes[position].dateFormat?.pattern == format)
          #expect(value.lookup.properties.count == attributes.count + value.relationships.count)
        }
        #expect(
          Set(schema.entities(ofTree: value.tree).flatMap(\.attributes).map(\.column)).count
            == schema.trees[value.tree].columnCount)
        let relationships = reference.lineage(entity).reversed().flatMap(\.relationships).map(\.name)
        #expect(value.relationships.map { schema.relationships[$0].name } == relationships)
        #expect(value.merge == reference.nearest(entity, \.merge) ?? .first)
        #expect(value.responseKeyPath == reference.nearest(entity, \.responseKeyPath))
        #expect(value.deletedWhen == reference.nearest(entity, \.deletedWhen))
        #expect(
          value.isRecordLevelCachingEnabled == reference.nearest(entity, \.isRecordLevelCachingEnabled)
            ?? false)
        let keyed = reference.lineage(entity).first { !$0.primaryKey.isEmpty }
        let expected = keyed.map { entity in
          SchemaKey.attributes(entity.primaryKey.compactMap { value.attributeIndices[$0] })
        }
        #expect(value.key == expected ?? .none)
        let kinds: [EntityIndex] = schema.entities.elementIndices.filter {
          reference.lineage(entities[for: $0]).contains { $0.name == entity.name }
        }
        #expect(schema.kinds(of: value.index).sorted() == kinds)
        #expect(
          schema.entities.elementIndices.allSatisfy {
            schema.isKind($0, of: value.index) == kinds.contains($0)
          })
      }
    }
  }

  // MARK: Size

  @Test func inheritsOverThousandsOfLevels() throws {
    let count = 10_000
    var entities = [
      EntityDescription(
        "E0", primaryKey: "id", responseKeyPath: "items", dateFormat: "yyyy-MM-dd",
        deletedWhen: "gone == YES",
        detailURN: "items/{id}",
        attributes: [AttributeDescription("id", .int64), AttributeDescription("date", .date)])
    ]
    for level in 1..<count {
      entities.append(EntityDescription(EntityName("E\(level)"), parent: EntityName("E\(level - 1)")))
    }
    let schema = try ManagedObjectModel(entities: entities).schema
    let last = try #require(schema.entity(EntityName("E\(count - 1)")))
    #expect(last.attributes.map(\.name) == ["id", "date"])
    #expect(last.attributes[1].dateFormat?.pattern == "yyyy-MM-dd")
    #expect(last.key == .attributes([AttributeIndex(0)]))
    #expect(last.detailAddress != nil && last.deletedWhen != nil)
    #expect(schema.kinds(of: EntityIndex(0)).count == count)
    // An entity that declares nothing shares its parent's lookup.
    #expect(last.lookup === schema.entities[0].lookup)

    entities[0].parent = EntityName("E\(count - 1)")
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: entities) }
    #expect(error?.problems.map(\.code) == ["parent-cycle"])
  }

  @Test func suggestsNamesForTheFirstMistakesOnly() throws {
    let count = 1_000
    let entities = (0..<count).map { number in
      EntityDescription(EntityName("Entity\(number)"), parent: EntityName("Entitx\(number)"))
    }
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: entities) }
    let problems = try #require(error?.problems)
    #expect(problems.count == count)
    #expect(problems.count { $0.advice != nil } == 100)
    #expect(problems[99].advice == "did you mean 'Entity99'?")
  }

  @Test func keysLeadOverThousandsOfEntities() throws {
    let count = 5_000
    func entities(last: PropertyName) -> [EntityDescription] {
      (0..<count).map { number in
        EntityDescription(
          EntityName("E\(number)"), primaryKey: number == count - 1 ? last : "next",
          attributes: [AttributeDescription("id", .int64)],
          relationships: [
            RelationshipDescription("next", to: EntityName("E\((number + 1) % count)"), inverse: "former"),
            RelationshipDescription(
              "former", to: EntityName("E\((number + count - 1) % count)"), inverse: "next"),
          ])
      }
    }
    let model = try ManagedObjectModel(entities: entities(last: "id"))
    #expect(model.warnings.isEmpty)
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: entities(last: "next")) }
    #expect(error?.problems.map(\.code) == ["key-cycle"])
  }

  @Test(
    arguments: [
      ([1, 2, nil], []), ([0], [[0]]), ([1, 0], [[0, 1]]), ([2, 0, 1], [[0, 2, 1]]), ([1, 2, 1], [[1, 2]]),
      ([2, 2, 3, 2, 5, 4], [[2, 3], [4, 5]]), ([nil, 1, 1], [[1]]),
    ] as [([Int?], [[Int]])])
  func findsCycles(edges: [Int?], cycles: [[Int]]) {
    #expect(Cycles.find(from: edges.indices) { edges[$0] } == cycles)
  }
}
