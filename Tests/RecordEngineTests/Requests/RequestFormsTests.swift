import Dispatch
import RecordEngine
import Testing

/// Tests for the other forms of requests. Rules: `request.detail`, `request.fetch-first`, `request.batch`,
/// `request.dry-run`, `request.session-timeout`, `request.changes`, `response.custom-object`.
@Suite struct RequestFormsTests {
  typealias Fixture = RequestFixture

  // MARK: Isolation

  /// An actor with a context. Every handler of its requests is called on the actor.
  private actor Screen {
    let container: PersistentContainer
    let context: ManagedObjectContext
    var ends: [String] = []

    init(_ container: PersistentContainer) {
      self.container = container
      context = container.makeContext()
    }

    private func note(_ end: String) {
      preconditionIsolated()
      ends.append(end)
    }

    func load() async throws -> [String] {
      _ = try await container.perform(
        RecordRequest<Fixture.User>(urn: "a"), fetchFirst: RecordFetchRequest("User"), context: context
      ) { _ in note("stored") }
      for try await _ in container.pages(Fixture.User.self, urn: "a", context: context) { note("page") }
      await container.batch(context: context) { batch in
        batch.request(RecordRequest<Fixture.User>(urn: "a")) { _ in self.note("request") }
        batch.pages(RecordRequest<Fixture.User>(urn: "a")) { _ in
          self.note("page")
          return false
        }
      }
      return ends
    }
  }

  @Test func handlersAreCalledWhereTheContextIs() async throws {
    let server = TestServer(paging: Paging { _ in PageManager() }, ["a": ["id": "1"]])
    let ends = try await Screen(try Fixture.container(server)).load()
    #expect(ends.prefix(2) == ["stored", "page"])
    #expect(ends.dropFirst(2).sorted() == ["page", "request"])
  }

  // MARK: Details

