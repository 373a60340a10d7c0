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
          RelationshipDescription("likes", to: "Person"),
          RelationshipDescription("boss", to: "Person", inverse: "staff"),
          RelationshipDescription("staff", to: "Person", isToMany: true, inverse: "boss", minCount: 2),
        ])
    ]).schema
    store = MemoryStore(schema: schema)
  }

  private var friends: RelationshipIndex { relationship("friends") }
  private var list: RelationshipIndex { relationship("list") }
  private var partner: RelationshipIndex { relationship("partner") }
  private var owner: RelationshipIndex { relationship("owner") }
  private var owned: RelationshipIndex { relationship("owned") }
  private var likes: RelationshipIndex { relationship("likes") }
  private var staff: RelationshipIndex { relationship("staff") }

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
    try change { graph in try graph.delete([ids[0]]) }
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

  // MARK: Changes that take each other back

  @Test func aRecordMayBeItsOwnFriend() throws {
    let ids = try make(1) { graph, ids in try graph.addMember(ids[0], to: friends, of: ids[0]) }
    var graph = WorkingGraph(schema: schema, reader: store)
    #expect(try graph.members(of: friends, owner: ids[0]) == ids)
    try graph.removeMember(ids[0], from: friends, of: ids[0])
    #expect(try graph.members(of: friends, owner: ids[0]) == [])
    try graph.addMember(ids[0], to: friends, of: ids[0])
    #expect(try graph.members(of: friends, owner: ids[0]) == ids)
    #expect(!graph.hasChanges && !graph.hasMemberChange(of: friends, owner: ids[0]))
  }

  @Test func onlyAMemberIsTakenOut() throws {
    let ids = try make(3) { graph, ids in try graph.addMember(ids[1], to: owned, of: ids[0]) }
    var graph = WorkingGraph(schema: schema, reader: store)
    try graph.removeMember(ids[1], from: owned, of: ids[2])
    try graph.removeMember(ids[1], from: friends, of: ids[0])
    #expect(!graph.hasChanges && !graph.hasMemberChange(of: friends, owner: ids[0]))
  }

  @Test func aLinkThatIsSetAgainIsOneChange() throws {
    let ids = try make(2)
    var graph = WorkingGraph(schema: schema, reader: store)
    try graph.addMember(ids[1], to: list, of: ids[0])
    try graph.removeMember(ids[1], from: list, of: ids[0])
    try graph.addMember(ids[1], to: list, of: ids[0])
    #expect(graph.changes().linked.count == 1)
  }

  /// A save counts the members that it changes. An owner that had too few of them before does not prevent it.
  @Test func onlyChangedMembersAreCounted() throws {
    let ids = try make(6) { graph, ids in
      for (owner, members) in [(ids[0], [ids[1]]), (ids[2], Array(ids[3...5]))] {
        for member in members { try graph.addMember(member, to: staff, of: owner) }
      }
    }
    var graph = WorkingGraph(schema: schema, reader: store)
    _ = try graph.members(of: staff, owner: ids[0])
    try graph.removeMember(ids[1], from: staff, of: ids[0])
    try graph.addMember(ids[1], to: staff, of: ids[0])
    #expect(try graph.validate(graph.changes()) == [])
    for member in ids[4...5] { try graph.removeMember(member, from: staff, of: ids[2]) }
    try graph.addMember(ids[4], to: staff, of: ids[1])
    #expect(try graph.validate(graph.changes()).map(\.record) == [ids[1], ids[2]])
  }

  /// A marshaler can give two records the same key. This prevents no save of other changes.
  @Test func onlyChangedKeysAreCompared() throws {
    let ids = try make(2) { graph, ids in
      for id in ids { graph.update(id) { $0.values[0] = .integer(1) } }
    }
    var graph = WorkingGraph(schema: schema, reader: store)
    for id in ids { try graph.setToOne(likes, of: id, to: ids[0]) }
    try graph.check(graph.changes(), checksKeys: true)
  }

  @Test func onlyOrderedListsOfRecordsThatExistHaveAnOrder() throws {
    let ids = try make(3)
    var graph = WorkingGraph(schema: schema, reader: store)
    for member in [ids[2], ids[1]] {
      try graph.addMember(member, to: friends, of: ids[0])
      try graph.addMember(member, to: owned, of: ids[0])
    }
    let new = graph.insert([0])[0]
    for member in ids { try graph.addMember(member, to: list, of: new) }
    try graph.setOrder(ids.reversed(), of: list, owner: new)
    try graph.delete([new])
    #expect(try graph.members(of: friends, owner: ids[0]) == [ids[1], ids[2]])
    #expect(try graph.members(of: owned, owner: ids[0]) == [ids[1], ids[2]])
    #expect(graph.changes().orderings.isEmpty)
  }

  // MARK: Reading unsaved changes

  /// Everything that a reader returns for some records.
  private struct Contents: Equatable {
    var rows: [Row?]
    var rowsByKey: [Row?]
    var rowsOfEntity: [Row]
    var members: [[[RecordID]]]
    var owners: [[[RecordID]]]
    var links: [Bool]

    init(_ reader: any StoreReader, _ ids: [RecordID], _ schema: Schema) throws {
      rows = try reader.rows(ids)
      let existing = rows.compactMap { $0?.id }
      let keys = ids.indices.map { RecordKey([.integer(Int64($0))]) }
      rowsByKey = try reader.rows(scope: 0, keys: keys)
      rowsOfEntity = try reader.rows(of: 0)
      let (lists, loose) = (
        schema.relationships.filter(\.isToMany), schema.relationships.filter { $0.inverse == nil }
      )
      members = try lists.map { try reader.members(of: $0.index, owners: ids) }
      owners = try loose.map { try reader.owners(of: $0, members: ids) }
      links = try lists.filter { $0.linkRelationship != nil }.flatMap { relationship in
        try existing.flatMap { owner in
          try reader.exist(existing.map { Link(relationship, owner: owner, member: $0) })
        }
      }
    }
  }

  /// The unsaved changes of a context are read in this way by its children and by responses.
  @Test func unsavedChangesAreReadLikeSavedOnes() throws {
    let ids = try make(8) { graph, ids in
      for (number, id) in ids.enumerated() { graph.update(id) { $0.values[0] = .integer(Int64(number)) } }
      for id in ids[1...5] {
        try graph.addMember(id, to: list, of: ids[0])
        try graph.addMember(id, to: friends, of: ids[0])
        try graph.setToOne(likes, of: id, to: ids[0])
      }
    }
    var graph = WorkingGraph(schema: schema, reader: store)
    try graph.setOrder(ids[1...5].reversed(), of: list, owner: ids[0])
    try graph.removeMember(ids[1], from: list, of: ids[0])
    try graph.removeMember(ids[1], from: friends, of: ids[0])
    try graph.addMember(ids[6], to: friends, of: ids[7])
    try graph.setToOne(likes, of: ids[1], to: nil)
    try graph.setToOne(likes, of: ids[2], to: ids[6])
    try graph.setToOne(likes, of: ids[4], to: ids[3])
    try graph.delete([ids[3]])
    let new = graph.insert([0])[0]
    graph.update(new) { $0.values[0] = .integer(3) }
    try graph.setToOne(likes, of: new, to: ids[0])
    try graph.addMember(ids[0], to: list, of: new)
    try graph.delete([ids[5]])
    let unsaved = try Contents(GraphReader(graph), ids + [new], schema)
    try store.commit(graph.changes())
    #expect(try unsaved == Contents(store, ids + [new], schema))
  }

  // MARK: Reading again

  @Test func whatIsForgottenIsReadAgain() throws {
    let ids = try make(4) { graph, ids in try graph.addMember(ids[1], to: friends, of: ids[0]) }
    var graph = WorkingGraph(schema: schema, reader: store)
    try graph.load(ids)
    try graph.prepareMembers(of: friends, owners: ids)
    #expect(try !graph.isMember(ids[2], of: friends, owner: ids[0]))
    try change { graph in
      try graph.addMember(ids[2], to: friends, of: ids[0])
      try graph.setToOne(likes, of: ids[0], to: ids[1])
    }
    #expect(try graph.members(of: friends, owner: ids[0]) == [ids[1]])
    graph.forget(unlessUsed: { $0 == ids[0] })
    #expect(ids.map(graph.isKnown) == [true, false, false, false])
    #expect(try graph.members(of: friends, owner: ids[0]) == [ids[1], ids[2]])
    #expect(try graph.isMember(ids[2], of: friends, owner: ids[0]))
    try graph.addMember(ids[3], to: friends, of: ids[0])
    graph.forget(ids)
    #expect(try graph.members(of: friends, owner: ids[0]) == Array(ids[1...3]))
    #expect(try graph.isMember(ids[3], of: friends, owner: ids[0]))
    #expect(graph.changes().linked.count == 2)
  }

  @Test func aSavedGraphIsLikeTheStore() throws {
    let ids = try make(3) { graph, ids in try graph.setToOne(likes, of: ids[1], to: ids[2]) }
    var graph = WorkingGraph(schema: schema, reader: store)
    try graph.load(ids)
    graph.update(ids[1]) { $0.values[0] = .integer(1) }
    try graph.addMember(ids[1], to: friends, of: ids[0])
    try graph.delete([ids[2]])
    try store.commit(graph.changes())
    graph.markSaved()
    #expect(ids.map { graph.knownRow($0) } == store.rows(ids))
    try graph.removeMember(ids[1], from: friends, of: ids[0])
    #expect(graph.changes().unlinked.count == 2)
    graph.discardChanges()
    #expect(try graph.members(of: friends, owner: ids[0]) == [ids[1]])
  }
}
