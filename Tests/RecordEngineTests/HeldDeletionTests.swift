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

  @Test(arguments: randomSeeds(1000)) func whatStaysIsWhatTheRulesSay(seed: UInt64) throws {
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
    var deleting = WorkingGraph(schema: schema, reader: store)
    var obvious = ObviousDeletion(deleting, sparing: spared)
    let expected = try obvious.outcome(of: Array(ids))
    let kept = try deleting.deleteUnlessHeld(Array(ids), sparing: spared)
    #expect(kept.map(\.row.id) == expected.kept.map(\.id))
    #expect(kept.map(\.hold) == expected.kept.map(\.hold))
    #expect(deleting.deletedIDs == expected.deleted)
    let broken = try deleting.brokenInvariants()
    #expect(broken == [])
  }

  // MARK: Single graphs

  private struct Case: CustomTestStringConvertible {
    let name: String
    let links: [String]
    /// The nodes that lack all properties except their keys.
    var stubs: [Int] = []
    let ids: [Int]
    /// The nodes of `ids` that stay, each with the relationship that is the reason, in the order of the rounds.
    var kept: [String] = []
    var deleted: [Int] = []

    var testDescription: String { name }
  }

  private static let cases = [
    Case(
      name: "a record that is deleted directly needs no owner",
      links: ["0 takes 1", "0 blocks 9", "2 blocks 1"],
      ids: [0, 1, 2], kept: ["0 blocks"], deleted: [1, 2]),
    Case(
      name: "one of two owners suffices",
      links: ["0 takes 1", "1 takes 2", "3 takes 2", "1 blocks 9", "4 blocks 2"], ids: [0, 3, 4],
      kept: ["0 blocks"], deleted: [2, 3, 4]),
    Case(
      name: "a record that is left holds others, and these hold their owners",
      links: ["0 takes 1", "0 blocks 9", "2 blocks 1", "3 takes 2"], ids: [3, 0],
      kept: ["0 blocks", "3 blocks"]),
    Case(
      name: "a cycle does not delete itself",
      links: ["0 takes 1", "1 takes 2", "2 takes 3", "3 takes 1", "0 blocks 9", "4 blocks 2"], ids: [0, 4],
      kept: ["0 blocks", "4 blocks"]),
    Case(
      name: "the reason is the one of the member", links: ["0 staff 1", "1 blocks 9"], ids: [0],
      kept: ["0 blocks"]),
    Case(
      name: "an optional count applies once a member is left",
      links: ["8 team 0", "8 team 1", "5 takes 0", "5 blocks 9"], ids: [5, 1], kept: ["5 blocks", "1 teams"]),
    Case(
      name: "an optional count applies once a later count keeps a member",
      links: ["8 team 0", "8 team 1", "7 targets 1", "7 targets 2", "7 targets 9"], ids: [0, 1, 2],
      kept: ["1 targets", "0 teams"], deleted: [2]),
    Case(
      name: "the count of an owner applies once it is kept",
      links: ["3 blocks 9", "3 targets 4", "3 targets 5", "3 targets 8"], ids: [3, 4, 5],
      kept: ["3 blocks", "4 targets"], deleted: [5]),
    Case(
      name: "counts apply in the order of the owners",
      links: (0..<8).flatMap {
        ["\($0 + 20) targets \($0)", "\($0 + 20) targets \($0 + 1)", "\($0 + 20) targets 19"]
      },
      ids: Array(0...8), kept: (0..<8).map { "\($0) targets" }, deleted: [8]),
    Case(
      name: "a record that is left requires another one", links: ["5 takes 6", "5 blocks 9", "6 target 7"],
      ids: [5, 7], kept: ["5 blocks", "7 target"]),
    Case(
      name: "a stub that is left requires nothing", links: ["5 takes 6", "5 blocks 9", "6 target 7"],
      stubs: [6],
      ids: [5, 7], kept: ["5 blocks"], deleted: [7]),
  ]

  @Test(arguments: cases) private func whatStays(test: Case) throws {
    var nodes = try Nodes(28, pairs: Self.pairs.count)
    for link in test.links.map({ $0.split(separator: " ") }) {
      try nodes.link(#require(Int(link[0])), PropertyName(String(link[1])), #require(Int(link[2])))
    }
    for stub in test.stubs {
      nodes.graph.update(nodes.nodes[stub]) { row in
        row.values[0] = .integer(Int64(stub))
        row.isStub = true
      }
    }
    let kept = try nodes.graph.deleteUnlessHeld(test.ids.map { nodes.nodes[$0] }, sparing: [])
    let texts = kept.map { row, hold in
      "\(nodes.nodes.firstIndex(of: row.id) ?? -1) \(nodes.schema.relationships[hold.relationship].name)"
    }
    #expect(texts == test.kept)
    #expect(nodes.graph.deletedIDs == Set(test.deleted.map { nodes.nodes[$0] }))
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