  @Test func detailsAreOfTheRecord() async throws {
    let server = TestServer([
      "posts": ["data": [["id": "ü 1", "user": ["id": "7"]]]],
      "users/7/posts/%C3%BC%201": ["data": ["text": "in full"]],
    ])
    let container = try Fixture.container(server)
    let context = container.makeContext()
    let post = try #require(
      try await container.request(Fixture.Post.self, urn: "posts", context: context).records.first)
    let result = try await container.requestDetail(of: post)
    #expect(result.records.first === post)
    #expect(post.text == "in full")
    #expect(result.changes.updated.map(\.properties) == [["text"]])
    #expect(try context.fetch(RecordFetchRequest("Post")).count == 1)
  }

  /// The details of several records are requested at the same time, and each has its own result.
  @Test func aBatchAsksForDetails() async throws {
    let server = TestServer([
      "posts": ["data": [["id": "1", "user": "7"], ["id": "2", "user": "7", "text": "no details"]]],
      "users/7/posts/1": ["data": ["text": "in full"]],
    ])
    let container = try Fixture.container(server)
    let context = container.makeContext()
    let posts = try await container.request(Fixture.Post.self, urn: "posts", context: context).records
    var options = RequestOptions()
    options.domain = "screen"
    var codes: [DiagnosticCode?] = []
    await container.batch(options: options, context: context) { batch in
      for post in posts {
        batch.requestDetail(of: post) { result in
          do {
            #expect(try result.get().records.first === post)
            codes.append(nil)
          } catch {
            codes.append((error as? RequestFailure)?.primary.code)
          }
        }
      }
    }
    #expect(codes == [.undefinedDetailURN, nil])
    #expect(posts.map(\.text) == ["in full", "no details"])
    #expect(server.requests.last?.domain == "screen")
  }

  @Test func detailsOfAnotherRecordAreRefused() async throws {
    let container = try Fixture.container(
      TestServer([
        "posts": ["data": [["id": "1", "user": "7"]]], "users/7/posts/1": ["data": ["id": "2"]],
      ]))
    let context = container.makeContext()
    let post = try await container.request(Fixture.Post.self, urn: "posts", context: context).records[0]
    #expect(await Fixture.code { _ = try await container.requestDetail(of: post) } == .recordMismatch)
    #expect(try container.makeContext().fetch(RecordFetchRequest("Post")).count == 1)
  }

  /// The saved details would become a different record.
  @Test func detailsOfAnUnsavedRecordAreNotAskedFor() async throws {
    let server = TestServer(["posts": ["data": [["id": "1", "text": "in full"]]]])
    let container = try PersistentContainer(
      model: try ManagedObjectModel(entities: [
        EntityDescription(
          "Post", primaryKey: "id", responseKeyPath: "data", detailURN: "posts",
          attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)])
      ]), configuration: .init(server: server))
    let parent = container.makeContext()
    let context = parent.makeChild()
    let post = try context.insert("Post")
    post["id"] = "1"
    func code(_ post: Record, _ options: RequestOptions? = nil) async -> DiagnosticCode? {
      await Fixture.code { _ = try await container.requestDetail(of: post, options: options) }
    }
    #expect(await code(post) == .unsavedRecord)
    try context.save()
    #expect(await code(post) == .unsavedRecord)
    #expect(server.requests.isEmpty)
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    #expect(await code(post, options) == nil)
    #expect(post["text"] == "in full")
    try context.save()
    try parent.save()
    #expect(await code(post) == nil)
  }

  @Test func aRecordWithoutAnAddressIsTold() async throws {
    let server = TestServer(["posts": ["data": [["id": "1"]]], "notes": [["text": "a"]]])
    let container = try Fixture.container(server)
    let context = container.makeContext()
    for entity: EntityName in ["Post", "Note"] {
      let record = try await container.request(
        entity, urn: entity == "Post" ? "posts" : "notes", context: context
      ).records[0]
      #expect(await Fixture.code { _ = try await container.requestDetail(of: record) } == .undefinedDetailURN)
    }
    #expect(server.requests.count == 2)
  }

  // MARK: Fetch first

  @Test func storedRecordsComeFirst() async throws {
    let server = TestServer { request in
      if request.urn == "broken" { return ServerResponse(.bytes([]), status: 500) }
      return ServerResponse(.json([["id": "1", "name": "Ada"]]))
    }
    let container = try Fixture.container(server)
    let context = container.makeContext()
    var answers: [[String?]] = []
    for urn in ["users", "broken", "users"] {
      let code = await Fixture.code {
        let result = try await container.perform(
          RecordRequest<Fixture.User>(urn: urn), fetchFirst: RecordFetchRequest("User"), context: context
        ) { users in answers.append(users.map { $0["name"] }) }
        answers.append(result.records.map { $0["name"] })
      }
      #expect(code == (urn == "broken" ? .httpStatus : nil))
    }
    #expect(answers == [[], ["Ada"], ["Ada"], ["Ada"], ["Ada"]])
  }

  // MARK: Batches

  @Test func aBatchEndsBehindAllThatIsInIt() async throws {
    struct Broken: Error {}
    let server = TestServer { request in
      if request.urn == "broken" { throw Broken() }
      return ServerResponse(.json([["id": .string(request.urn)]]))
    }
    let container = try Fixture.container(server)
    let context = container.makeContext()
    var ends: [String] = []
    await container.batch(context: context) { batch in
      for urn in ["a", "broken", "b"] {
        batch.request(RecordRequest(entity: "User", urn: urn)) { result in
          ends.append((try? result.get())?.records.first?["id"] ?? "failed")
          guard urn == "a" else { return }
          batch.request(RecordRequest(entity: "User", urn: "c")) { _ in ends.append("later") }
        }
      }
      batch.request(RecordRequest(entity: "Usr", urn: "a")) { result in
        #expect(throws: RequestFailure.self) { try result.get() }
        ends.append("unknown")
      }
    }
    #expect(ends.sorted() == ["a", "b", "failed", "later", "unknown"])
    #expect(try context.fetch(RecordFetchRequest("User")).count == 3)
  }

  @Test func aBatchThatIsOverSaysSo() async throws {
    let container = try Fixture.container(TestServer(["a": ["id": "1"]]))
    var kept: RequestBatch?
    await container.batch(context: container.makeContext()) { kept = $0 }
    var failures = 0
    kept?.request(RecordRequest(entity: "User", urn: "a")) { if case .failure = $0 { failures += 1 } }
    #expect(failures == 1)
  }

  @Test func optionsOfABatchAreThoseOfItsRequests() async throws {
    let container = try Fixture.container(TestServer(["a": ["id": "1"], "b": ["id": "2"]]))
    let context = container.makeContext()
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    await container.batch(options: options, context: context) { batch in
      batch.request(RecordRequest(entity: "User", urn: "a")) { _ in }
      batch.request(RecordRequest(entity: "User", urn: "b")) { _ in }
    }
    #expect(context.unsavedChanges.inserted.count == 2)
    _ = try await container.request("User", urn: "a", context: container.makeContext())
    #expect(try container.makeContext().fetch(RecordFetchRequest("User")).count == 1)
  }

  /// Concurrent unsaved responses share their records, so that there is one record per key.
  @Test func unsavedResponsesOfABatchShareRecords() async throws {
    let container = try Fixture.container(
      TestServer { _ in ServerResponse(.json([["id": "1", "user": ["id": "7"]]])) })
    let context = container.makeContext()
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    await container.batch(options: options, context: context) { batch in
      for number in 0..<6 {
        batch.request(RecordRequest<Fixture.Post>(urn: "\(number)")) { result in
          #expect((try? result.get())?.records.count == 1)
        }
      }
    }
    #expect(context.unsavedChanges.inserted.count == 2)
  }

  // MARK: Dry runs

  @Test func aDryRunWritesNothing() async throws {
    let server = TestServer { request in
      ServerResponse(
        .json(
          request.urn == "old"
            ? ["data": [["id": "1", "text": "old"], ["id": "2", "text": "same"]]]
            : ["data": [["id": "1", "text": "new"], ["id": "2", "text": "same"], ["id": "3"]]]))
    }
    let container = try Fixture.container(server)
    let context = container.makeContext()
    _ = try await container.request(Fixture.Post.self, urn: "old", context: context)
    var options = RequestOptions()
    options.isDryRun = true
    let result = try await container.request(
      Fixture.Post.self, urn: "new", options: options, context: context)
    #expect(result.records.map(\.text) == ["new", "same", nil])
    #expect([result.changes.inserted.count, result.changes.unchanged.count] == [1, 1])
    #expect(
      result.changes.updated.map(\.changes) == [
        [PropertyChange(name: "text", values: .attribute(from: .string("old"), to: .string("new")))]
      ])
    #expect(!context.hasChanges)
    for context in [context, container.makeContext()] {
      #expect(try context.fetch(RecordFetchRequest("Post")).map { $0["text"] } == ["old", "same"])
    }
  }

  /// Changes that others have saved, and that the context has not merged, are not changes of the request.
  @Test func aDryRunShowsOtherRecordsAsTheContextHasReadThem() async throws {
    let container = try Fixture.container(
      TestServer([
        "both": ["data": [["id": "1"], ["id": "2", "text": "read"]]], "first": ["data": [["id": "1"]]],
      ]))
    let (context, other) = (container.makeContext(), container.makeContext())
    let posts = try await container.request(Fixture.Post.self, urn: "both", context: context).records
    #expect(posts.map(\.text) == [nil, "read"])
    try #require(other.record(with: posts[1].recordID))["text"] = "saved"
    try other.save()
    var options = RequestOptions()
    for isDryRun in [true, false] {
      options.isDryRun = isDryRun
      let result = try await container.request(
        Fixture.Post.self, urn: "first", options: options, context: context)
      let shown = try #require(result.records.first).context.record(with: posts[1].recordID)
      let text: String? = shown?["text"]
      #expect(text == "read", "dry run: \(isDryRun)")
    }
  }

  @Test func aDryRunFailsWhereASaveWould() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("title", .string, isOptional: false),
          AttributeDescription("text", .string),
        ])
    ])
    let container = try PersistentContainer(
      model: model, configuration: .init(server: TestServer(["a": ["id": "1", "text": "no title"]])))
    var options = RequestOptions()
    options.isDryRun = true
    let code = await Fixture.code { [options] in
      _ = try await container.request("Post", urn: "a", options: options, context: container.makeContext())
    }
    #expect(code == .saveError)
  }

  // MARK: Sessions

  @Test func aTimedOutSessionIsRestartedOnce() async throws {
    let signedIn = Gate()
    let server = TestServer { request in
      if request.urn == "never" { throw SessionTimeout("sign in") }
      return ServerResponse(.json(["id": "1"]))
    }
    let flaky = TestServer { request in
      if server.requests.count == 0 {
        _ = try? await server.response(to: ServerRequest(urn: "never"))
        throw SessionTimeout()
      }
      return try await server.response(to: request)
    }
    let container = try Fixture.container(flaky)
    let context = container.makeContext()
    await #expect(throws: SessionTimeout("sign in")) {
      let silent = try Fixture.container(server)
      _ = try await silent.request("User", urn: "never", context: silent.makeContext())
    }
    container.registerSessionTimeoutHandler { _, _ in
      await signedIn.open()
      return true
    }
    let again = TestServer { _ in throw SessionTimeout("sign in") }
    try container.register(again, for: "Draft")
    #expect(try await container.request("User", urn: "a", context: context).records.count == 1)
    await #expect(throws: SessionTimeout("sign in")) {
      _ = try await container.request("Draft", urn: "a", context: context)
    }
    #expect(again.requests.count == 2)
    await signedIn.pass()
    container.registerSessionTimeoutHandler(nil)
    await #expect(throws: SessionTimeout("sign in")) {
      _ = try await container.request("Draft", urn: "a", context: context)
    }
    #expect(again.requests.count == 3)
  }

  // MARK: Responses

  @Test func theWholeResponseIsAtHand() async throws {
    let container = try Fixture.container(
      TestServer(["posts": ["data": [], "meta": ["total": 3]], "empty": .null]))
    let context = container.makeContext()
    let result = try await container.request(Fixture.Post.self, urn: "posts", context: context)
    #expect(result.responseObject?["meta"]?["total"]?.value == 3)
    #expect(result.records.isEmpty)
  }
}
