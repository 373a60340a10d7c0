import RecordModel
import Testing

@testable import RecordEngine

/// Tests for several contexts with live queries, each in its own isolation, while other contexts save.
@Suite("Fetching: concurrent updates", .timeLimit(.minutes(10)))
struct ConcurrentUpdatesTests {
  /// The values of the posts in a result, in its order.
  private typealias Values = [String]

  private static func values(_ posts: [Record]) -> Values {
    posts.map { post in
      let user: Record? = post["user"]
      let (id, text, likes) = (post["id"] as String?, post["text"] as String?, post["likes"] as Double?)
      return
        "\(id ?? "") \(text ?? "") \(likes ?? -1) \(user?["id"] as String? ?? "") \(user?["name"] as String? ?? "")"
    }
  }

  private static let requests = [
    UpdateWorld.byLikes,
    RecordFetchRequest("Post", predicate: "likes > 40", sortDescriptors: [RecordSortDescriptor("text")]),
    RecordFetchRequest("Post", predicate: "text == 'even' OR text == 'end'"),
    RecordFetchRequest("Post", predicate: "user.name BEGINSWITH 'b' OR text == 'end'"),
    RecordFetchRequest(
      "Post", sortDescriptors: [RecordSortDescriptor("likes", isAscending: false)], limit: 4),
  ]

  /// A context with one live query for each request.
  private actor Screen {
    private let context: ManagedObjectContext
    private let saves: AsyncStream<SavedChanges>

    init(_ container: PersistentContainer) {
      context = container.makeContext()
      saves = container.saves
    }

    /// Starts a task for each request. It returns the values of the element that contains the final post.
    func observe() throws -> [Task<Values?, any Error>] {
      try requests.map { request in
        let updates = try context.updates(of: request)
        return Task {
          _ = self
          var ids: [RecordID] = []
          for try await update in updates {
            ids = try update.changes.applied(to: ids)
            #expect(ids == update.records.map(\.recordID))
            if update.records.contains(where: { $0["id"] == "end" }) { return values(update.records) }
          }
          return nil
        }
      }
    }

    /// Merges a number of saves, and then inserts the final post, which every request finds.
    func merge(_ count: Int) async throws {
      var merged = 0
      for await save in saves {
        context.merge(save)
        merged += 1
        if merged == count { break }
      }
      try finalPost(context)
    }
  }

  private static func finalPost(_ context: ManagedObjectContext) throws {
    let post = try context.insert("Post")
    post["id"] = "end"
    post["text"] = "end"
    post["likes"] = 1000.0
  }

  /// The last element of each sequence is the result of a new fetch after all saves have been merged.
  @Test(arguments: StoreKind.allCases)
  func lastElementsAgreeWithANewFetch(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let first = try world.context(posts: 8)
    for name in ["a", "b"] { try world.insert("User", name, first)["name"] = name }
    try first.save()
    let container = world.container
    let screens = (1...3).map { _ in Screen(container) }
    var tasks: [[Task<Values?, any Error>]] = []
    for screen in screens { tasks.append(try await screen.observe()) }
    let (writers, rounds) = (3, 25)
    let saves = writers * rounds
    try await withThrowingTaskGroup(of: Void.self) { group in
      for screen in screens { group.addTask { try await screen.merge(saves) } }
      for writer in 1...writers { group.addTask { try await Self.write(rounds, as: writer, container) } }
      try await group.waitForAll()
    }
    let context = container.makeContext()
    try Self.finalPost(context)
    let expected = try Self.requests.map { Self.values(try context.fetch($0)) }
    for screenTasks in tasks {
      for (task, expected) in zip(screenTasks, expected) { #expect(try await task.value == expected) }
    }
  }

  /// Saves a change of a random record in each round.
  private static func write(_ rounds: Int, as writer: Int, _ container: PersistentContainer) async throws {
    let context = container.makeContext()
    var random = RandomNumbers(seed: UInt64(writer))
    for round in 1...rounds {
      // The context shows the saves of the others.
      context.refreshAllObjects()
      let users = try context.fetch(RecordFetchRequest("User"))
      let post = try #require(random.pick(try context.fetch(RecordFetchRequest("Post"))))
      switch random.number(0...4) {
      case 0: try context.insert("Post")["id"] = "\(writer).\(round)"
      case 1: random.pick(users)?["name"] = "\(random.pick(["a", "b"]) ?? "") \(writer).\(round)"
      case 2: post["user"] = random.pick(users)
      case 3: post["text"] = round % 2 == 0 ? "even" : "odd"
      default: break
      }
      // Every round changes the store.
      post["likes"] = Double(writer) / 10 + Double(round * 3)
      try context.save()
      await Task.yield()
    }
  }
}
