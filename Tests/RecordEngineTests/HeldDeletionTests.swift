import RecordModel
import TestSupport
import Testing

@testable import RecordEngine

/// Tests for deletions that the relationships of other records prevent. Rules: `save.delete-rules`, `orphans.decide`.
@Suite struct HeldDeletionTests {
  private static func schema(_ relationships: [RelationshipDescription]) throws -> Schema {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Node", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: relationships)
    ]).schema
  }

  // MARK: Counts

  /// A minimum count holds no member if the relationship is optional and loses all members, or is to-one.
  @Test func anOptionalRelationshipMayLoseAllMembers() throws {
    let schema = try Self.schema([
      RelationshipDescription("likes", to: "Node", minCount: 1),
      RelationshipDescription("team", to: "Node", isToMany: true, inverse: "teams", minCount: 2),
      RelationshipDescription("teams", toMany: "Node", inverse: "team"),
    ])
    let store = MemoryStore(schema: schema)
    var graph = WorkingGraph(schema: schema, reader: store)
    let nodes = graph.insert([0, 0, 0])
    try graph.setToOne(0, of: nodes[0], to: nodes[1])
    for member in nodes[1...] { try graph.addMember(member, to: 1, of: nodes[0]) }
    try store.commit(graph.changes())
    var deleting = WorkingGraph(schema: schema, reader: store)
    #expect(try deleting.deleteUnlessHeld(Array(nodes[1...]), sparing: []).isEmpty)
    #expect(try deleting.validate(deleting.changes()) == [])
    #expect(deleting.deletedIDs == Set(nodes[1...]))
  }

  // MARK: Random graphs

  /// Pairs of relationships that cover all ways in which one record prevents or requires the deletion of another.
  private static let pairs: [[RelationshipDescription]] = [
    [
      RelationshipDescription("takes", toMany: "Node", inverse: "takers", deleteRule: .cascade),
      RelationshipDescription("takers", toMany: "Node", inverse: "takes"),
    ],
    [
      RelationshipDescription("child", to: "Node", inverse: "parent", deleteRule: .cascade),
      RelationshipDescription("parent", to: "Node", inverse: "child"),
    ],
    [
      RelationshipDescription("blocks", toMany: "Node", inverse: "blockers", deleteRule: .deny),
      RelationshipDescription("blockers", toMany: "Node", inverse: "blocks"),
    ],
    [RelationshipDescription("friends", toMany: "Node", inverse: "friends", deleteRule: .deny)],
    [RelationshipDescription("shared", toMany: "Node", inverse: "shared", deleteRule: .cascade)],
    [
      RelationshipDescription("owner", to: "Node", inverse: "owned", isOptional: false),
      RelationshipDescription("owned", to: "Node", inverse: "owner"),
    ],
    [
      RelationshipDescription("boss", to: "Node", inverse: "staff", isOptional: false),
      RelationshipDescription("staff", toMany: "Node", inverse: "boss", deleteRule: .cascade),
    ],
    [
      RelationshipDescription("team", to: "Node", isToMany: true, inverse: "teams", minCount: 2),
      RelationshipDescription("teams", toMany: "Node", inverse: "team"),
    ],
    [
      RelationshipDescription("crew", to: "Node", isToMany: true, inverse: "crews", isOptional: false),
      RelationshipDescription("crews", toMany: "Node", inverse: "crew", deleteRule: .cascade),
    ],
    [
      RelationshipDescription(
        "left", to: "Node", isToMany: true, inverse: "leaving", minCount: 1, deleteRule: .noAction),
      RelationshipDescription("leaving", toMany: "Node", inverse: "left", deleteRule: .noAction),
    ],
    [RelationshipDescription("target", to: "Node", isOptional: false)],
    [RelationshipDescription("targets", to: "Node", isToMany: true, minCount: 2)],
  ]

  @Test(arguments: randomSeeds(1000)) func deletionsBreakNoRule(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed &* 15_485_863)
    let pairs = random.shuffled(Self.pairs)
    let schema = try Self.schema(Array(pairs.prefix(random.number(1...pairs.count)).joined()))
    let store = MemoryStore(schema: schema)
    var graph = WorkingGraph(schema: schema, reader: store)
    let nodes = graph.insert(Array(repeating: 0, count: random.number(2...14)))
    for (number, node) in nodes.enumerated() {
      let isStub = random.chance(10)
      graph.update(node) { row in
        row.values[0] = .integer(Int64(number))
        row.isStub = isStub
      }
    }
    let relationships = schema.entities[0].relationships
    for _ in 0..<random.number(1...3 * nodes.count) {
      guard let relationship = random.pick(relationships), let owner = random.pick(nodes),
        let member = random.pick(nodes)
      else { continue }
      if schema.relationships[relationship].isToMany {
        try graph.addMember(member, to: relationship, of: owner)
      } else {
        try graph.setToOne(relationship, of: owner, to: member)
      }
    }
    try store.commit(graph.changes())

    let ids = random.shuffled(nodes).prefix(random.number(1...nodes.count))
    let spared = Set(random.shuffled(nodes).prefix(random.chance(50) ? random.number(0...3) : 0))
    let stored = WorkingGraph(schema: schema, reader: store)
    var unprotected = stored
    for id in try unprotected.cascade(from: Array(ids), sparing: spared) { try unprotected.remove(id) }
    var deleting = stored
    let kept = try deleting.deleteUnlessHeld(Array(ids), sparing: spared)
    #expect(kept.map(\.row.id) == ids.filter { !deleting.isDeleted($0) })
    #expect(deleting.deletedIDs.isSubset(of: unprotected.deletedIDs))
    #expect(try Self.violations(of: nodes, from: stored, to: deleting) == [])
    #expect(try deleting.brokenInvariants() == [])
  }

  /// Returns a line for each `deny` rule that a deletion violates, and for each relationship that now has too few members.
  private static func violations(
    of nodes: [RecordID], from stored: WorkingGraph, to graph: WorkingGraph
  ) throws -> [String] {
    var (stored, graph) = (stored, graph)
    let schema = stored.schema
    var violations: [String] = []
    for row in try stored.rows(nodes).compactMap(\.self) {
      for relationship in schema.relationships {
        let members = try stored.related(relationship.index, of: row)
        if graph.isDeleted(row.id) {
          guard relationship.deleteRule == .deny else { continue }
          violations += members.filter { !graph.isDeleted($0) }.map { "\(row.id) \(relationship.name) \($0)" }
        } else if !graph.mayBeEmpty(row),
          relationship.inverse.map({ schema.relationships[$0].deleteRule != .noAction }) ?? true,
          relationship.shortfall(of: members.count) == 0,
          relationship.shortfall(of: members.filter { !graph.isDeleted($0) }.count) > 0
        {
          violations.append("\(row.id) \(relationship.name)")
        }
      }
    }
    return violations
  }

  // MARK: Many records

  /// A graph of nodes.
  private struct Nodes {
    var graph: WorkingGraph
    var nodes: [RecordID]
    let schema: Schema

    init(_ count: Int, pairs: Int = 3) throws {
      schema = try HeldDeletionTests.schema(Array(HeldDeletionTests.pairs.prefix(pairs).joined()))
      graph = WorkingGraph(schema: schema, reader: MemoryStore(schema: schema))
      nodes = graph.insert(Array(repeating: 0, count: count))
    }

    mutating func link(_ owner: Int, _ name: PropertyName, _ member: Int) throws {
      guard let relationship = schema.entities[0].relationshipIndices[name] else { return }
      if schema.relationships[relationship].isToMany {
        try graph.addMember(nodes[member], to: relationship, of: nodes[owner])
      } else {
        try graph.setToOne(relationship, of: nodes[owner], to: nodes[member])
      }
    }
  }

  /// Returns a chain in which deleting a node deletes the next one, and the last deletion is denied.
  private static func chain(_ count: Int) throws -> Nodes {
    var nodes = try Nodes(count + 1)
    for number in 1..<count { try nodes.link(number - 1, "child", number) }
    try nodes.link(count - 1, "blocks", count)
    return nodes
  }

  /// Returns a graph in which deleting an even node deletes the next odd one. The following even node cannot be deleted
  /// while that odd node exists, so that each node that stays causes the next one to stay.
  private static func dominoes(_ count: Int) throws -> Nodes {
    var nodes = try Nodes(count)
    for number in stride(from: 0, to: count - 2, by: 2) {
      try nodes.link(number, "child", number + 1)
      try nodes.link(number + 2, "blocks", number + 1)
    }
    try nodes.link(0, "blocks", count - 1)
    return nodes
  }

  /// Returns a graph like ``dominoes(_:)`` with more relationships: deleting an even node deletes the next ten odd
  /// ones, and deleting an odd node deletes another odd one.
  private static func net(_ count: Int) throws -> Nodes {
    var nodes = try dominoes(count)
    for number in stride(from: 0, to: count - 2, by: 2) {
      for odd in stride(from: number + 1, to: min(number + 20, count - 1), by: 2) {
        try nodes.link(number, "takes", odd)
      }
      let last = number / 20 * 20 + 19
      if last < count - 1 { try nodes.link(number + 1, "takes", last) }
    }
    return nodes
  }

  @Test(arguments: ["chain", "dominoes", "net"]) func recordsHoldEachOtherInLinearTime(shape: String)
    async throws
  {
    let factor = try await Growth.factor(from: 200) { count in
      switch shape {
      case "chain": try Self.chain(count)
      case "dominoes": try Self.dominoes(count)
      default: try Self.net(count)
      }
    } work: { nodes in
      var graph = nodes.graph
      let ids = stride(from: 0, to: nodes.nodes.count - 1, by: 2).map { nodes.nodes[$0] }
      let kept = try graph.deleteUnlessHeld(ids, sparing: [])
      #expect(kept.count == ids.count)
      #expect(graph.deletedIDs == [])
    }
    #expect(factor < Growth.bound)
  }
}
