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

  private func key(_ value: Int64) -> RecordKey { RecordKey([.integer(value)]) }

  private func commit(_ change: (inout ChangeSet) -> Void) {
    var changes = ChangeSet()
    change(&changes)
    store.commit(changes)
  }

  /// Makes people with the keys 1, 2, 3, …
  private func people(_ count: Int) -> [RecordID] {
    let ids = store.reserveIDs(tree: 0, count: count)
    commit { $0.inserted = zip(ids, 1...).map { row($0, $1) } }
    return ids
  }

  @Test func numbersAreNeverGivenAgain() {
    let first = store.reserveIDs(tree: 0, count: 3)
    let second = store.reserveIDs(tree: 0, count: 2)
    let other = store.reserveIDs(tree: 1, count: 2)
    #expect(Set(first + second + other).count == 7)
    #expect((first + second).sorted() == first + second)
    #expect(other.allSatisfy { $0.tree == 1 })
  }

  @Test func rowsAreFoundByNumberAndKey() {
    let ids = people(3)
    #expect(
      store.rows([ids[2], RecordID(tree: 0, serial: 99), ids[0]]).map { $0?.id } == [ids[2], nil, ids[0]])
    let found = store.rows(scope: 0, keys: [key(3), key(9), key(1)])
    #expect(found.mapValues(\.id) == [key(3): ids[2], key(1): ids[0]])
    #expect(store.rows(scope: 2, keys: [key(1)]).isEmpty)
  }

  @Test func anEntityHasTheRowsOfItsSubEntities() {
    let ids = people(2)
    commit { $0.updated = [ChangeSet.Update(before: row(ids[0], 1), after: row(ids[0], 1, entity: 1))] }
    #expect(store.rows(of: 0).map(\.id) == ids)
    #expect(store.rows(of: 1).map(\.id) == [ids[0]])
    // The key counts in the tree below the entity that declares it.
    #expect(store.rows(scope: 0, keys: [key(1)])[key(1)]?.entity == 1)
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
      store.rows(scope: 0, keys: [key(1), key(2)]).mapValues(\.id) == [key(1): ids[1], key(2): ids[0]])
    commit { $0.updated = [ChangeSet.Update(before: row(ids[0], 2), after: row(ids[0], nil))] }
    #expect(store.rows(scope: 0, keys: [key(1), key(2)]).mapValues(\.id) == [key(1): ids[1]])
  }

  @Test func aDeletedRowLeavesItsKeyAndItsListsFree() {
    let ids = people(2)
    commit { $0.members = [ChangeSet.Members(relationship: 0, owner: ids[0], added: [ids[1]], removed: [])] }
    let new = store.reserveIDs(tree: 0, count: 1)
    commit {
      $0.deleted = [row(ids[0], 1)]
      $0.inserted = [row(new[0], 1)]
    }
    #expect(store.rows(ids).map { $0 == nil } == [true, false])
    #expect(store.rows(scope: 0, keys: [key(1)])[key(1)]?.id == new[0])
    #expect(store.members(of: 0, owners: [ids[0], new[0]]) == [[], []])
  }

  @Test func membersStandOldestFirstOrInTheirOrder() {
    let ids = people(4)
    let arrived = [ids[3], ids[1], ids[2]]
    for relationship in [0, 1] {
      commit {
        $0.members = [
          ChangeSet.Members(relationship: relationship, owner: ids[0], added: arrived, removed: [])
        ]
      }
    }
    #expect(store.members(of: 0, owners: [ids[0], ids[1]]) == [[ids[1], ids[2], ids[3]], []])
    #expect(store.members(of: 1, owners: [ids[0]]) == [arrived])
    commit {
      $0.members = [
        ChangeSet.Members(relationship: 0, owner: ids[0], added: [], removed: [ids[2]]),
        ChangeSet.Members(relationship: 1, owner: ids[0], added: [ids[0]], removed: [ids[3]]),
      ]
    }
    #expect(store.members(of: 0, owners: [ids[0]]) == [[ids[1], ids[3]]])
    #expect(store.members(of: 1, owners: [ids[0]]) == [[ids[1], ids[2], ids[0]]])
    let order = [ids[2], ids[0], ids[1]]
    commit {
      $0.members = [
        ChangeSet.Members(relationship: 1, owner: ids[0], added: [], removed: [], order: order)
      ]
    }
    #expect(store.members(of: 1, owners: [ids[0]]) == [order])
    #expect(
      store.areMembers(of: 1, [(ids[0], ids[2]), (ids[0], ids[3]), (ids[1], ids[0])]) == [true, false, false])
  }
}
