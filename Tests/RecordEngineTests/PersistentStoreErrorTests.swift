import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for files that are not stores or are damaged: opening them throws an error and does not change the file.
@Suite struct PersistentStoreErrorTests {
  private static let entities: [EntityDescription] = [
    EntityDescription(
      "Post", primaryKey: "id",
      attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)],
      relationships: [
        RelationshipDescription("tags", toMany: "Tag", inverse: "posts"),
        RelationshipDescription("answers", toMany: "Post", inverse: "question", isOrdered: true),
        RelationshipDescription("question", to: "Post", inverse: "answers"),
      ]),
    EntityDescription(
      "Tag", primaryKey: "name", attributes: [AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
  ]

  private static func model() throws -> ManagedObjectModel { try ManagedObjectModel(entities: entities) }

  /// Returns the error of opening the store, or nil if it can be opened.
  private func failure(_ url: URL) throws -> PersistentStoreError? {
    do {
      _ = try PersistentContainer(model: try Self.model(), configuration: .init(store: .file(url)))
      return nil
    } catch let error as PersistentStoreError {
      #expect(error.url == url)
      #expect(error.message.contains(url.path))
      return error
    }
  }

  /// Fills a store with posts, closes it, and returns the bytes of its file.
  private func fill(_ url: URL, count: Int = 200) throws -> Data {
    try {
      let schema = try Self.model().schema
      let store = try SQLiteStore(url: url, schema: schema)
      var graph = WorkingGraph(schema: schema, reader: store)
      let posts = graph.insert(Array(repeating: 0, count: count))
      let tags = graph.insert(Array(repeating: 1, count: 10))
      for (number, id) in tags.enumerated() { graph.update(id) { $0.values = [.string("tag \(number)")] } }
      for (number, id) in posts.enumerated() {
        graph.update(id) {
          $0.values = [.integer(Int64(number)), .string(String(repeating: "text \(number) ", count: 10))]
        }
        try graph.addMember(tags[number % 10], to: 0, of: id)
        try graph.setToOne(2, of: id, to: posts[number / 2])
      }
      try store.commit(graph.changes())
    }()
    return try Data(contentsOf: url)
  }

  @Test func aFileThatIsNoStore() throws {
    let folder = try TemporaryFolder()
    let contents = [
      Data("Dear diary,\n".utf8), Data(repeating: 0, count: 5000), Data("SQLite format 2\0".utf8),
    ]
    for content in contents {
      try content.write(to: folder.file())
      #expect(try failure(folder.file())?.kind == .notAStore)
      #expect(try Data(contentsOf: folder.file()) == content)
    }
  }

  @Test func aForeignDatabase() throws {
    let folder = try TemporaryFolder()
    do {
      let other = try SQLiteConnection(path: folder.file().path, mayCreate: true, listWidth: 1)
      try other.run("CREATE TABLE things (name)")
      try other.run("INSERT INTO things VALUES ('theirs')")
    }
    let before = try Data(contentsOf: folder.file())
    #expect(try failure(folder.file())?.kind == .notAStore)
    #expect(try Data(contentsOf: folder.file()) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["test.store"])
  }

  @Test func anInvalidLocation() throws {
    let folder = try TemporaryFolder()
    let isFolder = try #require(try failure(folder.url))
    #expect(isFolder.kind == .cannotOpen && isFolder.message.contains("is a folder"))
    let isMissing = try #require(try failure(folder.url.appendingPathComponent("no/such/folder")))
    #expect(isMissing.kind == .cannotOpen && isMissing.message.contains("does not exist"))
    // Not even root can create files in this folder.
    if FileManager.default.fileExists(atPath: "/proc/self/status") {
      #expect(try failure(URL(fileURLWithPath: "/proc/new.store"))?.kind == .cannotOpen)
    }
    let web = try #require(URL(string: "https://example.org/posts.store"))
    #expect(throws: PersistentStoreError.self) { try SQLiteStore(url: web, schema: Self.model().schema) }
  }

  @Test func aNewerFormat() throws {
    let folder = try TemporaryFolder()
    var bytes = try fill(folder.file())
    bytes[63] = 2
    try bytes.write(to: folder.file())
    #expect(try failure(folder.file())?.kind == .newerFormat)
    #expect(try Data(contentsOf: folder.file()) == bytes)
  }

  @Test func anEmptyFileIsANewStore() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.file())
    #expect(try failure(folder.file()) == nil)
  }

  @Test func asLongAsAContainerHoldsIt() throws {
    let folder = try TemporaryFolder()
    var container: PersistentContainer? = try PersistentContainer(
      model: Self.model(), configuration: .init(store: .file(folder.file())))
    let started = ContinuousClock.now
    #expect(try failure(folder.file())?.kind == .locked)
    #expect(ContinuousClock.now - started < .seconds(10))
    let context = container?.makeContext()
    container = nil
    // The context retains its store.
    #expect(try failure(folder.file())?.kind == .locked)
    withExtendedLifetime(context) {}
  }

  /// A file that is cut off at any length causes an error when it is opened or read.
  @Test func aCutOffFile() throws {
    let folder = try TemporaryFolder()
    let whole = try fill(folder.file())
    var (opening, reading) = (0, 0)
    for length in Array(stride(from: 0, to: whole.count, by: 1777)).dropFirst() + [
      1, 15, 16, 99, 100, 511, 4096,
    ] {
      let bytes = whole.prefix(length)
      try bytes.write(to: folder.file())
      if let failure = try failure(folder.file()) {
        #expect([.damaged, .notAStore].contains(failure.kind), "\(length): \(failure)")
        opening += 1
      } else {
        #expect(throws: StoreError.self, "\(length)") { try readAll(folder.file()) }
        reading += 1
      }
      #expect(try Data(contentsOf: folder.file()) == bytes, "\(length)")
    }
    #expect(opening > 0)
  }

  private func readAll(_ url: URL) throws {
    let schema = try Self.model().schema
    let store = try SQLiteStore(url: url, schema: schema)
    for entity in schema.entities {
      let rows = try store.rows(of: entity.index)
      _ = try store.rows(scope: entity.index, keys: rows.compactMap { $0.key(in: schema) })
      for relationship in entity.relationships where schema.relationships[relationship].isToMany {
        _ = try store.members(of: relationship, owners: rows.map(\.id))
      }
    }
  }

  /// Changed bytes cause readable errors, and never a crash.
  @Test(arguments: randomSeeds(150)) func flippedBytes(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var bytes = try fill(folder.file(), count: 60)
    var random = RandomNumbers(seed: seed)
    for _ in 0..<random.number(1...30) {
      // Half of the changes affect the headers of pages.
      let page = random.number(0...(bytes.count / 4096 - 1)) * 4096
      let offset = random.chance(50) ? page + random.number(0...120) : random.number(0...bytes.count - 1)
      bytes[offset] = UInt8.random(in: 0...255, using: &random)
    }
    try bytes.write(to: folder.file())
    do {
      try readAll(folder.file())
    } catch let error as PersistentStoreError {
      #expect(
        [.damaged, .notAStore, .newerFormat, .modelMismatch].contains(error.kind), "seed \(seed): \(error)")
    } catch let error as StoreError {
      #expect(error.message.contains("is damaged"), "seed \(seed): \(error)")
    }
  }

  /// Other write errors are not reported as a full disk.
  @Test func whatTheDiskSays() {
    let url = URL(fileURLWithPath: "/somewhere/test.store")
    let writeFailed: Int32 = 10 | 3 << 8
    func error(_ systemCode: Int32) -> PersistentStoreError {
      PersistentStoreError(
        SQLiteError(code: writeFailed, message: "disk I/O error", systemCode: systemCode), url)
    }
    for code in [ENOSPC, EFBIG, EDQUOT] { #expect(error(code).kind == .diskFull) }
    #expect(error(EIO).kind == .cannotOpen)
    #expect(
      error(EIO).message
        == "the store '/somewhere/test.store' could not be accessed because of a disk error (disk I/O error, system error \(EIO)); check the disk and try again"
    )
  }

  /// Changes a closed file with SQL.
  private func change(_ url: URL, _ sql: String) throws {
    let connection = try SQLiteConnection(path: url.path, mayCreate: false, listWidth: 4)
    try connection.run(sql)
  }

  /// The tables and indexes of the file must be those that the engine creates.
  @Test(arguments: [
    #"DROP INDEX "Post.Post$key""#, #"ALTER TABLE "Tag" ADD COLUMN more"#, #"DROP TABLE "Post.tags""#,
  ])
  func otherTables(sql: String) throws {
    let folder = try TemporaryFolder()
    _ = try fill(folder.file(), count: 3)
    try change(folder.file(), sql)
    #expect(try failure(folder.file())?.kind == .damaged)
  }

  /// With a wrong counter, a new record could get the number of an existing one.
  @Test(arguments: [
    ("Post", 3, true), ("Post", 4, false), ("Post", (1 << 48) - 1, false), ("Post", 1 << 48, true),
    (SQLiteLayout.positionCounter, 0, true), (SQLiteLayout.positionCounter, 1, false),
  ])
  func counters(name: String, next: Int64, isDamaged: Bool) throws {
    let folder = try TemporaryFolder()
    _ = try fill(folder.file(), count: 3)
    try change(folder.file(), "UPDATE \"$counters\" SET next = \(next) WHERE name = '\(name)'")
    #expect(try failure(folder.file())?.kind == (isDamaged ? .damaged : nil))
  }

  /// An invalid generation is replaced. The records are not affected.
  @Test(arguments: [("ff 6 6", true), ("ff 5 6", false), ("ff -1 0", false), ("ff 5", false), ("", false)])
  func generations(text: String, isValid: Bool) throws {
    let folder = try TemporaryFolder()
    _ = try fill(folder.file(), count: 3)
    try change(folder.file(), "UPDATE \"$metadata\" SET value = '\(text)' WHERE name = 'state'")
    let store = try SQLiteStore(url: folder.file(), schema: Self.model().schema)
    #expect(
      store.generation
        == (isValid ? StoreGeneration(session: 255, saves: 6, lastDeletion: 6) : store.generation))
    #expect((store.generation.session == 255) == isValid)
    #expect(try store.rows(of: 0).count == 3)
  }

  /// The generation of a file is known from its creation on, so that a cache stays valid until the first save.
  @Test func aNewFileHasAGeneration() throws {
    let folder = try TemporaryFolder()
    let schema = try Self.model().schema
    let generations = try (0..<2).map { _ in try SQLiteStore(url: folder.file(), schema: schema).generation }
    #expect(generations[0] == generations[1])
  }

  /// A predicate that reads a damaged value fails, instead of skipping the record.
  @Test func aDamagedValueInAPredicate() throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Post", attributes: [AttributeDescription("ratio", .float)])
    ])
    func context() throws -> ManagedObjectContext {
      try PersistentContainer(model: model, configuration: .init(store: .file(folder.file()))).makeContext()
    }
    try {
      let context = try context()
      let post = try context.insert("Post")
      post.setValue(.double(0.5), of: "ratio")
      try context.save()
    }()
    try change(folder.file(), #"UPDATE "Post" SET ratio = 'much'"#)
    let error = #expect(throws: RequestFailure.self) {
      try context().fetch(RecordFetchRequest("Post", predicate: "ratio > 0.1"))
    }
    #expect(error?.primary.message.contains("a value is not of type float") == true)
  }
}
