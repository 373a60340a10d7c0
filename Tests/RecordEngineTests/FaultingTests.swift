import RecordModel
import Testing

@testable import RecordEngine

/// Tests that a large graph is loaded only in part, and in few calls to the store.
@Suite struct FaultingTests {
  private let store: StoreCallCounter
  private let context: ManagedObjectContext

  /// Creates 3,000 posts by 300 users, and a long chain of posts.
  init() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [
          RelationshipDescription("user", to: "User", inverse: "posts"),
          RelationshipDescription("next", to: "Post", inverse: "previous"),
          RelationshipDescription("previous", to: "Post", inverse: "next"),
        ]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [AttributeDescription("id", .int32), AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]),
    ])
    store = StoreCallCounter(MemoryStore(schema: model.schema))
    let coordinator = PersistentStoreCoordinator(model: model, store: store, recordTypes: [])
    let maker = ManagedObjectContext(coordinator: coordinator)
    let users = try (0..<300).map { number in
      let user = try maker.insert("User")
      user["id"] = number
      return user
    }
    var last: Record?
    for number in 0..<3000 {
      let post = try maker.insert("Post")
      post["id"] = number
      post["user"] = users[number % 300]
      last?["next"] = post
      last = post
    }
    try maker.save()
    _ = store.takeCounts()
    context = ManagedObjectContext(coordinator: coordinator)
  }

  private func calls(_ body: () throws -> Void) rethrows -> Int {
    _ = store.takeCounts()
    try body()
    return store.takeCounts().values.reduce(0, +)
  }

  @Test func aFetchFollowsNoRelationship() throws {
    let posts = try context.fetch("Post")
    #expect(posts.count == 3000)
    #expect(context.graph.rowCount == 3000)
  }

  @Test func theTargetsOfManyAreReadTogether() throws {
    let posts = try context.fetch("Post")
    let count = calls {
      #expect(posts.compactMap { ($0["user"] as Record?)?["id"] as Int? } == (0..<3000).map { $0 % 300 })
    }
    #expect(count <= 3)
  }

  @Test func theMembersOfManyAreReadTogether() throws {
    let users = try context.fetch("User")
    let count = calls {
      #expect(users.allSatisfy { ($0["posts"] as [Record]).compactMap { $0["id"] as Int? }.count == 10 })
    }
    // 300 users, read in groups of 100, with 1,000 posts per group.
    #expect(count <= 8)
  }

  @Test func oneOfManyIsReadWithFew() throws {
    let users = try context.fetch("User")
    #expect((users[0]["posts"] as [Record]).count == 10)
    #expect(context.graph.rowCount <= 300 + 1000)
  }

  @Test func whatWasRefreshedIsReadTogether() throws {
    let users = try context.fetch("User")
    context.refreshAllObjects()
    #expect(context.graph.rowCount == 0)
    let count = calls { #expect(users.compactMap { $0["id"] as Int? } == Array(0..<300)) }
    #expect(count == 3)
  }

  @Test func unreferencedRowsAreReleased() throws {
    let changed = try #require(context.fetch(RecordFetchRequest("User", limit: 1)).first)
    let id = changed.recordID
    changed["name"] = "changed"
    context.leastRowLimit = 500
    var most = 0
    for start in stride(from: 0, to: 3000, by: 100) {
      let posts = try context.fetch(
        RecordFetchRequest("Post", predicate: try RecordPredicate("id >= \(start) AND id < \(start + 100)")))
      #expect(posts.map { ($0["user"] as Record?)?["id"] as Int? } == (start..<start + 100).map { $0 % 300 })
      most = max(most, context.graph.rowCount)
    }
    // A fetch that evaluates all rows keeps them until the next step. Few of them remain.
    #expect(most < 500 + 200)
    _ = try context.fetch(RecordFetchRequest("User", limit: 1))
    #expect(context.record(with: id)?["name"] == "changed")
    #expect(context.hasChanges)
  }

  @Test func aLongWayLeavesNoTrace() throws {
    var post = try context.fetch(RecordFetchRequest("Post", limit: 1)).first
    context.reset()
    context.leastRowLimit = 500
    var (count, most) = (0, 0)
    while let current = post {
      post = current["next"]
      count += 1
      most = max(most, context.graph.rowCount)
    }
    #expect(count == 3000)
    #expect(most <= 500 + 2)
  }

  @Test func savingAsksAFewTimes() throws {
    let users = try context.fetch("User")
    for (index, user) in users.enumerated() {
      user["name"] = "\(index)"
      let post: Record? = (user["posts"] as [Record]).first
      post?["user"] = users[(index + 1) % 300]
    }
    let many = try calls { try context.save() }
    #expect(many <= 12)
    for user in users.prefix(20) { context.delete(user) }
    #expect(try calls { try context.save() } <= 12)
  }
}
