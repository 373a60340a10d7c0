import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for fetch requests of callers on every kind of store.
@Suite("Fetching: contexts")
struct ContextFetchTests {
  @Test(arguments: StoreKind.allCases)
  func sortsAndPages(kind: StoreKind) throws {
    let context = try FetchWorld(kind).context()
    func ids(_ sort: [RecordSortDescriptor], offset: Int = 0, limit: Int? = nil) throws -> String {
      let request = RecordFetchRequest("Post", sortDescriptors: sort, offset: offset, limit: limit)
      return try FetchWorld.ids(context.fetch(request))
    }
    // Nil sorts first. Equal values are sorted by age, oldest first.
    #expect(try ids([RecordSortDescriptor("likes")]) == "6 4 3 1 5 2")
    #expect(try ids([RecordSortDescriptor("likes", isAscending: false)]) == "2 1 5 3 4 6")
    // SQLite stores decimals as texts, but they are sorted by their numeric value.
    #expect(try ids([RecordSortDescriptor("price")]) == "6 4 1 5 2 3")
    #expect(try ids([RecordSortDescriptor("text")]) == "6 1 4 3 2 5")
    #expect(try ids([RecordSortDescriptor("user.name")]) == "4 5 6 1 2 3")
    let both = [RecordSortDescriptor("user.name", isAscending: false), RecordSortDescriptor("price")]
    #expect(try ids(both) == "3 1 2 6 4 5")
    #expect(try ids(both, offset: 1, limit: 3) == "1 2 6")
    #expect(try ids([], offset: 4) == "5 6")
    #expect(try ids([], limit: 0) == "")
    #expect(try ids([], offset: -1, limit: -1) == "")
    #expect(try ids([], offset: 9) == "")
    #expect(try ids([RecordSortDescriptor("user.boss.name"), RecordSortDescriptor("id")], limit: 2) == "1 2")
    #expect(try ids([RecordSortDescriptor("extra")]) == "6 2 3 5 4 1")
    // Objects are sorted by their canonical JSON, whose keys are sorted.
    let posts = try context.fetch(RecordFetchRequest("Post"))
    posts[0].setValue(.json(["b": 1, "a": 2]), of: "extra")
    posts[1].setValue(.json(["a": 9]), of: "extra")
    try context.save()
    #expect(try ids([RecordSortDescriptor("extra")]) == "6 3 5 4 1 2")
  }

  /// The engine evaluates part of this predicate, and counts the page among the records that match all of it.
  @Test(arguments: StoreKind.allCases)
  func pagesOfAPredicateThatSQLCannotEvaluate(kind: StoreKind) throws {
    let context = try FetchWorld(kind).context()
    let request = RecordFetchRequest("Media", predicate: "size != nil", offset: 1, limit: 1)
    #expect(try FetchWorld.ids(context.fetch(request)) == "v")
    #expect(try context.count(for: request) == 1)
  }

  /// The attribute of another entity determines how the values are stored.
  @Test(arguments: StoreKind.allCases)
  func sortsByARelatedDecimal(kind: StoreKind) throws {
    let context = try FetchWorld(kind).context()
    let two = try context.fetch(RecordFetchRequest("Post", predicate: "id == '2'"))
    for video in try context.fetch(RecordFetchRequest("Video", predicate: "id == 'w'")) {
      video["post"] = two.first
    }
    try context.save()
    let request = RecordFetchRequest("Video", sortDescriptors: [RecordSortDescriptor("post.price")])
    #expect(try FetchWorld.ids(context.fetch(request)) == "v w")
  }

  @Test(arguments: StoreKind.allCases)
  func countsAndTellsValues(kind: StoreKind) throws {
    let context = try FetchWorld(kind).context()
    func count(_ predicate: RecordPredicate, offset: Int = 0, limit: Int? = nil) throws -> Int {
      try context.count(
        for: RecordFetchRequest("Post", predicate: predicate, offset: offset, limit: limit))
    }
    #expect(try count("likes == 7") == 2)
    #expect(try count("ANY tags.text == 'Linux'") == 3)
    #expect(try count("likes != nil", offset: 1, limit: 3) == 3)
    #expect(try count("likes == 7", offset: 1) == 1)
    #expect(try count("tags == nil") == 0)

    for context in [context, context.makeChild()] {
      #expect(try context.distinctValues(of: "likes", in: "Post") == [-3, 0, 7, 10].map { .integer($0) })
    }
    #expect(
      try context.distinctValues(of: "likes", in: "Post", where: "price < 10") == [.integer(-3), .integer(7)])
    #expect(try context.distinctValues(of: "price", in: "Post").count == 4)
    #expect(try context.distinctValues(of: "isDraft", in: "Post") == [.boolean(false), .boolean(true)])
    #expect(try context.distinctValues(of: "id", in: "Media", where: "size == 5") == [.string("p")])

