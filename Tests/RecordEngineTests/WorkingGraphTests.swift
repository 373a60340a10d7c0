import RecordModel
import Testing

@testable import RecordEngine

/// Tests for changes of records in a graph, which are committed and read by the next graph.
@Suite struct WorkingGraphTests {
  private let schema: Schema
  private let store: MemoryStore

  init() throws {
    schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Person", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [
          RelationshipDescription("friends", toMany: "Person", inverse: "friends"),
          RelationshipDescription("list", toMany: "Person", isOrdered: true),
          RelationshipDescription("partner", to: "Person", inverse: "partner"),
          RelationshipDescription("owner", to: "Person", inverse: "owned"),
          RelationshipDescription("owned", toMany: "Person", inverse: "owner"),
        ])
    ]).schema
    store = MemoryStore(schema: schema)
  }

  private var friends: RelationshipIndex { relationship("friends") }
  private var list: RelationshipIndex { relationship("list") }
  private var partner: RelationshipIndex { relationship("partner") }
  private var owner: RelationshipIndex { relationship("owner") }
  private var owned: RelationshipIndex { relationship("owned") }

  private func relationship(_ name: PropertyName) -> RelationshipIndex {
    schema.entities[0].relationshipIndices[name] ?? -1
  }

  /// Inserts records, and commits the changes of `body`.
  private func make(
    _ count: Int, _ body: (inout WorkingGraph, [RecordID]) throws -> Void = { _, _ in }
  ) throws -> [RecordID] {
    var graph = WorkingGraph(schema: schema, reader: store)
    let ids = graph.insert(Array(repeating: 0, count: count))
    try body(&graph, ids)
    try store.commit(graph.changes())
    return ids
  }

  /// Commits the changes of `body` in a graph without loaded records.
  private func change(_ body: (inout WorkingGraph) throws -> Void) throws {
    var graph = WorkingGraph(schema: schema, reader: store)
    try body(&graph)
    try store.commit(graph.changes())
  }

  private func members(_ relationship: RelationshipIndex, _ owner: RecordID) -> [RecordID] {
    store.members(of: relationship, owners: [owner])[0]
  }

  private func toOne(_ relationship: RelationshipIndex, _ owner: RecordID) -> RecordID? {
    schema.relationships[relationship].slot.flatMap { store.rows([owner])[0]?.toOnes[for: $0] }
  }

  // MARK: Unloaded members

  @Test func membersThatWereNotReadAreTakenOut() throws {
    let ids = try make(3) { graph, ids in
      for friend in ids.dropFirst() { try graph.addMember(friend, to: friends, of: ids[0]) }
    }
    try change { graph in
      _ = try graph.row(ids[0])
      try graph.removeMember(ids[1], from: friends, of: ids[0])
    }
    #expect(members(friends, ids[0]) == [ids[2]])
    #expect(members(friends, ids[1]) == [])
  }

  @Test func deletingTakesARecordOutOfEveryList() throws {
    let ids = try make(2) { graph, ids in try graph.addMember(ids[1], to: friends, of: ids[0]) }
    try change { graph in
      try graph.delete([ids[0]])
      #expect(graph.denials == [])
    }
    #expect(store.rows(ids).map { $0 == nil } == [true, false])
    #expect(members(friends, ids[1]) == [])
  }

  @Test func aMemberAddedAgainIsNoChange() throws {
    let ids = try make(2) { graph, ids in try graph.addMember(ids[1], to: friends, of: ids[0]) }
    var graph = WorkingGraph(schema: schema, reader: store)
    try graph.addMember(ids[1], to: friends, of: ids[0])
    #expect(!graph.hasChanges)
  }

  // MARK: Orders

  @Test func anOrderedListKeepsItsOrder() throws {
    let ids = try make(4) { graph, ids in
      for member in [ids[3], ids[1], ids[2]] { try graph.addMember(member, to: list, of: ids[0]) }
    }
    #expect(members(list, ids[0]) == [ids[3], ids[1], ids[2]])
    try change { graph in
      try graph.load(ids)
      try graph.addMember(ids[1], to: list, of: ids[0])
      try graph.addMember(ids[0], to: list, of: ids[0])
    }
    #expect(members(list, ids[0]) == [ids[3], ids[1], ids[2], ids[0]])
    try change { graph in
      try graph.load(ids)
      for member in [ids[1], ids[2]] { try graph.removeMember(member, from: list, of: ids[0]) }
      try graph.setOrder([ids[0], ids[3]], of: list, owner: ids[0])
    }
    #expect(members(list, ids[0]) == [ids[0], ids[3]])
  }

  @Test func whatIsSetIsReadBeforeItIsCommitted() throws {
    let ids = try make(3) { graph, ids in try graph.addMember(ids[1], to: owned, of: ids[0]) }
    var graph = WorkingGraph(schema: schema, reader: store)
    try graph.load(ids)
    try graph.addMember(ids[1], to: owned, of: ids[2])
    #expect(try graph.members(of: owned, owner: ids[0]) == [])
    #expect(try graph.members(of: owned, owner: ids[2]) == [ids[1]])
    #expect(try graph.row(ids[1])?.toOnes[for: schema.relationships[owner].slot ?? 0] == ids[2])
    try graph.addMember(ids[1], to: owned, of: ids[0])
    #expect(!graph.hasChanges)
  }

  // MARK: One-to-one

  @Test func partnersLeaveTheirFormerOnes() throws {
    let ids = try make(4) { graph, ids in
      try graph.setToOne(partner, of: ids[0], to: ids[1])
      try graph.setToOne(partner, of: ids[2], to: ids[3])
    }
    try change { graph in try graph.setToOne(partner, of: ids[0], to: ids[2]) }
    #expect(ids.map { toOne(partner, $0) } == [ids[2], nil, ids[0], nil])
  }

  @Test func aRecordMayBeItsOwnPartner() throws {
    let ids = try make(2) { graph, ids in try graph.setToOne(partner, of: ids[0], to: ids[0]) }
    #expect(ids.map { toOne(partner, $0) } == [ids[0], nil])
    try change { graph in try graph.setToOne(partner, of: ids[0], to: ids[1]) }
    #expect(ids.map { toOne(partner, $0) } == [ids[1], ids[0]])
  }
}
