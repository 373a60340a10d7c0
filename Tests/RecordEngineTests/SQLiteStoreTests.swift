import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the store in a file, in addition to the contract of all stores.
@Suite struct SQLiteStoreTests {
  private static func importing(_ response: JSONValue, _ schema: Schema, _ store: any Store) throws
    -> PopulationResult
  {
    let population = Population(
      schema: schema, reader: store, entity: 0, response: "test", options: PopulationOptions())
    return try population.populateAndSave(JSONDocument(response), to: store)
  }

  /// The number of statements of an import does not depend on the number of items. A response without changes writes
  /// nothing.
  @Test(arguments: StoreCallTests.cases) func statementsDoNotGrowWithItems(value: StoreCallTests.Case) throws
  {
    let schema = try ManagedObjectModel(entities: value.entities).schema
    func counts(_ count: Int) throws -> [[SQLiteStatementKind: Int]] {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(url: folder.file(), schema: schema)
      let responses = value.responses(count)
      return try (responses + responses.suffix(1)).map { response in
        let (before, changes) = (store.statementCounts, store.totalChanges)
        let isEmpty = try Self.importing(response, schema, store).changes.isEmpty
        #expect((store.totalChanges == changes) == isEmpty)
        return store.statementCounts.reduce(into: [:]) { $0[$1.key] = $1.value - (before[$1.key] ?? 0) }
      }
    }
    let (few, many) = (try counts(10), try counts(200))
    #expect(few == many)
    #expect(many.allSatisfy { (1..<40).contains($0.values.reduce(0, +)) }, "\(many)")
  }

