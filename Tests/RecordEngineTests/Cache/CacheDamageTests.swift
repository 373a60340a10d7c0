import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for files that are not caches, damaged cache files and full disks. Rule: `cache.damaged`.
@Suite struct CacheDamageTests {
  private static let now = TestClock().now
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String = "test.store") throws -> RecordCache {
    try RecordCache(url: folder.file(name), now: Self.now)
  }

  /// Writes the entries `0` to `19`, closes the file, and returns its bytes.
  @discardableResult private func fill() throws -> Data {
    try {
      let cache = try open()
      for number in 0..<20 {
        cache.keep(
          .test(
            Array(0...Int64(number)), body: String(repeating: "body ", count: number * number * 10),
            headers: ["etag": "\(number)"]), for: .test("\(number)"))
      }
    }()
    return try Data(contentsOf: folder.file())
  }

  private func kept(_ cache: RecordCache) -> Int {
    (0..<20).reduce(0) { $0 + cache.entries(for: .test("\($1)")).count }
  }

  private func failure(_ url: URL) throws -> RecordCacheError? {
    do throws(RecordCacheError) {
      _ = try RecordCache(url: url)
      return nil
    } catch {
      #expect(error.url == url && error.message.contains(url.path))
      return error
    }
  }

  private func permissions(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name).path)
    return attributes[.posixPermissions] as? Int
  }

  /// Runs SQL statements that no cache runs on the closed file.
  private func change(_ statements: String...) throws {
    let connection = try SQLiteConnection(path: folder.file().path, mayCreate: false, listWidth: 1)
    for statement in statements { try connection.run(statement) }
  }

  // MARK: Files of other programs

  @Test func aFileOfOthersIsNotTouched() throws {
    let url = folder.file()
    for content in [
      Data("Dear diary,\n".utf8), Data(repeating: 0, count: 9000), Data("SQLite format 3\0".utf8),
    ] {
      try content.write(to: url)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
      #expect(try failure(url)?.kind == .notACache)
      #expect(try Data(contentsOf: url) == content)
      #expect(try permissions("test.store") == 0o644)
    }
    try FileManager.default.removeItem(at: url)
    let schema = try ManagedObjectModel(entities: [EntityDescription("Post")]).schema
    try { _ = try SQLiteStore(url: url, schema: schema) }()
    let store = try Data(contentsOf: url)
    #expect(try failure(url)?.kind == .notACache)
    #expect(try Data(contentsOf: url) == store)
    try Data().write(to: url)
    try fill()
    #expect(throws: PersistentStoreError.self) { try SQLiteStore(url: url, schema: schema) }
  }

  @Test func anInvalidLocation() throws {
    let isFolder = try #require(try failure(folder.url))
    #expect(isFolder.kind == .cannotOpen && isFolder.message.contains("is a folder"))
    let isMissing = try #require(try failure(folder.url.appendingPathComponent("no/such/folder")))
    #expect(isMissing.kind == .cannotOpen && isMissing.message.contains("does not exist"))
    // Not even root can create files in this folder.
    if FileManager.default.fileExists(atPath: "/proc/self/status") {
      let denied = try #require(try failure(URL(fileURLWithPath: "/proc/new.cache")))
      #expect(denied.kind == .cannotOpen && denied.message.contains("cannot be made"))
    }
    let web = try #require(URL(string: "https://example.org/posts.cache"))
    #expect(throws: RecordCacheError.self) { try RecordCache(url: web) }
  }

  @Test func oneAtATime() throws {
    try fill()
    var cache: RecordCache? = try open()
    let error = try failure(folder.file())
    #expect(error?.kind == .locked && error?.message.contains("in use by another process or cache") ?? false)
    #expect(try SaverProcess("cache", folder.file()).rest().first?.hasPrefix("locked: ") ?? false)
    #expect(cache.map(kept) == 20)
    cache = nil
    let process = try SaverProcess("cache", folder.file())
    #expect(process.line() == "open")
    #expect(try failure(folder.file())?.kind == .locked)
    // A file that is in use is never removed, even if it is damaged.
    #expect(process.endInput() == [])
    #expect(kept(try open()) == 20)
  }

  // MARK: Damage

  @Test func aFileOfAnotherVersion() throws {
    for version: UInt8 in [0, 2, 255] {
      var bytes = try fill()
      bytes[63] = version
      try bytes.write(to: folder.file())
      let cache = try open()
      let diagnostics = cache.takeDiagnostics()
      #expect(diagnostics.map(\.code) == [.cacheRebuilt])
      #expect(
        diagnostics.first?.message
          == "the record cache '\(folder.file().path)' could not be used (its format is \(version), and this version supports 1) and was recreated; its content is lost"
      )
      #expect(cache.takeDiagnostics() == [])
      #expect(kept(cache) == 0)
      cache.keep(.test(), for: .test("1"))
      #expect(kept(cache) == 1)
      try cache.removeAll()
    }
  }

  /// A file that is cut off at any length can be opened as a cache, possibly an empty one.
  @Test func aCutOffFile() throws {
    let whole = try fill()
    for length in Array(stride(from: 100, to: whole.count, by: 2777)) + [0, 100, 511, 8192, 8193, 16384] {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
        try FileManager.default.removeItem(at: folder.file(name))
      }
      try whole.prefix(length).write(to: folder.file())
      let cache = try open()
      _ = kept(cache)
      for round in 0..<2 where round == 0 || cache.entries(for: .test("new")).isEmpty {
        cache.keep(.test([7]), for: .test("new"))
      }
      #expect(cache.entries(for: .test("new")) == [.test([7])], "\(length)")
      #expect(Set(cache.takeDiagnostics().map(\.code)).isSubset(of: [.cacheRebuilt]), "\(length)")
    }
  }

  /// Changed bytes never cause a crash, and only the two diagnostics of the cache.
  @Test(arguments: randomSeeds(60)) func flippedBytes(seed: UInt64) throws {
    var bytes = try fill()
    var random = RandomNumbers(seed: seed)
    for _ in 0..<random.number(1...30) {
      // Half of the changes affect the headers of pages.
      let page = random.number(0...(bytes.count / 8192 - 1)) * 8192
      let offset = random.chance(50) ? page + random.number(0...120) : random.number(0...bytes.count - 1)
      bytes[offset] = UInt8.random(in: 0...255, using: &random)
    }
    try bytes.write(to: folder.file())
    let cache: RecordCache
    do throws(RecordCacheError) {
      cache = try RecordCache(url: folder.file(), limits: .init(maximumSize: 50_000), now: Self.now)
    } catch {
      #expect(error.kind == .notACache, "seed \(seed): \(error)")
      return
    }
    for number in 0..<20 {
      for row in cache.rows(for: .test("\(number)"), generation: .test) {
        _ = cache.body(of: row)?.bytes
        cache.touch(row)
        if number % 5 == 0 { cache.freshen(row, CacheEntry.test(at: 5).response) }
      }
      cache.keep(.test(body: String(repeating: "new", count: 500)), for: .test("\(number * 2)"))
    }
    _ = try cache.trim()
    try cache.removeAll()
    #expect(
      cache.takeDiagnostics().allSatisfy {
        $0.code == .cacheRebuilt && $0.message.contains(folder.file().path)
      },
      "seed \(seed)")
  }

  /// The statements are valid in SQLite, but write values that no cache writes.
  @Test(arguments: [
    "UPDATE entry SET headers = '{\"etag\": 7}'", "UPDATE entry SET headers = 'no JSON'",
    "UPDATE entry SET headers = '{\"etag\": null}'", "UPDATE entry SET selecting = '[]'",
    "UPDATE entry SET records = x'05'", "UPDATE entry SET records = 'text'",
    "UPDATE entry SET status = 'none'", "UPDATE entry SET noticed = 'none'",
    "UPDATE entry SET noticed = '{}'", "UPDATE entry SET noticed = '[[\"a\", null]]'",
    "UPDATE entry SET noticed = '[[null, null, null]]'", "UPDATE entry SET noticed = '[[\"a\", 1, null]]'",
    "UPDATE entry SET noticed = '[{}]'", "UPDATE entry SET noticed = x'05'",
    "UPDATE entry SET responseTime = 'never'", "UPDATE body SET bytes = 7",
  ]) func rowsThatCannotBeRead(statement: String) throws {
    try fill()
    try change(statement)
    let cache = try open()
    #expect(cache.takeDiagnostics() == [])
    #expect(kept(cache) == (statement.contains("body") ? 1 : 0))
    #expect(cache.takeDiagnostics().map(\.code) == [.cacheRebuilt])
    for number in 0..<2 { cache.keep(.test(), for: .test("\(number)")) }
    #expect(kept(cache) == 2 && cache.takeDiagnostics() == [])
  }

  @Test(arguments: [
    "UPDATE totals SET size = -1", "UPDATE totals SET next = 20",
    "UPDATE totals SET next = 9223372036854775807", "DELETE FROM totals",
    "UPDATE totals SET saves = -1", "INSERT INTO totals SELECT * FROM totals", "DROP INDEX entry_used",
    "DROP TABLE body",
    "CREATE TABLE more (name)", "CREATE TRIGGER more AFTER INSERT ON entry BEGIN DELETE FROM totals; END",
  ]) func aFileThatIsFoundOutWhenItIsOpened(statement: String) throws {
    try fill()
    try change(statement)
    let cache = try open()
    #expect(cache.takeDiagnostics().map(\.code) == [.cacheRebuilt])
    #expect(kept(cache) == 0 && cache.size == 0)
  }

  @Test(arguments: [
    "UPDATE entry SET size = -1", "UPDATE entry SET size = 9223372036854775807",
    "UPDATE totals SET size = 100000000",
    "UPDATE entry SET size = 1", "UPDATE entry SET size = 'large'",
  ]) func sizesThatAreWrong(statement: String) throws {
    try fill()
    try change(statement)
    let cache = try RecordCache(url: folder.file(), limits: .init(maximumSize: 5000), now: Self.now)
    for number in 0..<3 { cache.keep(.test(), for: .test("new \(number)")) }
    #expect(cache.takeDiagnostics().map(\.code) == [.cacheRebuilt])
    #expect(cache.entries(for: .test("new 2")) == [.test()])
    #expect(0...5000 ~= cache.size)
  }

  /// After a crash, the log contains the last entries.
  @Test func aLogThatIsLeftOver() throws {
    let cache = try open()
    for number in 0..<10 { cache.keep(.test([Int64(number)]), for: .test("\(number)")) }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        at: folder.file("test.store\(suffix)"), to: folder.file("copy\(suffix)"))
    }
    let copy = try open("copy")
    #expect(kept(copy) == 10 && copy.takeDiagnostics() == [])
    // One log is cut in half, the other contains garbage.
    let log = try Data(contentsOf: folder.file("test.store-wal"))
    for (name, log) in [("half", log.prefix(log.count / 2)), ("garbage", Data(repeating: 7, count: 40_000))] {
      try Data(contentsOf: folder.file()).write(to: folder.file(name))
      try log.write(to: folder.file("\(name)-wal"))
      let cache = try open(name)
      cache.keep(.test(), for: .test("new"))
      #expect(cache.entries(for: .test("new")) == [.test()], "\(name)")
    }
  }

  /// If a file can be neither used nor removed, requests succeed without the cache. The cache recovers when the file
  /// can be created.
  @Test func aFileThatCannotBeMadeAnew() throws {
    try fill()
    try change("UPDATE entry SET headers = 'no JSON'")
    let cache = try open()
    try FileManager.default.removeItem(at: folder.file())
    try FileManager.default.createDirectory(at: folder.file(), withIntermediateDirectories: false)
    #expect(cache.entries(for: .test("1")) == [])
    #expect(cache.takeDiagnostics().map(\.code) == [.cacheUnavailable])
    for _ in 0..<3 { cache.keep(.test(), for: .test("1")) }
    let diagnostics = cache.takeDiagnostics()
    #expect(diagnostics.map(\.code) == [.cacheUnavailable])
    #expect(diagnostics.first?.message.contains("is a folder") ?? false)
    #expect(cache.size == 0)
    #expect(throws: RecordCacheError.self) { try cache.trim() }
    #expect(throws: RecordCacheError.self) { try cache.removeAll() }
    try FileManager.default.removeItem(at: folder.file())
    cache.keep(.test(), for: .test("1"))
    #expect(cache.entries(for: .test("1")) == [.test()])
    #expect(cache.takeDiagnostics() == [])
  }

  /// Fills a file and damages the table that contains the bodies.
  private func damageBodies() throws {
    var bytes = try fill()
    var root: Int64 = 0
    try {
      let connection = try SQLiteConnection(path: folder.file().path, mayCreate: false, listWidth: 1)
      root = try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'body'")
    }()
    bytes.replaceSubrange(Int(root - 1) * 8192..<Int(root) * 8192, with: Data(repeating: 0xFF, count: 8192))
    try bytes.write(to: folder.file())
  }

  /// The damage is found only when the response is stored. The request reports it, unless its debugger ignores it.
  @Test(arguments: [false, true]) func damageIsFoundDuringARequest(isIgnored: Bool) async throws {
    try damageBodies()
    let cache = try open()
    #expect(cache.takeDiagnostics() == [])
    let server = TestServer { _ in
      ServerResponse(.json(["id": "1"]), headers: ["Cache-Control": "max-age=60"])
    }
    let container = try PersistentContainer(
      model: RequestFixture.model(), configuration: .init(server: server, cache: cache))
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    if isIgnored { options.debugger = CodeDebugger(ignore: [.cacheRebuilt]) }
    let result = try await container.request(
      "User", urn: "a", options: options, context: container.makeContext())
    #expect(result.records.map { $0["id"] } == ["1"])
    #expect(result.diagnostics.map(\.code) == (isIgnored ? [] : [.cacheRebuilt]))
  }

  /// If a file can be neither emptied nor removed, the cache no longer uses it.
  @Test func aFileThatIsHalfRemoved() throws {
    try damageBodies()
    let cache = try open()
    #expect(cache.takeDiagnostics() == [])
    // The folder has the name of the file's shared-memory index, so that the index cannot be removed.
    let obstacle = folder.file("test.store-shm")
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
    let error = #expect(throws: RecordCacheError.self) { try cache.removeAll() }
    #expect(error?.kind == .cannotOpen && error?.message.contains("cannot be removed") ?? false)
    try FileManager.default.removeItem(at: obstacle)
    cache.keep(.test(), for: .test("1"))
    #expect(cache.entries(for: .test("1")) == [.test()] && cache.takeDiagnostics() == [])
  }

  /// A failed write changes nothing.
  @Test func aFullDisk() throws {
    let file = try CacheFile.open(folder.file(), waits: false).file
    func keep(_ url: String, _ size: Int) throws(SQLiteError) {
      try file.keep(
        .test(body: String(repeating: "b", count: size)), for: .test(url), generation: .test, limit: 1 << 30
      ) { _ in true }
    }
    try keep("a", 10)
    try keep("b", 10)
    let row = try #require(try file.rows(for: .test("b")).first)
    try file.touch(row.id)
    try file.connection.run("PRAGMA max_page_count = 20")
    let totals = file.totals
    let error = #expect(throws: SQLiteError.self) { try keep("a", 1_000_000) }
    #expect(error?.kind == .full && error.map(CacheFile.isDamage) == false)
    #expect(file.totals == totals)
    #expect(try file.rows(for: .test("a")).count == 1)
    try keep("c", 10)
    #expect(try file.rows(for: .test("c")).count == 1)
    // Uses before the failed write are not lost.
    _ = try file.trim(to: totals.size / 2, since: nil)
    #expect(try file.rows(for: .test("c")).count == 1)
    #expect(
      RecordCacheError(SQLiteError(code: 13, message: "database or disk is full"), folder.file()).message
        == "no disk space left to write the record cache '\(folder.file().path)'; free some space and try again"
    )
  }

  /// Numbers that no cache writes make a file unusable. It is created again by the method that reads them.
  @Test(
    arguments: [
      ("UPDATE entry SET saves = 99", .rows), ("UPDATE entry SET saves = -1", .rows),
      ("UPDATE totals SET next = (1 << 60) - 1", .keep), ("UPDATE totals SET size = (1 << 60) - 1", .trim),
      ("UPDATE totals SET size = 5000", .trim), ("UPDATE entry SET size = 'x'", .trim),
      ("UPDATE entry SET size = -1", .trim), ("UPDATE entry SET size = 1 << 40", .trim),
      ("UPDATE entry SET size = 'x'", .forget), ("UPDATE entry SET size = -1", .forget),
      ("UPDATE entry SET size = 1 << 40", .forget), ("UPDATE entry SET size = 'x'", .remove),
    ] as [(String, Access)])
  func wrongNumbers(sql: String, access: Access) throws {
    try fill()
    try change(sql)
    let cache = try RecordCache(url: folder.file(), limits: .init(maximumSize: 1000), now: Self.now)
    #expect(cache.takeDiagnostics() == [])
    switch access {
    case .rows: #expect(cache.rows(for: .test("3"), generation: .test) == [])
    case .keep: cache.keep(.test(), for: .test("3"))
    case .trim: #expect(try cache.trim() == RecordCache.Trimmed())
    case .forget: try cache.forget(url: "3")
    case .remove: cache.remove(url: "3")
    }
    #expect(cache.size == 0)
    if access == .trim || access == .forget {
      #expect(FileManager.default.fileExists(atPath: folder.file().path))
    }
    #expect(cache.takeDiagnostics().map(\.code) == [.cacheRebuilt])
    cache.keep(.test(), for: .test("3"))
    #expect(cache.entries(for: .test("3")) == [.test()])
  }

  /// A method that reads or changes entries.
  enum Access: Sendable { case rows, keep, trim, forget, remove }

  /// A file that cannot be emptied is removed and created again.
  @Test func aDamagedFileIsEmptied() throws {
    try damageBodies()
    let cache = try open()
    try cache.removeAll()
    #expect(FileManager.default.fileExists(atPath: folder.file().path))
    #expect(kept(cache) == 0 && cache.size == 0 && cache.takeDiagnostics() == [])
    cache.keep(.test(), for: .test("1"))
    #expect(cache.entries(for: .test("1")) == [.test()])
  }
}
