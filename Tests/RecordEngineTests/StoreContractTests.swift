import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the contract of all stores.
@Suite struct StoreContractTests {
  /// A kind of store, and the name of the entity for people. The name can also occur in SQL statements.
  struct Case: Sendable {
    var kind: StoreKind
    var person: EntityName
  }

  static let cases =
    StoreKind.allCases.map { Case(kind: $0, person: "Person") }
    + ["List", "list", "holds", "sqlite_list"].map { Case(kind: .sqlite, person: $0) }

  /// A store of people with friends, an ordered list, a mentor without an inverse, an ordered list of pets, and fans
  /// with the inverse idols.
  private final class Contract {
    let schema: Schema
    let store: any Store
    private let test: TestStore

    init(_ value: Case) throws {
      let person = value.person
      schema = try ManagedObjectModel(entities: [
        EntityDescription(
          person, primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
          relationships: [
            RelationshipDescription("friends", toMany: person),
            RelationshipDescription("list", toMany: person, isOrdered: true),
            RelationshipDescription("fans", toMany: person, inverse: "idols"),
            RelationshipDescription("idols", toMany: person, inverse: "fans", isOrdered: true),
            RelationshipDescription("pets", toMany: "Pet", inverse: "owner", isOrdered: true),
            RelationshipDescription("mentor", to: person),
          ]),
        EntityDescription("Child", parent: person),
        EntityDescription(
          "Pet", primaryKey: "name", "born",
          attributes: [AttributeDescription("name", .string), AttributeDescription("born", .int16)],
          relationships: [RelationshipDescription("owner", to: person, inverse: "pets")]),
      ]).schema
      test = try TestStore(value.kind, schema)
      store = test.store
    }

    static let (friends, list, fans, idols, pets):
      (
        RelationshipIndex, RelationshipIndex, RelationshipIndex, RelationshipIndex, RelationshipIndex
      ) = (0, 1, 2, 3, 4)

    func row(_ id: RecordID, _ key: Int64?, entity: EntityIndex = 0, mentor: RecordID? = nil) -> Row {
      Row(id: id, entity: entity, isStub: false, values: [key.map(AttributeValue.integer)], toOnes: [mentor])
    }

    func pet(_ id: RecordID, _ name: String?, _ born: Int64? = 1, owner: RecordID? = nil) -> Row {
      Row(
        id: id, entity: 2, isStub: false,
        values: [name.map(AttributeValue.string), born.map(AttributeValue.integer)], toOnes: [owner])
    }

    func link(_ relationship: RelationshipIndex, _ owner: RecordID, _ member: RecordID) -> Link {
      Link(schema.relationships[relationship], owner: owner, member: member)
    }

    func key(_ value: Int64) -> RecordKey { RecordKey([.integer(value)]) }

    func commit(_ change: (inout ChangeSet) -> Void) throws {
      var changes = ChangeSet()
      change(&changes)
      try store.commit(changes)
    }

    func ids(_ count: Int, tree: TreeIndex = 0) -> [RecordID] {
      let first = store.reserveIDs(tree: tree, count: count)
      return (0..<count).map { RecordID(tree: tree, serial: first.serial + Int64($0)) }
    }

    /// Inserts people with the keys 1, 2, 3, …
    func people(_ count: Int) throws -> [RecordID] {
      let ids = ids(count)
      try commit { $0.inserted = zip(ids, 1...).map { row($0, $1) } }
      return ids
    }

    /// Inserts pets of an owner with the names 1, 2, 3, …
    func pets(_ count: Int, of owner: RecordID) throws -> [RecordID] {
      let ids = ids(count, tree: 1)
      try commit {
        $0.inserted = zip(ids, 1...).map { pet($0, "\($1)", owner: owner) }
        $0.orderings = [ChangeSet.Ordering(relationship: Self.pets, owner: owner, added: ids)]
      }
      return ids
    }
  }

  @Test(arguments: cases) func numbersAreNeverGivenAgain(value: Case) throws {
    let contract = try Contract(value)
    let first = contract.ids(3)
    let second = contract.ids(2)
    let other = contract.ids(2, tree: 1)
    #expect(Set(first + second + other).count == 7)
    #expect((first + second).sorted() == first + second)
    #expect(other.allSatisfy { $0.tree == 1 })
  }