  /// The files of an open store are those in the article.
  @Test func oneFileStandsBesideAnOpenStore() throws {
    let folder = try TemporaryFolder()
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }
    let schema = try ManagedObjectModel(entities: [EntityDescription("Node")]).schema
    for _ in 1...2 {
      do {
        let store = try SQLiteStore(url: folder.file("a.store"), schema: schema)
        _ = try Self.importing([["id": 1]], schema, store)
        #expect(try names() == ["a.store", "a.store-wal"])
      }
      #expect(try names() == ["a.store"])
    }
  }

  /// Only the owner can read the file of a store, unless the file already exists with other permissions.
  @Test func aStoreIsForItsOwnerAlone() throws {
    let former = umask(0)
    defer { umask(former) }
    let folder = try TemporaryFolder()
    let schema = try ManagedObjectModel(entities: [EntityDescription("Node")]).schema
    func permissions(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder.file(name).path)[.posixPermissions] as? Int
    }
    for (name, expected) in [("a.store", 0o600), ("shared.store", 0o640)] {
      let file = folder.file(name)
      if name == "shared.store" {
        try Data().write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
      }
      let store = try SQLiteStore(url: file, schema: schema)
      _ = try Self.importing([["id": 1]], schema, store)
      #expect(try [permissions(name), permissions(name + "-wal")] == [expected, expected])
    }
  }

  /// Every statement of a store finds its rows by an index.
  @Test func nothingIsSearchedForByReadingAll() throws {
    let schema = try ManagedObjectModel(
      entities: StoreCallTests.cases.flatMap(\.entities).prefix(1) + [
        EntityDescription(
          "Child", primaryKey: "name", "born",
          attributes: [AttributeDescription("name", .string), AttributeDescription("born", .date)],
          relationships: [
            RelationshipDescription("parent", to: "Child", inverse: "children"),
            RelationshipDescription("children", toMany: "Child", inverse: "parent", isOrdered: true),
            RelationshipDescription("home", to: "Node"),
            RelationshipDescription("friends", toMany: "Child", inverse: "friends"),
            RelationshipDescription("places", toMany: "Node", isOrdered: true),
          ])
      ]
    ).schema
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(url: folder.file(), schema: schema)
    let statements = store.statements
    var texts = statements.rowsByID + statements.deletions + statements.toOnes.map(\.clearing)
    texts += statements.members.compactMap { $0 } + statements.rowsByKey.compactMap { $0?.sql }
    texts += statements.rowOrderings.compactMap { $0 }
    for links in statements.links.compactMap({ $0 }) {
      texts += [links.exist, links.deletion, links.deletionByOwner, links.deletionByMember]
      texts += [links.ordering, links.inverseOrdering].compactMap { $0 }
    }
    #expect(texts.count > 15)
    for text in texts {
      var steps: [String] = []
      try store.connection.query("EXPLAIN QUERY PLAN \(text)", [.list(SQLiteList([]))]) {
        steps.append($0.text(3))
      }
      #expect(
        steps.allSatisfy { !$0.hasPrefix("SCAN") || $0.contains("VIRTUAL TABLE") || $0.contains("SUBQUERY") },
        "\(text): \(steps)")
      #expect(steps.contains { $0.hasPrefix("SEARCH") }, "\(text): \(steps)")
    }
  }

  @Test func whatIsSavedIsThereWhenItIsOpenedAgain() throws {
    let folder = try TemporaryFolder()
    let value = try #require(StoreCallTests.cases.first { $0.name == "replaced ordered many-to-many" })
    let schema = try ManagedObjectModel(entities: value.entities).schema
    var (rows, members): ([Row], [[RecordID]]) = ([], [])
    for response in value.responses(50) {
      let store = try SQLiteStore(url: folder.file(), schema: schema)
      #expect(try store.rows(of: 0) == rows)
      #expect(try store.members(of: 0, owners: rows.map(\.id)) == members)
      _ = try Self.importing(response, schema, store)
      rows = try store.rows(of: 0)
      members = try store.members(of: 0, owners: rows.map(\.id))
    }
    let store = try SQLiteStore(url: folder.file(), schema: schema)
    #expect(store.totalChanges == 0)
    #expect(try store.rows(of: 0) == rows && rows.count > 50)
    #expect(try store.members(of: 0, owners: rows.map(\.id)) == members)
  }

  /// The header names the format, so that a version that does not know the format can refuse the file.
  @Test func aFileHasTheVersionOfItsFormat() throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteStore(url: folder.file(), schema: ManagedObjectModel().schema)
    let header = SQLiteHeader(Array(try Data(contentsOf: folder.file())))
    #expect(header?.userVersion == SQLiteStoreFile.formatVersion)
  }

  /// The number of a record is never reused, even after the record is deleted.
  @Test func numbersOfDeletedRecordsAreNotGivenAgain() throws {
    let folder = try TemporaryFolder()
    let schema = try ManagedObjectModel(entities: [EntityDescription("Node")]).schema
    let row: Row = try {
      let store = try SQLiteStore(url: folder.file(), schema: schema)
      var changes = ChangeSet()
      let id = store.reserveIDs(tree: 0, count: 3)
      let row = Row(
        id: RecordID(tree: 0, serial: id.serial + 2), entity: 0, isStub: false, values: [], toOnes: [])
      changes.inserted = [row]
      try store.commit(changes)
      changes = ChangeSet()
      changes.deleted = [row]
      try store.commit(changes)
      return row
    }()
    let store = try SQLiteStore(url: folder.file(), schema: schema)
    #expect(store.reserveIDs(tree: 0, count: 1) > row.id)
  }

  @Test func newMembersFollowTheFormerOnesWhenItIsOpenedAgain() throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Node", primaryKey: "id", attributes: [AttributeDescription("id", .int64)],
        relationships: [RelationshipDescription("nodes", toMany: "Node", isOrdered: true)])
    ])
    for number in [1, 2, 3] {
      let context = try PersistentContainer(model: model, configuration: .init(store: .file(folder.file())))
        .makeContext()
      let new = try context.insert("Node")
      new["id"] = number
      let first = try #require(try context.fetch(RecordFetchRequest("Node", predicate: "id == 1")).first)
      first.add(new, to: "nodes")
      try context.save()
      context.reset()
      let members: [Record] = try #require(try context.fetch(RecordFetchRequest("Node")).first)["nodes"]
      #expect(members.map { $0["id"] } == Array(1...number))
    }
  }

  /// A failed commit changes nothing, and the store can still be used.
  @Test func aCommitThatFailsDoesNothing() throws {
    let folder = try TemporaryFolder()
    let schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Node", attributes: [AttributeDescription("size", .double)],
        relationships: [RelationshipDescription("others", toMany: "Node")])
    ]).schema
    let store = try SQLiteStore(url: folder.file(), schema: schema)
    let first = store.reserveIDs(tree: 0, count: 3)
    func row(_ offset: Int64, _ size: AttributeValue) -> Row {
      Row(
        id: RecordID(tree: 0, serial: first.serial + offset), entity: 0, isStub: false, values: [size],
        toOnes: [])
    }
    var changes = ChangeSet()
    changes.inserted = [row(0, .double(1))]
    try store.commit(changes)
    for wrong in [AttributeValue.double(.nan), .string("large")] {
      changes.inserted = [row(1, .double(2)), row(2, wrong)]
      let error = #expect(throws: StoreError.self) { try store.commit(changes) }
      #expect(error?.message.contains(folder.file().path) ?? false)
      #expect(try store.rows(of: 0) == [row(0, .double(1))])
    }
    // A link that already exists.
    let link = Link(schema.relationships[0], owner: first, member: first)
    changes = ChangeSet()
    changes.linked = [link]
    try store.commit(changes)
    changes.inserted = [row(1, .double(2))]
    #expect(throws: StoreError.self) { try store.commit(changes) }
    #expect(try store.rows(of: 0).count == 1)
    changes.linked = []
    try store.commit(changes)
    #expect(try store.rows(of: 0).count == 2)
  }

  /// Names that differ only in case, reserved names of SQLite, and properties of sub-entities with the same name.
  @Test func namesThatSQLTakesForOne() throws {
    let schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "sqlite_master", primaryKey: "rowid",
        attributes: [
          AttributeDescription("rowid", .int64), AttributeDescription("RowID", .string),
          AttributeDescription("select", .string), AttributeDescription("größe", .string),
        ], relationships: [RelationshipDescription("GRÖSSE", toMany: "Post")]),
      EntityDescription("Post"), EntityDescription("POST"),
      EntityDescription("post", primaryKey: "a", attributes: [AttributeDescription("a", .string)]),
      EntityDescription(
        "Film", parent: "Post", primaryKey: "size", attributes: [AttributeDescription("size", .int64)]),
      EntityDescription(
        "FILM", parent: "Post", primaryKey: "size", attributes: [AttributeDescription("size", .string)],
        relationships: [
          RelationshipDescription("link", to: "Film"), RelationshipDescription("Link", to: "FILM"),
        ]),
      EntityDescription(
        "metadata",
        relationships: [
          RelationshipDescription("Posts", toMany: "POST"), RelationshipDescription("posts", toMany: "post"),
        ]),
    ]).schema
    let folder = try TemporaryFolder()
    var rows: [Row] = []
    for round in 0..<2 {
      let store = try SQLiteStore(url: folder.file(), schema: schema)
      if round == 0 {
        var changes = ChangeSet()
        for entity in schema.entities {
          let id = store.reserveIDs(tree: entity.tree, count: 1)
          let tree = schema.trees[entity.tree]
          var values = [AttributeValue?](repeating: nil, count: tree.columnCount)
          for attribute in entity.attributes {
            values[attribute.column] = attribute.type == .string ? .string("\(entity.name)") : .integer(7)
          }
          changes.inserted.append(
            Row(
              id: id, entity: entity.index, isStub: false, values: values,
              toOnes: entity.name == "FILM"
                ? [RecordID(tree: id.tree, serial: 2), id] : tree.toOnes.map { _ in nil }))
        }
        try store.commit(changes)
        rows = changes.inserted
      }
      #expect(try schema.trees.flatMap { try store.rows(of: $0.root) } == rows.sorted { $0.id < $1.id })
      #expect(try store.rows(scope: 4, keys: [RecordKey([.integer(7)])])[0]?.entity == 4)
      #expect(try store.rows(scope: 5, keys: [RecordKey([.string("FILM")])])[0]?.entity == 5)
    }
  }

  @Test func aContainerOverAFile() throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [AttributeDescription("id", .int64), AttributeDescription("size", .double)])
    ])
    func open() throws -> ManagedObjectContext {
      try PersistentContainer(model: model, configuration: .init(store: .file(folder.file()))).makeContext()
    }
    let id: RecordID = try {
      let context = try open()
      let post = try context.insert("Post")
      post["id"] = Int64(7)
      post["size"] = Double.infinity
      let failure = #expect(throws: RequestFailure.self) { try context.save() }
      #expect(failure?.diagnostics.map(\.message) == ["'size' of 'Post/7' is not a finite number"])
      post["size"] = 0.5
      try context.save()
      return post.recordID
    }()
    #expect(try open().record(with: id)?["size"] == 0.5)
  }

  @Test func manyThreadsRead() throws {
    let folder = try TemporaryFolder()
    let value = StoreCallTests.cases[0]
    let schema = try ManagedObjectModel(entities: value.entities).schema
    let store = try SQLiteStore(url: folder.file(), schema: schema)
    _ = try Self.importing(value.responses(100)[0], schema, store)
    DispatchQueue.concurrentPerform(iterations: 50) { number in
      let rows = try? store.rows(of: 0)
      #expect(rows?.count == 100)
      if number % 10 == 0 { _ = try? Self.importing(value.responses(100)[1], schema, store) }
    }
  }
}
