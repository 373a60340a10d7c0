import Dispatch
import RecordEngine
import Testing

/// Tests for the example programs of the article on requests.
@Suite struct RequestsExampleTests {
  private let server = TestServer(
    paging: .address(at: "next"),
    [
      "feed": [
        "data": [
          ["id": "1", "body": "one", "user": ["id": "7", "name": "Ada"]],
          ["id": "2", "body": "two", "user": "7"],
        ],
        "meta": ["total": 3], "next": "more",
      ],
      "more": ["data": [["id": "3", "body": "three"]]],
      "users": [["id": "7", "name": "Ada"]],
      "users/ada/posts": ["data": [["id": "1", "body": "one"]]],
      "posts": ["data": [["id": "9", "body": "High tide"]]], "posts/9": [:],
      "posts/1": ["data": ["id": "1", "body": "in full"], "id": "1", "body": "bare"],
    ])

  private func container() throws -> PersistentContainer {
    var entities = try blogModel().entities
    entities[0].detailURN = "posts/{id}"
    entities.append(
      EntityDescription("Draft", primaryKey: "id", attributes: [AttributeDescription("id", .string)]))
    return try PersistentContainer(
      model: try ManagedObjectModel(entities: entities), recordTypes: [Post.self, User.self, Draft.self],
      configuration: .init(server: server))
  }

  @Test func requests() async throws {
    let (container, screen) = (try container(), FeedScreen())
    let context = container.makeContext()
    try await openFeed(container, context, screen)
    #expect(screen.posts == ["one", "two"])
    #expect(screen.total == 3)
    try await openProfile(container, context, screen)
    #expect(screen.posts == ["one"])
    #expect(server.requests.last?.domain == "profile")
    leaveProfile(container)
    await tellWhatWentWrong(container, context, screen)
    #expect(screen.posts == ["one", "two"])
    #expect(screen.notes == [])
  }

  @Test func bodies() async throws {
    let (container, screen) = (try container(), FeedScreen())
    let context = container.makeContext()
    try await publish(container, context, screen)
    #expect(screen.posts == ["High tide"])
    #expect(
      server.requests.last?.body == .json(["tags": ["sea", "wind"], "body": "High tide"])
        && server.requests.last?.method == "POST")
    let post = try #require(try context.fetch(RecordFetchRequest("Post")).first as? Post)
    try await withdraw(post, container, context)
    #expect(server.requests.last?.method == "DELETE")
    #expect(try container.makeContext().fetch(RecordFetchRequest("Post")).isEmpty)
  }

  @Test func draftsGetKeys() async throws {
    let container = try container()
    let context = container.makeContext()
    let draft = try context.insert(Post.self)
    draft.text = "High tide"
    try context.save()
    try await upload(container, draft)
    #expect(draft["id"] == "9")
    #expect(server.requests.last?.body == .json(["body": "High tide"]))
    #expect(try container.makeContext().fetch(RecordFetchRequest("Post")).count == 1)
  }

  @Test func failures() async throws {
    let (container, screen) = (try container(), FeedScreen())
    container.register(TestServer { _ in ServerResponse(.bytes([]), status: 503) }, for: Post.self)
    await tellWhatWentWrong(container, container.makeContext(), screen)
    #expect(screen.notes == ["http-status Post: the server answered with status 503"])
    container.register(TestServer([:]), for: Post.self)
    await tellWhatWentWrong(container, container.makeContext(), screen)
    #expect(screen.notes.last == "The server cannot be reached.")
    #expect(try !container.defaultOptions(for: "Draft").automaticallyPersistsRecords)
  }

  @Test func servers() async throws {
    let container = try container()
    try whoAnswers(container, accounts: TestServer(["users": [["id": "9"]]]))
    let context = container.makeContext()
    let users = try await container.request(User.self, urn: "users", context: context).records
    #expect(users.map { $0["id"] } == ["9"])
    await #expect(throws: RequestFailure.self) {
      _ = try await container.request("Draft", urn: "drafts", context: container.makeContext())
    }
  }

  @Test func options() async throws {
    let server = TestServer(["drafts": [["id": "1"]]])
    let container = try container()
    container.register(server, for: Draft.self)
    let context = container.makeContext()
    #expect(try await openDrafts(container, context).count == 1)
    #expect(context.hasChanges)
    #expect(server.requests.map(\.timeout) == [.seconds(5)])
  }

  @Test func severalRequests() async throws {
    let (container, screen) = (try container(), FeedScreen())
    let context = container.makeContext()
    try await readPages(container, context, screen)
    #expect(screen.posts == ["one", "two", "three"])
    await openBoth(container, context, screen)
    #expect(screen.posts == ["one", "two"])
    #expect(screen.notes == ["1 users", "both are here"])
  }

  @Test func whatIsStoredAlready() async throws {
    let (container, screen) = (try container(), FeedScreen())
    let context = container.makeContext()
    try await openAgain(container, context, screen)
    let post = try #require(try context.fetch(Post.self, sortedBy: [RecordSortDescriptor("id")]).first)
    #expect(try await openBarePost(container, post) == "bare")
    #expect(try await openPost(container, post) == "in full")
    #expect(try await whatWouldChange(container, context) == ["0 new, 0 gone", "text: in full → one"])
    #expect(post.text == "in full")
    #expect(try await forgetWhatIsGone(container, context) == 1)
    #expect(try context.fetch(Post.self).map(\.text) == ["one"])
  }

  @Test func aSessionThatHasTimedOut() async throws {
    let container = try container()
    let hasSignedIn = Gate()
    container.register(TestServer { _ in throw SessionTimeout() }, for: User.self)
    signInAgain(container) {
      await hasSignedIn.open()
      return false
    }
    await #expect(throws: SessionTimeout.self) {
      _ = try await container.request(User.self, urn: "users", context: container.makeContext())
    }
    await hasSignedIn.pass()
  }

  @Test func callbacks() async throws {
    let container = try container()
    let queue = DispatchQueue(label: "feed")
    let posts = await withCheckedContinuation { continuation in
      queue.async {
        let screen = FeedScreen()
        startFeed(container, container.makeContext(), screen, queue) {
          continuation.resume(returning: screen.posts)
        }
      }
    }
    #expect(posts == ["one", "two"])
  }
}
