import RecordModel
import Testing

@testable import RecordEngine

/// What every store promises, held to the one in memory.
@Suite struct StoreMemoryTests {
  private let schema: Schema
  private let store: MemoryStore

  init() throws {
    schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Person", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [
          RelationshipDescription("friends", toMany: "Person"),
          RelationshipDescription("list", toMany: "Person", isOrdered: true),
        ]),
      EntityDescription("Child", parent: "Person"),
      EntityDescription("Place", primaryKey: "id", attributes: [AttributeDescription("id", .int32)]),
    ]).schema
    store = MemoryStore(schema: schema)
  }

  private func row(_ id: RecordID, _ key: Int64?, entity: Int = 0) -> Row {
    Row(id: id, entity: entity, isStub: false, values: [key.map(AttributeValue.integer)], toOnes: [])
  }

  private func link(_ relationship: Int, _ owner: RecordID, _ member: RecordID) -> Link {
    Link(schema.relationships[relationship], owner: owner, member: member)
  }

  private func key(_ value: Int64) -> RecordKey { RecordKey([.integer(value)]) }

  private func commit(_ change: (inout ChangeSet) -> Void) {
    var changes = ChangeSet()
    change(&changes)
    store.commit(changes)
  }

  private func ids(_ first: RecordID, _ count: Int) -> [RecordID] {
    (0..<count).map { RecordID(tree: first.tree, serial: first.serial + Int64($0)) }
  }

  /// Makes people with the keys 1, 2, 3, …
  private func people(_ count: Int) -> [RecordID] {
    let ids = ids(store.reserveIDs(tree: 0, count: count), count)
    commit { $0.inserted = zip(ids, 1...).map { row($0, $1) } }
    return ids
  }

  @Test func numbersAreNeverGivenAgain() {
    let first = ids(store.reserveIDs(tree: 0, count: 3), 3)
    let second = ids(store.reserveIDs(tree: 0, count: 2), 2)
    let other = ids(store.reserveIDs(tree: 1, count: 2), 2)
    #expect(Set(first + second + other).count == 7)
    #expect((first + second).sorted() == first + second)
    #expect(other.allSatisfy { $0.tree == 1 })
  }

  @Test func rowsAreFoundByNumberAndKey() {
    let ids = people(3)
    #expect(
      store.rows([ids[2], RecordID(tree: 0, serial: 99), ids[0]]).map { $0?.id } == [ids[2], nil, ids[0]])
    let found = store.rows(scope: 0, keys: [key(3), key(9), key(1)])
    #expect(found.map { $0?.id } == [ids[2], nil, ids[0]])
    #expect(store.rows(scope: 2, keys: [key(1)]) == [nil])
  }

  @Test func anEntityHasTheRowsOfItsSubEntities() {
    let ids = people(2)
    commit { $0.updated = [ChangeSet.Update(before: row(ids[0], 1), after: row(ids[0], 1, entity: 1))] }
    #expect(store.rows(of: 0).map(\.id) == ids)
    #expect(store.rows(of: 1).map(\.id) == [ids[0]])
    // The key counts in the tree below the entity that declares it.
    #expect(store.rows(scope: 0, keys: [key(1)])[0]?.entity == 1)
  }

  @Test func keysMoveWithTheirRows() {
    let ids = people(2)
    commit {
      $0.updated = [
        ChangeSet.Update(before: row(ids[0], 1), after: row(ids[0], 2)),
        ChangeSet.Update(before: row(ids[1], 2), after: row(ids[1], 1)),
      ]
    }
    #expect(
      store.rows(scope: 0, keys: [key(1), key(2)]).map { $0?.id } == [ids[1], ids[0]])
    commit { $0.updated = [ChangeSet.Update(before: row(ids[0], 2), after: row(ids[0], nil))] }
    #expect(store.rows(scope: 0, keys: [key(1), key(2)]).map { $0?.id } == [ids[1], nil])
  }

  @Test func aDeletedRowLeavesItsKeyAndItsListsFree() {
    let ids = people(2)
    commit { $0.linked = [link(0, ids[0], ids[1])] }
    let new = store.reserveIDs(tree: 0, count: 1)
    commit {
      $0.deleted = [row(ids[0], 1)]
      $0.inserted = [row(new, 1)]
    }
    #expect(store.rows(ids).map { $0 == nil } == [true, false])
    #expect(store.rows(scope: 0, keys: [key(1)])[0]?.id == new)
    #expect(store.members(of: 0, owners: [ids[0], new]) == [[], []])
  }

  @Test func membersStandOldestFirstOrInTheirOrder() {
    let ids = people(4)
    let arrived = [ids[3], ids[1], ids[2]]
    commit {
      $0.linked = arrived.flatMap { [link(0, ids[0], $0), link(1, ids[0], $0)] }
      $0.orderings = [ChangeSet.Ordering(relationship: 1, owner: ids[0], added: arrived)]
    }
    #expect(store.members(of: 0, owners: [ids[0], ids[1]]) == [[ids[1], ids[2], ids[3]], []])
    #expect(store.members(of: 1, owners: [ids[0]]) == [arrived])
    commit {
      $0.unlinked = [link(0, ids[0], ids[2]), link(1, ids[0], ids[3])]
      $0.linked = [link(1, ids[0], ids[0])]
      $0.orderings = [ChangeSet.Ordering(relationship: 1, owner: ids[0], added: [ids[0]])]
    }
    #expect(store.members(of: 0, owners: [ids[0]]) == [[ids[1], ids[3]]])
    #expect(store.members(of: 1, owners: [ids[0]]) == [[ids[1], ids[2], ids[0]]])
    let order = [ids[2], ids[0], ids[1]]
    commit { $0.orderings = [ChangeSet.Ordering(relationship: 1, owner: ids[0], added: [], order: order)] }
    #expect(store.members(of: 1, owners: [ids[0]]) == [order])
    #expect(
      store.areThere([link(1, ids[0], ids[2]), link(1, ids[0], ids[3]), link(1, ids[1], ids[0])])
        == [true, false, false])
  }
}
