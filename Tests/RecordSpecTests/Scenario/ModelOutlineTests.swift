import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests that compare outlines of valid and invalid models with a walk over all ancestors.
@Suite("Reading: outlines of models")
struct ModelOutlineTests {
  private struct Reference {
    var entities: [EntityDescription]
    var unclear: Set<EntityName>

    func entity(_ name: EntityName) -> EntityDescription? { entities.first { $0.name == name } }

    func lineage(_ entity: EntityName) -> [EntityDescription] {
      var lineage: [EntityDescription] = []
      var next = self.entity(entity)
      while let entity = next, !lineage.contains(where: { $0.name == entity.name }) {
        lineage.append(entity)
        next = entity.parent.flatMap(self.entity)
      }
      return lineage
    }

    func isClear(_ entity: EntityName) -> Bool {
      let lineage = lineage(entity)
      return lineage.last.map { $0.parent == nil } ?? false
        && lineage.allSatisfy { !unclear.contains($0.name) }
    }

    func property(_ name: PropertyName, of entity: EntityName) -> String {
      for ancestor in lineage(entity) {
        if let attribute = ancestor.attributes.first(where: { $0.name == name }) {
          return "\(attribute.name)"
        }
        if let relationship = ancestor.relationships.first(where: { $0.name == name }) {
          return "\(relationship.name) to \(relationship.destination)"
        }
      }
      return isClear(entity) ? "unknown" : "unclear"
    }

    func property(_ name: PropertyName, ofKind entity: EntityName) -> String {
      let own = property(name, of: entity)
      if own != "unknown" { return own }
      var found: String?
      for candidate in entities.map(\.name) where candidate != entity && isKind(candidate, of: entity) {
        let property = property(name, of: candidate)
        if property == "unknown" { continue }
        if let first = found, first != property || property == "unclear" { return "unclear" }
        found = property
      }
      return found ?? "unknown"
    }

    func isKind(_ entity: EntityName, of ancestor: EntityName) -> Bool {
      lineage(entity).contains { $0.name == ancestor } || !isClear(entity) || self.entity(ancestor) == nil
    }

    func primaryKey(_ entity: EntityName) -> [PropertyName]? {
      isClear(entity) ? lineage(entity).first { !$0.primaryKey.isEmpty }?.primaryKey ?? [] : nil
    }
  }

  private static func text(_ property: ModelOutline.Property) -> String {
    switch property {
    case .attribute(let attribute): "\(attribute.name)"
    case .relationship(let relationship): "\(relationship.name) to \(relationship.destination)"
    case .unknown: "unknown"
    case .unclear: "unclear"
    }
  }

  @Test func answersAsAWalkDoes() {
    var random = SeededGenerator(seed: 71)
    let names = ["x", "y", "z"].map { PropertyName($0) }
    for _ in 0..<1_500 {
      let count = Int.random(in: 1...7, using: &random)
      var outline = ModelOutline()
      var reference = Reference(entities: [], unclear: [])
      for number in 0..<count {
        var entity = EntityDescription(EntityName("E\(number)"))
        // A file is read to its end even if parents are missing or form a cycle.
        if Int.random(in: 0...3, using: &random) > 0 {
          let isSound = Int.random(in: 0...4, using: &random) > 0
          let parent = Int.random(in: 0...(isSound ? max(0, number - 1) : count), using: &random)
          if parent != number || !isSound { entity.parent = EntityName("E\(parent)") }
        }
        for name in names where Int.random(in: 0...3, using: &random) == 0 {
          if Bool.random(using: &random) {
            entity.attributes.append(AttributeDescription(name, .string))
          } else {
            let target = EntityName("E\(Int.random(in: 0...1, using: &random))")
            entity.relationships.append(RelationshipDescription(name, to: target))
          }
        }
        if Int.random(in: 0...2, using: &random) == 0 {
          entity.primaryKey = names.randomElement(using: &random).map { [$0] } ?? []
        }
        let isClear = Int.random(in: 0...9, using: &random) > 0
        outline.add(entity, isClear: isClear)
        reference.entities.append(entity)
        if !isClear { reference.unclear.insert(entity.name) }
      }
      let entities = (0...count).map { EntityName("E\($0)") }.shuffled(using: &random)
      for entity in entities {
        for name in names.shuffled(using: &random) {
          #expect(Self.text(outline.property(name, of: entity)) == reference.property(name, of: entity))
          #expect(
            Self.text(outline.property(name, ofKind: entity)) == reference.property(name, ofKind: entity),
            "\(name) of kinds of \(entity) in \(reference)")
        }
        #expect(outline.primaryKey(of: entity) == reference.primaryKey(entity))
        for other in entities {
          #expect(outline.isKind(entity, of: other) == reference.isKind(entity, of: other))
        }
      }
    }
  }
}