  @Test(arguments: cases) func rowsAreFoundByNumberAndKey(value: Case) throws {
    let contract = try Contract(value)
    let (store, ids) = (contract.store, try contract.people(3))
    #expect(
      try store.rows([ids[2], RecordID(tree: 0, serial: 99), ids[0], ids[2]]).map { $0?.id }
        == [ids[2], nil, ids[0], ids[2]])
    let found = try store.rows(scope: 0, keys: [3, 9, 1, 3].map(contract.key))
    #expect(found.map { $0?.id } == [ids[2], nil, ids[0], ids[2]])
    #expect(try store.rows(scope: 2, keys: [contract.key(1)]) == [nil])
    #expect(try store.rows([]) == [])
    #expect(try store.rows(scope: 0, keys: []) == [])
  }

  @Test(arguments: StoreKind.allCases) func anEntityWithoutKey(kind: StoreKind) throws {
    let schema = try ManagedObjectModel(entities: [EntityDescription("Thing")]).schema
    let keys = [RecordKey([.integer(1)]), RecordKey([.string("1")])]
    #expect(try TestStore(kind, schema).store.rows(scope: 0, keys: keys) == [nil, nil])
  }

  @Test(arguments: cases) func rowsOfSeveralTreesAreFoundAtOnce(value: Case) throws {
    let contract = try Contract(value)
    let people = try contract.people(2)
    let pets = try contract.pets(2, of: people[0])
    let mixed = [pets[1], people[1], pets[0], people[0]]
    #expect(try contract.store.rows(mixed).map { $0?.id } == mixed)
  }

  /// A key that several records have finds the oldest one, even if the others change.
  @Test(arguments: cases) func theOldestHasARepeatedKey(value: Case) throws {
    let contract = try Contract(value)
    let ids = contract.ids(4)
    func found() throws -> RecordID? { try contract.store.rows(scope: 0, keys: [contract.key(7)])[0]?.id }
    func change(_ id: RecordID, _ before: Int64, _ after: Int64) -> ChangeSet.Update {
      ChangeSet.Update(before: contract.row(id, before), after: contract.row(id, after))
    }
    try contract.commit { $0.inserted = ids.map { contract.row($0, 7) } }
    #expect(try found() == ids[0])
    // The younger record comes first.
    try contract.commit { $0.updated = [change(ids[1], 7, 7), change(ids[0], 7, 7)] }
    #expect(try found() == ids[0])
    try contract.commit { $0.deleted = [contract.row(ids[0], 7)] }
    #expect(try found() == ids[1])
    try contract.commit { $0.updated = [change(ids[2], 7, 8)] }
    #expect(try found() == ids[1])
    try contract.commit { $0.updated = [change(ids[1], 7, 9)] }
    #expect(try found() == ids[3])
    try contract.commit { $0.updated = [change(ids[2], 8, 7), change(ids[3], 7, 8)] }
    #expect(try found() == ids[2])
    try contract.commit { $0.deleted = [contract.row(ids[2], 7)] }
    #expect(try found() == nil)
    let others = contract.ids(4)
    try contract.commit { $0.inserted = [2, 0, 3, 1].map { contract.row(others[$0], 7) } }
    for id in others {
      #expect(try found() == id)
      try contract.commit { $0.deleted = [contract.row(id, 7)] }
    }
    #expect(try found() == nil)
  }

  /// Ids of records in another container are not found.
  @Test(arguments: cases) func anIdentifierOfAnotherModel(value: Case) throws {
    let contract = try Contract(value)
    let ids = try contract.people(1)
    let foreign = [RecordID(tree: 7, serial: 1), RecordID(tree: 0, serial: 1 << 40)]
    #expect(try contract.store.rows(foreign + ids).map { $0?.id } == [nil, nil, ids[0]])
    let context = PersistentContainer(
      model: try ManagedObjectModel(entities: [EntityDescription("Node")]),
      store: MemoryStore(schema: try ManagedObjectModel(entities: [EntityDescription("Node")]).schema)
    ).makeContext()
    #expect(context.record(with: foreign[0]) == nil)
  }

  /// A number does not match a text, and a part of a key does not match the key.
  @Test(arguments: cases) func keysAreExact(value: Case) throws {
    let contract = try Contract(value)
    let person = try contract.people(1)[0]
    let ids = contract.ids(4, tree: 1)
    try contract.commit {
      $0.inserted = [
        contract.pet(ids[0], "1", 2), contract.pet(ids[1], "\u{e9}", 1), contract.pet(ids[2], "e\u{301}", 1),
        contract.pet(ids[3], "a\u{0}b", 1),
      ]
    }
    func find(_ scope: EntityIndex, _ keys: RecordKey...) throws -> [RecordID?] {
      try contract.store.rows(scope: scope, keys: keys).map { $0?.id }
    }
    #expect(
      try find(0, contract.key(1), .single(.string("1")), .single(.double(1)), .single(.boolean(true))) == [
        person, nil, nil, nil,
      ])
    #expect(
      try find(
        2, .composite([.string("1"), .integer(2)]), .composite([.string("1"), .integer(1)]),
        .composite([.integer(1), .integer(2)]), .single(.string("1")),
        .composite([.string("1"), .integer(2), .integer(3)])) == [ids[0], nil, nil, nil, nil])
    #expect(
      try find(
        2, .composite([.string("e\u{301}"), .integer(1)]), .composite([.string("\u{e9}"), .integer(1)]),
        .composite([.string("a\u{0}b"), .integer(1)]), .composite([.string("a"), .integer(1)]))
        == [ids[2], ids[1], ids[3], nil])
  }

  @Test(arguments: cases) func anIncompleteKeyIsNone(value: Case) throws {
    let contract = try Contract(value)
    let id = contract.ids(1, tree: 1)[0]
    try contract.commit { $0.inserted = [contract.pet(id, "1", nil)] }
    #expect(try contract.store.rows(of: 2).map(\.id) == [id])
    #expect(try contract.store.rows(scope: 2, keys: [.single(.string("1"))]) == [nil])
  }

  @Test(arguments: cases) func anEntityHasTheRowsOfItsSubEntities(value: Case) throws {
    let contract = try Contract(value)
    let (store, ids) = (contract.store, try contract.people(2))
    try contract.commit {
      $0.updated = [
        ChangeSet.Update(before: contract.row(ids[0], 1), after: contract.row(ids[0], 1, entity: 1))
      ]
    }
    #expect(try store.rows(of: 0).map(\.id) == ids)
    #expect(try store.rows(of: 1).map(\.id) == [ids[0]])
    // The scope of a key is the entity that declares it, with its sub-entities.
    #expect(try store.rows(scope: 0, keys: [contract.key(1)])[0]?.entity == 1)
  }

  @Test(arguments: cases) func keysMoveWithTheirRows(value: Case) throws {
    let contract = try Contract(value)
    let (store, ids) = (contract.store, try contract.people(2))
    try contract.commit {
      $0.updated = [
        ChangeSet.Update(before: contract.row(ids[0], 1), after: contract.row(ids[0], 2)),
        ChangeSet.Update(before: contract.row(ids[1], 2), after: contract.row(ids[1], 1)),
      ]
    }
    let keys = [1, 2].map(contract.key)
    #expect(try store.rows(scope: 0, keys: keys).map { $0?.id } == [ids[1], ids[0]])
    try contract.commit {
      $0.updated = [ChangeSet.Update(before: contract.row(ids[0], 2), after: contract.row(ids[0], nil))]
    }
    #expect(try store.rows(scope: 0, keys: keys).map { $0?.id } == [ids[1], nil])
  }

  @Test(arguments: cases) func aDeletedRowLeavesItsKeyAndItsListsFree(value: Case) throws {
    let contract = try Contract(value)
    let (store, ids) = (contract.store, try contract.people(2))
    try contract.commit { $0.linked = [contract.link(Contract.friends, ids[0], ids[1])] }
    let new = contract.ids(1)[0]
    try contract.commit {
      $0.deleted = [contract.row(ids[0], 1)]
      $0.inserted = [contract.row(new, 1)]
    }
    #expect(try store.rows(ids).map { $0 == nil } == [true, false])
    #expect(try store.rows(scope: 0, keys: [contract.key(1)])[0]?.id == new)
    #expect(try store.members(of: Contract.friends, owners: [ids[0], new]) == [[], []])
  }

  /// Links to a deleted record are removed even if the changes do not contain this, or contain those links.
  @Test(arguments: cases, [true, false]) func aDeletedRecordIsNowhere(value: Case, isLinkedBefore: Bool)
    throws
  {
    let contract = try Contract(value)
    let (store, ids) = (contract.store, try contract.people(3))
    let pets = try contract.pets(2, of: ids[0])
    func link(_ changes: inout ChangeSet) {
      changes.linked = [
        contract.link(Contract.friends, ids[1], ids[0]), contract.link(Contract.friends, ids[1], ids[2]),
        contract.link(Contract.list, ids[1], ids[0]), contract.link(Contract.fans, ids[1], ids[0]),
        contract.link(Contract.fans, ids[0], ids[2]),
      ]
      changes.orderings = [
        ChangeSet.Ordering(relationship: Contract.list, owner: ids[1], added: [ids[0]]),
        ChangeSet.Ordering(relationship: Contract.idols, owner: ids[0], added: [ids[1]]),
        ChangeSet.Ordering(relationship: Contract.idols, owner: ids[2], added: [ids[0]]),
      ]
      changes.updated = [
        ChangeSet.Update(before: contract.row(ids[2], 3), after: contract.row(ids[2], 3, mentor: ids[0]))
      ]
    }
    if isLinkedBefore { try contract.commit(link) }
    try contract.commit { changes in
      if !isLinkedBefore { link(&changes) }
      changes.deleted = [contract.row(ids[0], 1)]
    }
    #expect(try store.rows([ids[2], ids[0]]) == [contract.row(ids[2], 3), nil])
    #expect(try store.rows(pets).map { $0?.toOnes } == [[nil], [nil]])
    #expect(try store.members(of: Contract.friends, owners: [ids[1]]) == [[ids[2]]])
    for relationship in [Contract.list, Contract.fans, Contract.idols, Contract.pets] {
      #expect(try store.members(of: relationship, owners: ids) == [[], [], []])
    }
    #expect(try store.exist([contract.link(Contract.fans, ids[1], ids[0])]) == [false])
  }

  @Test(arguments: cases) func membersStandOldestFirstOrInTheirOrder(value: Case) throws {
    let contract = try Contract(value)
    let (store, ids) = (contract.store, try contract.people(4))
    let arrived = [ids[3], ids[1], ids[2]]
    func list(_ added: [RecordID], order: [RecordID]? = nil) -> ChangeSet.Ordering {
      ChangeSet.Ordering(relationship: Contract.list, owner: ids[0], added: added, order: order)
    }
    try contract.commit {
      $0.linked = arrived.flatMap {
        [contract.link(Contract.friends, ids[0], $0), contract.link(Contract.list, ids[0], $0)]
      }
      $0.orderings = [list(arrived)]
    }
    #expect(
      try store.members(of: Contract.friends, owners: [ids[0], ids[1], ids[0]])
        == [[ids[1], ids[2], ids[3]], [], [ids[1], ids[2], ids[3]]])
    #expect(try store.members(of: Contract.list, owners: [ids[0]]) == [arrived])
    try contract.commit {
      $0.unlinked = [
        contract.link(Contract.friends, ids[0], ids[2]), contract.link(Contract.list, ids[0], ids[3]),
      ]
      $0.linked = [contract.link(Contract.list, ids[0], ids[0])]
      $0.orderings = [list([ids[0]])]
    }
    #expect(try store.members(of: Contract.friends, owners: [ids[0]]) == [[ids[1], ids[3]]])
    #expect(try store.members(of: Contract.list, owners: [ids[0]]) == [[ids[1], ids[2], ids[0]]])
    let order = [ids[2], ids[0], ids[1]]
    try contract.commit { $0.orderings = [list([], order: order)] }
    #expect(try store.members(of: Contract.list, owners: [ids[0]]) == [order])
    // An order does not change the members: it neither adds nor removes any.
    try contract.commit { $0.orderings = [list([], order: [ids[3], ids[1]])] }
    #expect(try store.members(of: Contract.list, owners: [ids[0]]) == [[ids[1], ids[2], ids[0]]])
    #expect(
      try store.exist([
        contract.link(Contract.list, ids[0], ids[2]), contract.link(Contract.list, ids[0], ids[3]),
        contract.link(Contract.list, ids[1], ids[0]), contract.link(Contract.friends, ids[0], ids[1]),
      ]) == [true, false, false, true])
  }

  @Test(arguments: cases) func ownedMembersKeepTheirOrder(value: Case) throws {
    let contract = try Contract(value)
    let (store, people) = (contract.store, try contract.people(2))
    let pets = try contract.pets(4, of: people[0])
    func ordering(_ owner: RecordID, _ added: [RecordID], order: [RecordID]? = nil) -> ChangeSet.Ordering {
      ChangeSet.Ordering(relationship: Contract.pets, owner: owner, added: added, order: order)
    }
    try contract.commit {
      $0.orderings = [ordering(people[0], [], order: [pets[3], pets[1], pets[0], pets[2]])]
    }
    #expect(
      try store.members(of: Contract.pets, owners: people) == [[pets[3], pets[1], pets[0], pets[2]], []])
    // One member changes its owner. The other one changes its name and keeps its position.
    try contract.commit {
      $0.updated = [
        ChangeSet.Update(
          before: contract.pet(pets[3], "4", owner: people[0]),
          after: contract.pet(pets[3], "4", owner: people[1])),
        ChangeSet.Update(
          before: contract.pet(pets[1], "2", owner: people[0]),
          after: contract.pet(pets[1], "two", owner: people[0])),
      ]
      $0.orderings = [ordering(people[1], [pets[3]])]
    }
    #expect(
      try store.members(of: Contract.pets, owners: people) == [[pets[1], pets[0], pets[2]], [pets[3]]])
    let new = contract.ids(1, tree: 1)[0]
    try contract.commit {
      $0.inserted = [contract.pet(new, "new", owner: people[0])]
      $0.orderings = [ordering(people[0], [new])]
    }
    #expect(
      try store.members(of: Contract.pets, owners: [people[0]]) == [[pets[1], pets[0], pets[2], new]])
  }

  @Test(arguments: cases) func linksAreSeenFromBothSides(value: Case) throws {
    let contract = try Contract(value)
    let (store, ids) = (contract.store, try contract.people(3))
    try contract.commit {
      // Each link is set once, through either side of the relationship.
      $0.linked = [
        contract.link(Contract.fans, ids[0], ids[2]), contract.link(Contract.idols, ids[2], ids[1]),
        contract.link(Contract.fans, ids[0], ids[1]),
      ]
      $0.orderings = [
        ChangeSet.Ordering(relationship: Contract.idols, owner: ids[2], added: [ids[1], ids[0]]),
        ChangeSet.Ordering(relationship: Contract.idols, owner: ids[1], added: [ids[0]]),
      ]
    }
    #expect(try store.members(of: Contract.fans, owners: ids) == [[ids[1], ids[2]], [ids[2]], []])
    #expect(try store.members(of: Contract.idols, owners: ids) == [[], [ids[0]], [ids[1], ids[0]]])
    try contract.commit {
      $0.orderings = [
        ChangeSet.Ordering(relationship: Contract.idols, owner: ids[2], added: [], order: [ids[0], ids[1]])
      ]
    }
    #expect(try store.members(of: Contract.idols, owners: [ids[2]]) == [[ids[0], ids[1]]])
  }

  @Test(arguments: cases) func anOrderIsThatOfOneRelationship(value: Case) throws {
    let contract = try Contract(value)
    let (store, ids) = (contract.store, try contract.people(2))
    let relationships = [Contract.list, Contract.idols]
    try contract.commit {
      $0.linked = relationships.flatMap { name in ids.map { contract.link(name, ids[0], $0) } }
      $0.orderings = relationships.map { ChangeSet.Ordering(relationship: $0, owner: ids[0], added: ids) }
    }
    try contract.commit {
      $0.orderings = [
        ChangeSet.Ordering(relationship: Contract.list, owner: ids[0], added: [], order: [ids[1], ids[0]])
      ]
    }
    #expect(try store.members(of: Contract.list, owners: [ids[0]]) == [[ids[1], ids[0]]])
    #expect(try store.members(of: Contract.idols, owners: [ids[0]]) == [ids])
  }

  // MARK: Values

  private static let types: [AttributeType] = AttributeType.allCases

  private static func values() throws -> [AttributeType: [AttributeValue]] {
    func decimal(_ text: String) throws -> AttributeValue {
      .decimal(try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))))
    }
    func json(_ text: String) throws -> AttributeValue {
      .json(try JSONDocument(parsing: Array(text.utf8)).root.value)
    }
    return [
      .int16: [.integer(-32768), .integer(32767), .integer(0)],
      .int32: [.integer(-2_147_483_648), .integer(2_147_483_647), .integer(1)],
      .int64: [.integer(.min), .integer(.max), .integer(-1)],
      .float: [.double(Double(Float.greatestFiniteMagnitude)), .double(-0.0), .double(0.1)],
      .double: [
        .double(-0.0), .double(0), .double(.leastNonzeroMagnitude), .double(.greatestFiniteMagnitude),
        .double(0.1),
        .double(9_007_199_254_740_992), .double(1),
      ],
      .decimal: try [
        decimal("0"), decimal("-0.1"), decimal("99999999999999999999999999999999999999"),
        decimal("1.2345678901234567890123456789012345678"), decimal("1e127"), decimal("1e-128"),
        .decimal(.greatestFiniteMagnitude), .decimal(.leastFiniteMagnitude), decimal("100"),
      ],
      .boolean: [.boolean(true), .boolean(false)],
      .string: [
        .string(""), .string("a\u{0}b"), .string("\u{0}"), .string("\u{e9}"), .string("e\u{301}"),
        .string("1"),
        .string("👩‍👩‍👧"), .string("'\"`;--"), .string(String(repeating: "long ", count: 20_000)),
        .string("\u{10ffff}"),
      ],
      .date: [
        .date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: -0.0)),
        .date(Date(timeIntervalSinceReferenceDate: 1e-9)), .date(.distantPast), .date(.distantFuture),
        .date(Date(timeIntervalSinceReferenceDate: 700_000_000.123456789)),
      ],
      .binary: [.binary(Data()), .binary(Data([0])), .binary(Data((0...255).map { UInt8($0) }))],
      .uuid: [
        .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
        .uuid(try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))),
      ],
      .uri: [
        .uri(try #require(URL(string: "https://example.org/a%20b?c=d&e#f"))),
        .uri(try #require(URL(string: "relative/path"))), .uri(try #require(URL(string: "urn:isbn:0"))),
      ],
      .transformable: try [
        json("null"), json("[]"), json("{}"), json(#"{"b":1.50,"a":[1e400,-0,{"":""}],"\u0000":"\u0000"}"#),
        json("123456789012345678901234567890.10"),
        json(String(repeating: "[", count: 400) + String(repeating: "]", count: 400)),
      ],
    ]
  }

  /// Returns the exact stored value, which distinguishes the sign of zero, the digits and the order of keys.
  private static func exactly(_ value: AttributeValue?) -> String {
    switch value {
    case .double(let value): "double \(value.bitPattern)"
    case .date(let value): "date \(value.timeIntervalSinceReferenceDate.bitPattern)"
    case .string(let value): "string \(Array(value.utf8))"
    case .json(let value): "json \(value.compactText())"
    case .uri(let value): "uri \(value.absoluteString)"
    default: "\(value as Any)"
    }
  }

  @Test(arguments: StoreKind.allCases) func valuesComeBackAsTheyWere(kind: StoreKind) throws {
    let schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Thing",
        attributes: Self.types.map { AttributeDescription(PropertyName($0.rawValue), $0) })
    ]).schema
    let test = try TestStore(kind, schema)
    let values = try Self.values()
    let count = values.values.map(\.count).max() ?? 0
    let first = test.store.reserveIDs(tree: 0, count: count).serial
    var changes = ChangeSet()
    for number in 0..<count {
      changes.inserted.append(
        Row(
          id: RecordID(tree: 0, serial: first + Int64(number)), entity: 0, isStub: number == 1,
          values: Self.types.map { type in
            let list = values[type] ?? []
            return number < list.count ? list[number] : nil
          }, toOnes: []))
    }
    try test.store.commit(changes)
    let found = try test.store.rows(of: 0)
    #expect(found == changes.inserted)
    for (row, wanted) in zip(found, changes.inserted) {
      for (type, (value, wanted)) in zip(Self.types, zip(row.values, wanted.values)) {
        #expect(Self.exactly(value) == Self.exactly(wanted), "\(type)")
      }
    }
    // The values are also changed into each other.
    var turned = ChangeSet()
    for (number, row) in changes.inserted.enumerated() {
      var after = changes.inserted[(number + 1) % count]
      after = Row(id: row.id, entity: 0, isStub: after.isStub, values: after.values, toOnes: [])
      turned.updated.append(ChangeSet.Update(before: row, after: after))
    }
    try test.store.commit(turned)
    let turnedRows = try test.store.rows(of: 0)
    #expect(turnedRows == turned.updated.map(\.after))
    #expect(
      turnedRows.map { $0.values.map(Self.exactly) }
        == turned.updated.map { $0.after.values.map(Self.exactly) })
  }

  /// A URL is stored as its text. A relative URL loses its base, and a URL without text is stored as nil.
  @Test(arguments: StoreKind.allCases) func relativeURLsStandAlone(kind: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Thing", primaryKey: "link",
        attributes: [AttributeDescription("id", .int64), AttributeDescription("link", .uri)])
    ])
    let test = try TestStore(kind, model.schema)
    let container = PersistentContainer(model: model, store: test.store)
    let context = container.makeContext()
    let base = try #require(URL(string: "https://example.org/a/b"))
    let urls = [
      URL(string: "c", relativeTo: base), URL(string: "../d?e", relativeTo: base), URL(fileURLWithPath: ""),
      URL(string: "c", relativeTo: URL(string: "relative/")),
      URL(string: "https://example.org/x", relativeTo: base),
    ]
    for (number, url) in urls.enumerated() {
      let url = try #require(url)
      let wanted = try #require(URL(string: url.absoluteString))
      let thing = try context.insert("Thing")
      thing["id"] = number
      thing["link"] = url
      #expect(thing["link"] == wanted)
      try context.save()
      #expect(thing["link"] == wanted)
      #expect(try container.makeContext().fetch(RecordFetchRequest("Thing")).last?["link"] == wanted)
      let found = try test.store.rows(scope: 0, keys: [.single(.uri(wanted))])
      #expect(found.map { $0?.id } == [thing.recordID])
    }
    let thing = try #require(try context.fetch(RecordFetchRequest("Thing")).first)
    for text in [".", "./", "", "#"] {
      guard let url = URL(string: text, relativeTo: URL(string: "a")) else { continue }
      thing["link"] = url
      try context.save()
      let link: URL? = thing["link"]
      #expect(link?.absoluteString == (url.absoluteString.isEmpty ? nil : url.absoluteString))
      #expect(try container.makeContext().fetch(RecordFetchRequest("Thing")).first?["link"] == link)
    }
  }

  /// A fetch returns a consistent state, even if rows and related rows are read one after another.
  @Test(arguments: StoreKind.allCases) func fetchesAreOfOneMoment(kind: StoreKind) async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Owner", attributes: [AttributeDescription("number", .int64)],
        relationships: [
          RelationshipDescription("member", to: "Member"),
          RelationshipDescription("members", toMany: "Member"),
        ]),
      EntityDescription("Member", attributes: [AttributeDescription("number", .int64)]),
    ])
    let test = try TestStore(kind, model.schema)
    let store = test.store
    let (owner, member) = (store.reserveIDs(tree: 0, count: 1), store.reserveIDs(tree: 1, count: 1))
    func rows(_ number: Int64) -> [Row] {
      [
        Row(id: owner, entity: 0, isStub: false, values: [.integer(number)], toOnes: [member]),
        Row(id: member, entity: 1, isStub: false, values: [.integer(number)], toOnes: []),
      ]
    }
    var first = ChangeSet()
    first.inserted = rows(0)
    try store.commit(first)
    // SQL cannot evaluate the comparison of a to-many relationship, and therefore not the whole predicate.
    let torn = StoreFetch(
      entity: 0, predicate: RecordPredicate("number != member.number OR members.number < 5"))
    if let store = store as? SQLiteStore { #expect(!store.sql(for: torn).isWhole) }
    let reader = Task.detached {
      var (count, tornCount) = (0, 0)
      while !Task.isCancelled {
        count += 1
        tornCount +=
          try store.rows(torn).count + store.count(torn)
          + store.distinctValues(inColumn: 0, torn).count
        // Without this pause, the reader could keep the lock from the writer.
        try? await Task.sleep(for: .microseconds(50))
      }
      return (count, tornCount)
    }
    for number in 1...400 as ClosedRange<Int64> {
      var changes = ChangeSet()
      changes.updated = zip(rows(number - 1), rows(number)).map { ChangeSet.Update(before: $0, after: $1) }
      try store.commit(changes)
      await Task.yield()
    }
    reader.cancel()
    let (count, tornCount) = try await reader.value
    #expect(count > 0)
    #expect(tornCount == 0)
  }

  /// Records are found by keys of every type that can be a key.
  @Test(arguments: StoreKind.allCases) func everyTypeIsAKey(kind: StoreKind) throws {
    let keyTypes = Self.types.filter { $0 != .transformable }
    let schema = try ManagedObjectModel(
      entities: keyTypes.enumerated().map { number, type in
        EntityDescription(
          EntityName("Thing\(number)"), primaryKey: "key", attributes: [AttributeDescription("key", type)])
      }
    ).schema
    let test = try TestStore(kind, schema)
    let values = try Self.values()
    for (entity, type) in zip(schema.entities, keyTypes) {
      // Positive and negative zero are the same key.
      var keys: [AttributeValue] = []
      for value in values[type] ?? [] where !keys.contains(value) { keys.append(value) }
      var changes = ChangeSet()
      let first = test.store.reserveIDs(tree: entity.tree, count: keys.count).serial
      for (number, key) in keys.enumerated() {
        let id = RecordID(tree: entity.tree, serial: first + Int64(number))
        changes.inserted.append(Row(id: id, entity: entity.index, isStub: true, values: [key], toOnes: []))
      }
      try test.store.commit(changes)
      #expect(
        try test.store.rows(scope: entity.index, keys: keys.map { RecordKey([$0]) }) == changes.inserted,
        "\(type)")
    }
  }

  /// A record from another source can have a higher number than all reserved ones.
  @Test(arguments: cases) func aNumberThatWasNotReservedIsNotGivenAgain(value: Case) throws {
    let contract = try Contract(value)
    let id = RecordID(tree: 0, serial: 40)
    try contract.commit { $0.inserted = [contract.row(id, 1)] }
    #expect(contract.ids(1)[0] > id)
  }

  @Test(arguments: cases) func anEmptyCommitIsNoSave(value: Case) throws {
    let contract = try Contract(value)
    _ = try contract.people(1)
    let generation = contract.store.generation
    try contract.store.commit(ChangeSet()) {
      Issue.record("an empty commit is confirmed")
      return true
    }
    #expect(contract.store.generation == generation)
  }

  /// The numbers of records of different trees can be equal.
  @Test(arguments: cases) func recordsOfAnotherTreeHaveNoOwnersAndNoMembers(value: Case) throws {
    let contract = try Contract(value)
    let ids = contract.ids(2)
    try contract.commit { $0.inserted = [contract.row(ids[0], 1), contract.row(ids[1], 2, mentor: ids[0])] }
    let mentor = contract.schema.relationships[5]
    let pet = RecordID(tree: 1, serial: ids[0].serial)
    #expect(try contract.store.owners(of: mentor, members: [pet, ids[0]]) == [[], [ids[1]]])
    try contract.commit { $0.linked = [contract.link(Contract.friends, ids[0], ids[1])] }
    #expect(try contract.store.members(of: Contract.friends, owners: [pet, ids[0]]) == [[], [ids[1]]])
  }

  /// NaN is not equal to any value, so no record has it as a key.
  @Test(arguments: StoreKind.allCases) func keysThatAreNoNumbers(kind: StoreKind) throws {
    let keys: [(type: AttributeType, value: AttributeValue)] = [
      (.float, .double(.nan)), (.double, .double(.nan)),
      (.date, .date(Date(timeIntervalSinceReferenceDate: .nan))), (.decimal, .decimal(.nan)),
    ]
    let schema = try ManagedObjectModel(
      entities: keys.map {
        EntityDescription(
          EntityName("Thing_\($0.type.rawValue)"), primaryKey: "key",
          attributes: [AttributeDescription("key", $0.type)])
      }
    ).schema
    let test = try TestStore(kind, schema)
    for (entity, key) in zip(schema.entities, keys) {
      let id = test.store.reserveIDs(tree: entity.tree, count: 1)
      var changes = ChangeSet()
      changes.inserted = [Row(id: id, entity: entity.index, isStub: true, values: [nil], toOnes: [])]
      try test.store.commit(changes)
      #expect(
        try test.store.rows(scope: entity.index, keys: [RecordKey([key.value])]) == [nil], "\(key.type)")
    }
  }

  /// SQLite limits the depth of expressions, which a key of many attributes would exceed.
  @Test(arguments: StoreKind.allCases) func aKeyOfManyAttributes(kind: StoreKind) throws {
    let names = (0..<1100).map { PropertyName("part\($0)") }
    var entity = EntityDescription("Thing", attributes: names.map { AttributeDescription($0, .int32) })
    entity.primaryKey = names
    let test = try TestStore(kind, ManagedObjectModel(entities: [entity]).schema)
    func key(_ last: Int64) -> [AttributeValue] {
      names.dropLast().map { _ in .integer(1) } + [.integer(last)]
    }
    var changes = ChangeSet()
    let first = test.store.reserveIDs(tree: 0, count: 2)
    changes.inserted = (0..<2).map {
      Row(
        id: RecordID(tree: 0, serial: first.serial + $0), entity: 0, isStub: false, values: key($0),
        toOnes: [])
    }
    try test.store.commit(changes)
    let found = try test.store.rows(scope: 0, keys: [2, 1, 0].map { RecordKey(key($0)) })
    #expect(found == [nil, changes.inserted[1], changes.inserted[0]])
    #expect(try test.store.rows(scope: 0, keys: [.single(.integer(1))]) == [nil])
  }

  /// Sub-entities can each declare a key, of an attribute that they share.
  @Test(arguments: StoreKind.allCases) func subEntitiesWithTheirOwnKeys(kind: StoreKind) throws {
    let schema = try ManagedObjectModel(entities: [
      EntityDescription("Item", attributes: [AttributeDescription("id", .int32)]),
      EntityDescription("Photo", parent: "Item", primaryKey: "id"),
      EntityDescription("Video", parent: "Item", primaryKey: "id"),
    ]).schema
    let test = try TestStore(kind, schema)
    let first = test.store.reserveIDs(tree: 0, count: 2)
    var changes = ChangeSet()
    changes.inserted = (0..<2).map {
      Row(
        id: RecordID(tree: 0, serial: first.serial + Int64($0)), entity: EntityIndex(2 - $0), isStub: false,
        values: [.integer(7)], toOnes: [])
    }
    try test.store.commit(changes)
    for row in changes.inserted {
      #expect(try test.store.rows(scope: row.entity, keys: [RecordKey([.integer(7)])]) == [row])
    }
  }
}
