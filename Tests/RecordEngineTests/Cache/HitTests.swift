import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that a cached response reads only the needed rows and bodies. Rule: `cache.hit`.
@Suite struct HitTests {
  private static let count = 300
  private static let now = TestClock().now

  private static func response(_ count: Int = count) -> JSONValue {
    let posts: [JSONValue] = (1...count).map { ["id": .string("\($0)"), "text": .string("Post \($0)")] }
    return ["data": .array(posts), "meta": ["total": 300]]
  }

  private static var request: RecordRequest<Record> {
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    return RecordRequest(entity: "Post", urn: "posts", options: options)
  }

  private let store: StoreCallCounter
  private let cache = RecordCache(now: Self.now)
  private let container: PersistentContainer

  init() throws {
    let model = try RequestFixture.model()
    store = StoreCallCounter(MemoryStore(schema: model.schema))
    let server = TestServer { _ in
      ServerResponse(.json(Self.response()), headers: ["Cache-Control": "max-age=60"])
    }
    container = PersistentContainer(
      model: model, store: store, configuration: .init(server: server, cache: cache))
  }

  private func hit(_ context: ManagedObjectContext) async throws -> RequestResult<Record> {
    let result = try await container.perform(Self.request, context: context)
    #expect(result.served == .cache && result.diagnostics.isEmpty)
    return result
  }

  private func texts(_ records: [Record]) -> [String?] { records.map { $0["text"] } }

  // MARK: Rows

  @Test func rowsAreReadOnDemand() async throws {
    _ = try await container.perform(Self.request, context: container.makeContext())
    _ = store.takeCounts()
    let result = try await hit(container.makeContext())
    #expect(result.records.count == Self.count)
    #expect(store.takeCounts() == [:])
    #expect(texts(result.records) == (1...Self.count).map { "Post \($0)" })
    #expect(store.takeCounts() == [.rowsByID: 3])
  }

  @Test func whatIsDeletedIsLeftOut() async throws {
    let context = container.makeContext()
    let first = try await container.perform(Self.request, context: context)
    let other = container.makeContext()
    // An unsaved deletion does not affect the other context.
    context.delete(first.records[0])
    #expect(try await hit(other).records.count == Self.count)
    #expect(try await hit(context).records.map(\.recordID) == first.records.dropFirst().map(\.recordID))
    #expect(try await hit(context.makeChild()).records.count == Self.count - 1)
    try context.save()
    let result = try await hit(other)
    #expect(texts(result.records) == (2...Self.count).map { "Post \($0)" })
  }

  /// The records show the current values, even if the context or its parent has read older ones. Unsaved changes of the
  /// context remain.
  @Test(arguments: [false, true]) func recordsAreAsTheyAreByNow(inChild: Bool) async throws {
    let (parent, other) = (container.makeContext(), container.makeContext())
    let context = inChild ? parent.makeChild() : parent
    let posts = try await container.perform(Self.request, context: context).records
    #expect(texts(Array(posts[..<3])) == ["Post 1", "Post 2", "Post 3"])
    posts[0]["text"] = "Changed here"
    let others = try await hit(other).records
    for post in others[..<2] { post["text"] = "Changed there" }
    other.delete(others[2])
    try other.save()
    let result = try await hit(context)
    #expect(result.records.count == Self.count - 1 && result.records[0] === posts[0])
    #expect(texts(Array(result.records[..<3])) == ["Changed here", "Changed there", "Post 4"])
    #expect(posts[2].isDeleted)
    #expect(context.unsavedChanges.updated.map(\.id) == [posts[0].recordID])
  }

  /// A cached response does not read values again that a request of the context has populated and that have not changed
  /// since.
  @Test func whatARequestHasBroughtIsReadOnce() async throws {
    let context = container.makeContext()
    _ = texts(try await container.perform(Self.request, context: context).records)
    _ = store.takeCounts()
    #expect(texts(try await hit(context).records).count == Self.count)
    #expect(store.takeCounts() == [:])
  }

  /// A cached response does not read values again that have not changed since the previous one.
  @Test func whatWasReadIsReadOnce() async throws {
    let context = container.makeContext()
    _ = try await container.perform(Self.request, context: context)
    let first = try await hit(context).records
    _ = texts(first)
    _ = store.takeCounts()
    #expect(texts(try await hit(context).records).count == Self.count)
    #expect(store.takeCounts() == [:])
  }

  @Test(arguments: [false, true]) func whatIsKeptAfterADeletionIsThere(isUnchanged: Bool) async throws {
    let context = container.makeContext()
    let extra = try context.insert("Post")
    extra["id"] = "extra"
    try context.save()
    if isUnchanged {
      _ = try await container.perform(RecordRequest<Record>(entity: "Post", urn: "posts"), context: context)
    }
    context.delete(extra)
    try context.save()
    #expect(store.generation.lastDeletion == (isUnchanged ? 3 : 2))
    _ = try await container.perform(Self.request, context: context)
    #expect(store.generation.saves == 3)
    _ = store.takeCounts()
    #expect(try await hit(container.makeContext()).records.count == Self.count)
    #expect(store.takeCounts() == [:])
  }

  @Test func aContextForgetsObjectsThatHaveGone() async throws {
    let context = container.makeContext()
    context.leastRowLimit = 10
    _ = try await container.perform(Self.request, context: context)
    for _ in 0..<3 { _ = try await hit(context).records.count }
    let post = try context.insert("Post")
    _ = try await hit(context)
    #expect(context.objects.count <= Self.count + 1 && !post.isDeleted)
  }

