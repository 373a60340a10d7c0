import RecordEngine
import Testing

/// Tests that records saved during a request are not orphans of its response. Rules: `orphans.scope`, `orphans.pages`.
@Suite struct SavedMeanwhileTests {
  typealias Fixture = RequestFixture

  private static let orphans = {
    var options = RequestOptions()
    options.orphans = OrphanDeletion()
    return options
  }()

  private static let paging = Paging { page in
    PageManager(nextPage: page.responseObject?["next"]?.string.map { ServerRequest(urn: $0) })
  }

  private static let bodies: [String: JSONValue] = [
    "old": ["data": [["id": "1"], ["id": "2"]]], "new": ["data": [["id": "1"]]],
    "pages": ["data": [["id": "1"]], "next": "last"], "last": ["data": [["id": "3"]]],
    "other": ["data": [["id": "7"]]],
  ]

  private static func container(
    _ kind: StoreKind, _ folder: TemporaryFolder, _ server: TestServer
  ) async throws -> PersistentContainer {
    let model = try Fixture.model()
    let container =
      switch kind {
      case .memory: try PersistentContainer(model: model, configuration: .init(server: server))
      case .sqlite:
        try PersistentContainer(
          model: model, configuration: .init(store: .file(folder.file()), server: server))
      }
    _ = try await container.request("Post", urn: "old", context: container.makeContext())
    return container
  }

  private static func insert(_ id: String, _ context: ManagedObjectContext) throws {
    try context.insert("Post")["id"] = id
  }

  private static func ids(_ container: PersistentContainer) throws -> [String] {
    try container.makeContext().fetch(RecordFetchRequest("Post")).compactMap { $0["id"] }.sorted()
  }

  /// Saves records in another context, in a child through its parent, and by another request.
  private static func saveOthers(
    _ container: PersistentContainer, _ unsaved: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try unsaved.save()
    let context = container.makeContext()
    let child = context.makeChild()
    try insert("8", child)
    try child.save()
    try context.save()
    _ = try await container.request("Post", urn: "other", context: context)
  }

  @Test(arguments: StoreKind.allCases) func whileARequestIsUnderWay(kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let (arrival, gate) = (Gate(), Gate())
    let server = TestServer { request in
      if request.urn == "new" {
        await arrival.open()
        await gate.pass()
      }
      return ServerResponse(.json(Self.bodies[request.urn] ?? .null))
    }
    let container = try await Self.container(kind, folder, server)
    // The record gets its id before the request is sent.
    let unsaved = container.makeContext()
    try Self.insert("9", unsaved)
    async let deleted = container.request(
      "Post", urn: "new", options: Self.orphans, context: container.makeContext()
    ).changes.deleted.count
    await arrival.pass()
    try await Self.saveOthers(container, unsaved)
    await gate.open()
    #expect(try await deleted == 1)
    #expect(try Self.ids(container) == ["1", "7", "8", "9"])
    // A later request deletes them.
    let context = container.makeContext()
    let later = try await container.request("Post", urn: "new", options: Self.orphans, context: context)
    #expect(later.changes.deleted.count == 3)
  }

  @Test(arguments: StoreKind.allCases, [true, false])
  func betweenTwoPages(kind: StoreKind, isPersisted: Bool) async throws {
    let folder = try TemporaryFolder()
    let server = TestServer(paging: Self.paging, Self.bodies)
    let container = try await Self.container(kind, folder, server)
    let unsaved = container.makeContext()
    try Self.insert("9", unsaved)
    let context = container.makeContext()
    var options = Self.orphans
    options.automaticallyPersistsRecords = isPersisted
    let pages = container.pages(
      RecordRequest(entity: "Post", urn: "pages", options: options), context: context)
    _ = try await pages.nextPage()
    try await Self.saveOthers(container, unsaved)
    #expect(try await pages.nextPage()?.changes.deleted.count == 1)
    try context.save()
    #expect(try Self.ids(container) == ["1", "3", "7", "8", "9"])
  }

  @Test func betweenTwoPagesOfABatch() async throws {
    let server = TestServer(paging: Self.paging, Self.bodies)
    let container = try await Self.container(.memory, TemporaryFolder(), server)
    let context = container.makeContext()
    await container.batch(options: Self.orphans, context: context) { batch in
      batch.pages(RecordRequest(entity: "Post", urn: "pages")) { result in
        guard (try? result.get())?.pageManager?.nextPage != nil else { return false }
        #expect(throws: Never.self) {
          let other = container.makeContext()
          try Self.insert("8", other)
          try other.save()
        }
        return true
      }
    }
    #expect(try Self.ids(container) == ["1", "3", "8"])
  }
}