    let post = try #require(try context.fetch(RecordFetchRequest("Post", predicate: "id == '6'")).first)
    post["likes"] = 11
    #expect(try count("likes != nil") == 6)
    #expect(try context.distinctValues(of: "likes", in: "Post").last == .integer(11))
  }

  @Test(arguments: StoreKind.allCases)
  func givesRecordsOfTheirType(kind: StoreKind) throws {
    final class Post: Record {}
    let model = try FetchWorld.model()
    let store = try TestStore(kind, model.schema)
    let coordinator = PersistentStoreCoordinator(model: model, store: store.store, recordTypes: [Post.self])
    let context = ManagedObjectContext(coordinator: coordinator)
    try FetchWorld.fill(context)
    let unsaved: [Post] = try context.fetch(
      Post.self, where: "text CONTAINS[c] 'hello'", sortedBy: [RecordSortDescriptor("id", isAscending: false)]
    )
    #expect(FetchWorld.ids(unsaved) == "2 1")
    try context.save()
    #expect(FetchWorld.ids(try context.fetch(Post.self, where: "likes == 7", offset: 1, limit: 1)) == "5")
    #expect(FetchWorld.ids(try context.fetch(Post.self)) == "1 2 3 4 5 6")
    final class Stranger: Record {}
    let failure = #expect(throws: RequestFailure.self) { try context.fetch(Stranger.self) }
    #expect(failure?.primary.code == .invalidEntity)
  }

  @Test(arguments: StoreKind.allCases)
  func unsavedChangesMoveRecordsIntoAndOutOfTheAnswer(kind: StoreKind) throws {
    let context = try FetchWorld(kind).context()
    let posts = try context.fetch(RecordFetchRequest("Post"))
    posts[1]["likes"] = 0
    context.delete(posts[0])
    let new = try context.insert("Post")
    new["id"] = "7"
    new["likes"] = 7
    #expect(try FetchWorld.ids("Post", "likes == 7", in: context) == "5 7")
    #expect(try FetchWorld.ids("Post", "likes == 0", in: context) == "2 3")
    #expect(try FetchWorld.ids("Post", "ANY tags.text == 'swift'", in: context) == "")
    #expect(try FetchWorld.ids("Tag", "posts.@count > 1", in: context) == "y")
    #expect(try FetchWorld.ids("Post", "user.name == 'Ada'", in: context) == "2")
    let sorted = RecordFetchRequest(
      "Post", sortDescriptors: [RecordSortDescriptor("likes")], offset: 1, limit: 3)
    #expect(FetchWorld.ids(try context.fetch(sorted)) == "4 2 3")
    let ada = try #require(try context.fetch(RecordFetchRequest("User", predicate: "id == 'a'")).first)
    ada["name"] = "Grace"
    #expect(try FetchWorld.ids("Post", "user.name == 'Ada'", in: context) == "")
    #expect(try FetchWorld.ids("Post", "user.name == 'Grace'", in: context) == "2")
    new["user"] = ada
    #expect(try FetchWorld.ids("Post", "user.name == 'Grace'", in: context) == "2 7")
    #expect(try FetchWorld.ids("User", "posts.@count == 2", in: context) == "a")
  }

  @Test(arguments: StoreKind.allCases)
  func unsavedChangesBeforeAPage(kind: StoreKind) throws {
    let context = try FetchWorld(kind).context()
    let first = try #require(try context.fetch(RecordFetchRequest("Post", predicate: "id == '1'")).first)
    first["text"] = "changed"
    func ids(offset: Int, limit: Int) throws -> String {
      try FetchWorld.ids(context.fetch(RecordFetchRequest("Post", offset: offset, limit: limit)))
    }
    #expect(try ids(offset: 3, limit: 2) == "4 5")
    #expect(try ids(offset: 1, limit: .max) == "2 3 4 5 6")
  }

  /// No record of the entity has changed itself.
  @Test(arguments: StoreKind.allCases)
  func unsavedChangesOfRelatedRecordsAreCounted(kind: StoreKind) throws {
    let context = try FetchWorld(kind).context()
    func count(_ predicate: RecordPredicate) throws -> Int {
      try context.count(for: RecordFetchRequest("Post", predicate: predicate))
    }
    let ada = try #require(try context.fetch(RecordFetchRequest("User", predicate: "id == 'a'")).first)
    ada["name"] = "Grace"
    #expect(try count("user.name == 'Grace'") == 2)
    context.rollback()
    let six = try #require(try context.fetch(RecordFetchRequest("Post", predicate: "id == '6'")).first)
    let tag = try #require(try context.fetch(RecordFetchRequest("Tag", predicate: "id == 'y'")).first)
    #expect(try count("ANY tags.text == 'Linux'") == 3)
    six.add(tag, to: "tags")
    #expect(try count("ANY tags.text == 'Linux'") == 4)
    #expect(try FetchWorld.ids("Post", "ANY tags.text == 'Linux'", in: context).hasSuffix("6"))
  }

  /// If a to-many relationship leads to transformable lists, the elements of the lists count as its values.
  @Test(arguments: StoreKind.allCases)
  func listsWithinMembersAreMembers(kind: StoreKind) throws {
    let world = try FetchWorld(kind)
    let context = world.context()
    let posts = try context.fetch(RecordFetchRequest("Post"))
    posts[4]["user"] = try context.fetch(RecordFetchRequest("User", predicate: "id == 'c'")).first
    try context.save()
    #expect(try FetchWorld.ids("User", "ANY posts.extra == 'two'", in: world.context()) == "c")
    #expect(try FetchWorld.ids("User", "ALL posts.extra IN {1, 'two'}", in: world.context()) == "c")
  }

  @Test func onlyTheAnswerIsLoaded() throws {
    let world = try FetchWorld(.sqlite)
    let context = world.context()
    _ = try context.fetch(RecordFetchRequest("Post", predicate: "likes == 7 AND ANY tags.text == 'Linux'"))
    #expect(context.graph.rowCount == 1)
    _ = try context.count(for: RecordFetchRequest("Post"))
    _ = try context.distinctValues(of: "text", in: "Post")
    #expect(context.graph.rowCount == 1)
  }

  // MARK: SQL

  static let plans: [(entity: EntityName, predicate: RecordPredicate, plan: String)] = [
    ("Post", "id == '3'", #"SEARCH t USING INDEX Post.Post$key (id=?)"#),
    ("Post", "id IN {'1', '2'} AND likes > 3", #"SEARCH t USING INDEX Post.Post$key (id=?)"#),
    ("Post", "'3' == id AND extra == 'plain'", #"SEARCH t USING INDEX Post.Post$key (id=?)"#),
    ("Photo", "id == 'p' AND size == 5", #"SEARCH t USING INDEX Media.Media$key (id=?)"#),
    ("Media", "id == 'p' AND size == 5", #"SEARCH t USING INDEX Media.Media$key (id=?)"#),
    ("Post", "likes == 7", "SCAN t"),
  ]

  /// A comparison with a key uses its index, even if the engine evaluates the rest of the predicate.
  @Test(arguments: plans)
  func keysUseTheirIndex(entity: EntityName, predicate: RecordPredicate, plan: String) throws {
    let world = try FetchWorld(.sqlite)
    let store = try #require(world.store.store as? SQLiteStore)
    let fetch = try world.coordinator.fetch(RecordFetchRequest(entity, predicate: predicate))
    let steps = try store.plan(of: fetch).split(separator: "\n")
    #expect(steps.first.map(String.init) == plan)
  }

  /// Members are found by the index of their owner, and to-one values by their primary key.
  @Test func relationshipsUseTheirIndexes() throws {
    let world = try FetchWorld(.sqlite)
    let store = try #require(world.store.store as? SQLiteStore)
    for predicate: RecordPredicate in [
      "ANY tags.text == 'a'", "user.name == 'a'", "ANY media.width > 3", "tags.@count > 2",
      "likers CONTAINS user",
      "ANY user.posts.likes > 3", "media.@count == 1",
    ] {
      let fetch = try world.coordinator.fetch(RecordFetchRequest("Post", predicate: predicate))
      #expect(store.sql(for: fetch).isWhole)
      let scans = try store.plan(of: fetch).split(separator: "\n").filter { $0.contains("SCAN") }
      #expect(scans == ["SCAN t"], "\(predicate)")
    }
  }

  /// An `IN` list of any length is evaluated in one statement.
  @Test(arguments: StoreKind.allCases)
  func longListsAreAsked(kind: StoreKind) throws {
    let context = try FetchWorld(kind).context()
    let ids = (0..<5_000).map { "'x\($0)'" } + ["'2'", "nil", "'5'"]
    let numbers = (100..<5_000).map(String.init) + ["7.0"]
    let folded = (0..<500).map { "'x\($0)'" } + ["'HELLO'"]
    #expect(try FetchWorld.ids("Post", "id IN {\(ids.joined(separator: ", "))}", in: context) == "2 5")
    #expect(try FetchWorld.ids("Post", "likes IN {\(numbers.joined(separator: ", "))}", in: context) == "1 5")
    #expect(try FetchWorld.ids("Post", "text IN[c] {\(folded.joined(separator: ", "))}", in: context) == "1")
    let parts = (0..<1_500).map { "likes == \($0 + 11)" } + ["likes == 10"]
    #expect(try FetchWorld.ids("Post", parts.joined(separator: " OR "), in: context) == "2")
    let conditions = (0..<1_500).map { "likes != \($0 + 11)" } + ["likes == 10"]
    #expect(try FetchWorld.ids("Post", conditions.joined(separator: " AND "), in: context) == "2")
    let paths = (0..<150).map { _ in "text" } + ["'7'"]
    #expect(
      try FetchWorld.ids("Post", "'7' IN {\(paths.joined(separator: ", "))}", in: context) == "1 2 3 4 5 6")
  }

  // MARK: Errors

  static let mistakes: [(request: RecordFetchRequest, message: String)] = [
    (RecordFetchRequest("Pots"), "unknown entity 'Pots'; did you mean 'Post'?"),
    (
      RecordFetchRequest("Post", predicate: "likes > 3 AND txet == 'a'"),
      "'Post' has no property 'txet'; did you mean 'text'?\n  likes > 3 AND txet == 'a'\n                ^^^^"
    ),
    (
      RecordFetchRequest("Post", predicate: "ANY user.posts.lkes == 1"),
      "'Post' has no property 'lkes'; did you mean 'likes'?\n  ANY user.posts.lkes == 1\n      ^^^^^^^^^^^^^^^"
    ),
    (
      RecordFetchRequest("Post", predicate: "text =="),
      "invalid predicate: missing operand after '=='\n  text ==\n       ^^"
    ),
    (
      RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("dte")]),
      "'Post' has no property 'dte'; did you mean 'date'?"
    ),
    (
      RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("tags.text")]),
      "'tags' of 'Post' is a to-many relationship, and records are sorted by a single value"
    ),
    (
      RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("user")]),
      "'user' of 'Post' is a relationship, not an attribute"
    ),
    (
      RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("text.length")]),
      "'text' of 'Post' is an attribute, and a key path cannot continue after one"
    ),
  ]

  @Test(arguments: mistakes)
  func mistakesAreTold(request: RecordFetchRequest, message: String) throws {
    let context = try FetchWorld(.memory).context()
    let failure = #expect(throws: RequestFailure.self) { try context.fetch(request) }
    #expect(failure?.primary.message == message)
    #expect(throws: RequestFailure.self) { try context.count(for: request) }
  }

  @Test func onlyAttributesHaveValues() throws {
    let context = try FetchWorld(.memory).context()
    let failure = #expect(throws: RequestFailure.self) { try context.distinctValues(of: "tags", in: "Post") }
    #expect(failure?.primary.message == "'tags' of 'Post' is a relationship, not an attribute")
  }

  /// Each part of a sort key is a property of the records that the parts before it lead to.
  @Test(arguments: [
    ("usr.name", "'Post' has no property 'usr'; did you mean 'user'?"),
    ("user..name", "'User' has no property ''"),
    ("text.", "'text' of 'Post' is an attribute, and a key path cannot continue after one"),
  ]) func sortKeysThatDoNotExist(key: String, message: String) throws {
    let context = try UpdateWorld(.memory).container.makeContext()
    let request = RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor(key)])
    let failure = #expect(throws: RequestFailure.self) { try context.fetch(request) }
    #expect(failure?.primary.message == message)
  }
}
