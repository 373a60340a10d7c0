import Foundation
import RecordEngine
import Testing

/// Tests for the recipes of the cookbook. `CookbookExample` contains the recipe that is a test itself.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct CookbookExampleTests {
  private typealias Example = CookbookExample
  private let example = CookbookExample()
  private let hello: JSONValue = [
    "id": 1, "body": "Hello", "created_at": "2026-05-01T09:30:00Z", "user": ["id": 7, "name": "Ada"],
  ]

  /// Returns a container for posts.
  private func container(_ server: any Server) throws -> PersistentContainer {
    try PersistentContainer(Example.Post.self, Example.User.self, configuration: .init(server: server))
  }

  private func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Requests records of one type from a server that answers with `body`.
  private func records<RecordType: Record>(
    _ type: RecordType.Type, _ others: Record.Type..., body: JSONValue
  ) async throws -> [RecordType] {
    let container = try PersistentContainer(
      recordTypes: [type] + others, configuration: .init(server: CannedServer(["list": body])))
    let result = try await container.request(type, urn: "list", context: container.makeContext())
    #expect(result.diagnostics == [])
    return result.records
  }

  // MARK: Reading JSON

  @Test func itemsAreInAnEnvelope() async throws {
    let products = try await records(
      Example.Product.self,
      body: [
        "result": ["products": [["id": 1, "name": "Tea", "price": ["amount": "4.90", "currency": "EUR"]]]]
      ])
    #expect(products.map(\.name) == ["Tea"])
    #expect(products.first?.price == Decimal(string: "4.90"))
  }

  @Test func nestedObjectsAreRecords() async throws {
    let body: JSONValue = [
      ["id": 1, "title": "Tides", "author": ["id": 7, "name": "Ada"], "statistics": ["views": 120]],
      ["id": 2, "title": "Winds", "author": ["id": 7, "name": "Ada"], "statistics": ["views": 80]],
    ]
    let server = CannedServer(["articles": body])
    let container = try PersistentContainer(
      Example.Article.self, Example.Author.self, Example.Statistics.self,
      configuration: .init(server: server))
    let context = container.makeContext()
    let first = try await container.request(Example.Article.self, urn: "articles", context: context)
    #expect(first.diagnostics == [])
    #expect(first.records.map(\.author?.name) == ["Ada", "Ada"])
    #expect(first.records.map(\.statistics?.views) == [120, 80])
    // The second response finds the author and the statistics of the first one.
    let second = try await container.request(Example.Article.self, urn: "articles", context: context)
    #expect(second.changes.inserted.isEmpty)
    #expect(try context.fetch(Example.Author.self).map(\.articles.count) == [2])
    #expect(try context.fetch(Example.Statistics.self).count == 2)
  }

  @Test func keysAreNumbersOrStrings() async throws {
    let orders = try await records(
      Example.Order.self, Example.Customer.self,
      body: [
        ["id": 41, "customer": ["id": "7", "name": "Ida"]], ["id": "42", "customer_id": 7],
        ["id": "43", "customer_id": "7"],
      ])
    #expect(orders.map(\.id) == [41, 42, 43])
    #expect(orders.map(\.customer?.name) == ["Ida", "Ida", "Ida"])
  }

  @Test func datesHaveSeveralFormats() async throws {
    let events = try await records(
      Example.Event.self,
      body: [
        ["id": 1, "start": "2031-05-01T09:30:00Z", "end": 1_935_394_200_000, "day": "01.05.2031"],
        ["id": 2, "start": "2031/05/01 09:30"],
      ])
    let start = Date(timeIntervalSince1970: 1_935_394_200)
    #expect(events.map(\.start) == [start, start])
    #expect(events.first?.end == start)
    #expect(events.first?.day == ISO8601DateFormatter().date(from: "2031-04-30T22:00:00Z"))
  }

  @Test func keysAreInSnakeCase() async throws {
    let profiles = try await records(
      Example.Profile.self, body: [["id": 7, "display_name": "Ada", "avatar_url": "https://a.test/7.png"]])
    #expect(profiles.map(\.displayName) == ["Ada"])
    #expect(profiles.first?.avatarURL == URL(string: "https://a.test/7.png"))
  }

  // MARK: Lists

  @Test func storedPostsComeFirst() async throws {
    let (arrival, release) = (Gate(), Gate())
    let server = TestServer { [hello] request in
      await arrival.open()
      await release.pass()
      return ServerResponse(.json(["data": [hello]]))
    }
    let container = try container(server)
    let context = container.makeContext()
    let post = try context.insert(Example.Post.self)
    post.id = 1
    post.text = "Stored"
    try context.save()
    let model = Example.PostListModel(container: container)
    let loading = Task { await model.load() }
    await arrival.pass()
    #expect(model.rows == ["Stored"])
    await release.open()
    await loading.value
    #expect(model.rows == ["Hello"])
    #expect(model.problem == nil)
  }

  @Test func refreshingDeletesPosts() async throws {
    let container = try container(CannedServer(["posts": ["data": [hello]]]))
    let context = container.makeContext()
    for id in 1...2 {
      let post = try context.insert(Example.Post.self)
      post.id = id
    }
    try context.save()
    #expect(try await example.refresh(container, context).map(\.id) == [1])
    #expect(try context.fetch(Example.Post.self).map(\.text) == ["Hello"])
    // More than half of the posts would be deleted.
    for id in 2...5 {
      let post = try context.insert(Example.Post.self)
      post.id = id
    }
    try context.save()
    _ = try await example.refresh(container, context)
    #expect(try context.fetch(Example.Post.self).count == 5)
  }

  @Test func scrollingRequestsPages() async throws {
    let container = try container(
      CannedServer([
        "posts": ["data": [["id": 1], ["id": 2]], "next": "posts?page=2"],
        "posts?page=2": ["data": [["id": 3]]],
      ]))
    let list = Example.EndlessList(container: container, context: container.makeContext())
    try await list.rowAppeared(at: 0)
    #expect(list.posts.map(\.id) == [1, 2])
    async let first: Void = list.rowAppeared(at: 0)
    async let second: Void = list.rowAppeared(at: 1)
    _ = try await (first, second)
    #expect(list.posts.map(\.id) == [1, 2, 3])
    try await list.rowAppeared(at: 2)
    #expect(list.posts.map(\.id) == [1, 2, 3])
  }

  @Test func typingCancelsTheFormerSearch() async throws {
    let (arrival, never) = (Gate(), Gate())
    let server = TestServer { request in
      switch request.query["q"] {
      case "h":
        await arrival.open()
        await never.pass()
        return ServerResponse(.json(["data": []]))
      case "he": return ServerResponse(.json(["data": [["id": 1, "body": "Hello"]]]))
      default: return ServerResponse(.bytes([]), status: 503)
      }
    }
    let model = Example.SearchModel(container: try container(server))
    model.textChanged(to: "h")
    let former = try #require(model.search)
    await arrival.pass()
    model.textChanged(to: "he")
    await model.search?.value
    #expect(model.posts.map(\.text) == ["Hello"])
    // The former search ends, although its response never arrives.
    await former.value
    #expect(model.posts.map(\.text) == ["Hello"])
    #expect(model.problem == nil)
    await never.open()
    model.textChanged(to: "hel")
    await model.search?.value
    #expect(model.problem != nil)
  }

  @Test func listsFollowTheirRecords() async throws {
    let container = try container(CannedServer(["posts": ["data": [hello]]]))
    let context = container.makeContext()
    let screen = Example.Screen()
    let observing = Task { try await example.observe(context, screen) }
    _ = try await container.request(Example.Post.self, urn: "posts", context: context)
    while screen.rows.map(\.text) != ["Hello"] { await Task.yield() }
    let post = try context.insert(Example.Post.self)
    post.id = 2
    post.text = "Newer"
    post.createdAt = Date(timeIntervalSince1970: 1_935_394_200)
    try context.save()
    while screen.rows.map(\.text) != ["Newer", "Hello"] { await Task.yield() }
    #expect(screen.rows.first?.id == post.recordID)
    observing.cancel()
    try await observing.value
  }

  // MARK: Changes

  @Test func notesAreStoredAndSent() async throws {
    let isReachable = Flag()
    let server = TestServer { request in
      guard isReachable.value else { throw URLError(.notConnectedToInternet) }
      return ServerResponse(.json(request.method == "POST" ? ["id": 9] : []))
    }
    let container = try PersistentContainer(
      Example.NoteModel.Note.self, configuration: .init(server: server))
    let model = Example.NoteModel(container: container)
    await #expect(throws: URLError.self) { try await model.add("High tide") }
    let note = try #require(try model.unsentNotes().first)
    #expect(note.text == "High tide")
    // With this scope, notes that have not been sent are not orphans.
    isReachable.value = true
    var options = RequestOptions()
    options.orphans = OrphanDeletion(scope: .records("id != nil"))
    _ = try await container.request(
      Example.NoteModel.Note.self, urn: "notes", options: options, context: model.context)
    #expect(!note.isDeleted)
    try await model.send(note)
    #expect(note.id == 9)
    #expect(try model.unsentNotes().isEmpty)
    #expect(server.requests.last?.body == .json(["text": "High tide"]))
    #expect(try container.makeContext().fetch(Example.NoteModel.Note.self).map(\.id) == [9])
  }

  @Test func importsAreMerged() async throws {
    let server = TestServer(
      paging: .address(at: "next"),
      [
        "archive": ["data": [["id": 1, "body": "Imported"]], "next": "archive?page=2"],
        "archive?page=2": ["data": [["id": 2]]],
      ])
    let container = try container(server)
    let context = container.makeContext()
    let post = try context.insert(Example.Post.self)
    post.id = 1
    try context.save()
    example.mergeSaves(of: container, into: context)
    try await Example.ArchiveImporter().run(container)
    while post.text != "Imported" { await Task.yield() }
    #expect(try context.fetch(Example.Post.self).map(\.id) == [1, 2])
  }

  // MARK: Sessions

  @Test func sessionsAreRenewed() async throws {
    let session = Example.Session { "new" }
    let server = TestServer { [hello] _ in
      guard await session.token == "new" else { throw SessionTimeout() }
      return ServerResponse(.json(["data": [hello]]))
    }
    let container = try container(server)
    example.renewSessions(of: container, with: session)
    let context = container.makeContext()
    let posts = try await container.request(Example.Post.self, urn: "posts", context: context).records
    #expect(posts.map(\.text) == ["Hello"])
    #expect(server.requests.count == 2)
  }

  @Test func sessionsThatCannotBeRenewedTimeOut() async throws {
    let session = Example.Session { throw URLError(.userAuthenticationRequired) }
    let container = try container(TestServer { _ in throw SessionTimeout() })
    example.renewSessions(of: container, with: session)
    await #expect(throws: SessionTimeout.self) {
      _ = try await container.request(Example.Post.self, urn: "posts", context: container.makeContext())
    }
  }

  @Test func signingOutDeletesEverything() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = CannedServer(["posts": ["data": [hello]]])
    let id = UUID()
    for _ in 1...2 {
      let account = try Example.Account(id: id, in: folder, server: server)
      let context = try #require(account.container?.makeContext())
      #expect(try context.fetch(Example.Post.self).isEmpty)
      _ = try await account.container?.request(Example.Post.self, urn: "posts", context: context)
      #expect(try context.fetch(Example.Post.self).map(\.text) == ["Hello"])
      try account.signOut()
      #expect(account.container == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  // MARK: Testing

  @Test func previewsReadFiles() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(#"{"data": [{"id": 1, "body": "Hello"}]}"#.utf8).write(
      to: folder.appendingPathComponent("Posts.json"))
    let model = try example.previewModel(files: folder)
    await model.load()
    #expect(model.rows == ["Hello"])
  }
}