  /// Only the row determines the class of each object here.
  @Test func recordsAreOfTheTypesOfTheirEntities() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Media", primaryKey: "id", attributes: [AttributeDescription("id", .int64)]),
      EntityDescription("Video", parent: "Media"),
    ])
    let server = TestServer { _ in
      ServerResponse(
        .json([["id": 1], ["id": 2, "kind": "video"]]), headers: ["Cache-Control": "max-age=60"])
    }
    let container = try PersistentContainer(
      model: model, recordTypes: [Media.self, Video.self],
      configuration: .init(server: server, cache: RecordCache()))
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    for served in [Served.network, .cache] {
      let result = try await container.request(
        Media.self, urn: "media", options: options, context: container.makeContext())
      #expect(result.served == served)
      #expect(result.records.map { $0 is Video } == [false, true])
    }
  }

  class Media: Record {}
  final class Video: Media {
    override class func represents(_ dictionary: JSONNode) -> Bool? { dictionary["kind"]?.string == "video" }
  }

  // MARK: Bodies

  /// The ways in which an entry can be lost.
  enum Loss: CaseIterable {
    case removed, replaced, cleared, evicted, another
  }

  @Test(arguments: Loss.allCases, [true, false])
  func aBodyStaysWithThoseWhoHaveIt(loss: Loss, inMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let limits = RecordCache.Limits(maximumSize: 1000)
    let cache =
      try inMemory
      ? RecordCache(limits: limits, now: Self.now)
      : RecordCache(url: folder.file(), limits: limits, now: Self.now)
    cache.keep(.test(body: #"{"a":1}"#), for: .test("a"))
    let row = try #require(cache.rows(for: .test("a"), generation: .test).first)
    let body = try #require(cache.body(of: row))
    #expect(cache.body(of: row) === body && body.isElsewhere)
    switch loss {
    case .removed: cache.remove(row)
    case .replaced: cache.keep(.test(body: "[]"), for: .test("a"))
    case .cleared: try cache.removeAll()
    case .evicted: cache.keep(.test(body: String(repeating: " ", count: 800) + "[]"), for: .test("b"))
    case .another:
      cache.keep(.test(body: "[]"), for: .test("b"), generation: StoreGeneration(session: 1, saves: 1))
    }
    #expect(!body.isElsewhere)
    #expect(cache.body(of: row) == nil)
    #expect(body.root?.value == ["a": 1])
    #expect(cache.takeDiagnostics() == [])
  }

  @Test func aBodyIsReadOnDemand() throws {
    cache.keep(.test(body: #"{"a":1}"#), for: .test("a"))
    cache.keep(.test(body: ""), for: .test("b"))
    func body(_ url: String) throws -> ResponseBody {
      let row = try #require(cache.rows(for: .test(url), generation: .test).first)
      return try #require(cache.body(of: row))
    }
    let full = try body("a")
    #expect(full.root?.value == ["a": 1] && !full.isElsewhere)
    let empty = try body("b")
    #expect(empty.root == nil && !empty.isElsewhere)
  }

  /// A body that has been looked up stays readable after the file is replaced, and its entry is not confused with one
  /// in the new file.
  @Test func aBodyOfAFileThatIsMadeAnew() throws {
    let folder = try TemporaryFolder()
    var cache: RecordCache? = try RecordCache(url: folder.file(), now: Self.now)
    for url in ["a", "b"] { cache?.keep(.test(body: #"["\#(url)"]"#), for: .test(url)) }
    cache = nil
    try {
      let connection = try SQLiteConnection(path: folder.file().path, mayCreate: false, listWidth: 1)
      try connection.run("UPDATE entry SET headers = '[' WHERE url = 'b'")
    }()
    let opened = try RecordCache(url: folder.file(), now: Self.now)
    let row = try #require(opened.rows(for: .test("a"), generation: .test).first)
    let body = try #require(opened.body(of: row))
    #expect(opened.rows(for: .test("b"), generation: .test) == [])
    #expect(opened.takeDiagnostics().map(\.code) == [.cacheRebuilt])
    opened.keep(.test(body: "[2]"), for: .test("c"))
    #expect(body.root?.value == ["a"])
    // Another entry has the number of the removed entry.
    #expect(opened.rows(for: .test("c"), generation: .test).map(\.id) == [row.id])
    #expect(opened.body(of: row) == nil)
    opened.freshen(row, CacheEntry.test(headers: ["etag": "a"]).response)
    opened.remove(row)
    #expect(opened.entries(for: .test("c")) == [.test(body: "[2]")])
    #expect(opened.takeDiagnostics() == [])
  }

  @Test func manyBodiesOfWhichFewAreNeeded() throws {
    cache.keep(.test(body: "[]"), for: .test("0"))
    let row = try #require(cache.rows(for: .test("0"), generation: .test).first)
    let held = try #require(cache.body(of: row))
    for number in 1...500 {
      cache.keep(.test(body: "[]"), for: .test("\(number)"))
      let row = try #require(cache.rows(for: .test("\(number)"), generation: .test).first)
      #expect(cache.body(of: row) != nil)
    }
    cache.remove(row)
    #expect(held.root?.value == [])
  }
}
