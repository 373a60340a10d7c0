import Testing

@testable import RecordEngine

/// Tests for records that a context has read or left unsaved, and that another context has saved since.
/// Rules: `save.child`, `save.concurrent`, `context.refresh`.
@Suite struct OvertakenRecordTests {
  private static let unsaved = {
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    return options
  }()

  private struct Setting {
    let test: TestStore
    let container: PersistentContainer

    init(_ kind: StoreKind, _ bodies: [String: JSONValue]) throws {
      let model = try ManagedObjectContextTests.model()
      test = try TestStore(kind, model.schema)
      container = PersistentContainer(
        model: model, store: test.store, recordTypes: [ManagedObjectContextTests.Media.self],
        configuration: .init(server: CannedServer(bodies)))
    }

    func request(
      _ entity: EntityName, _ urn: String, _ context: ManagedObjectContext, isSaved: Bool = true
    ) async throws -> [Record] {
      try await container.request(
        entity, urn: urn, options: isSaved ? RequestOptions() : unsaved, context: context
      ).records
    }
  }

  @Test(arguments: StoreKind.allCases) func anUnsavedRecordBecomesTheSavedOne(kind: StoreKind) async throws {
    let setting = try Setting(
      kind, ["old": [["id": "1", "text": "old", "likes": 1]], "new": [["id": "1", "text": "new"]]])
    let context = setting.container.makeContext()
    let first = try #require(try await setting.request("Post", "old", context, isSaved: false).first)
    let id = first.recordID
    let second = try #require(try await setting.request("Post", "new", context).first)
    // The existing object becomes the saved record.
    #expect(first === second)
    #expect(first.recordID != id)
    #expect(!first.isInserted)
    #expect(context.record(with: id) == nil)
    #expect(first["text"] == "new")
    #expect(first["likes"] == 1)
    #expect(try context.fetch(RecordFetchRequest("Post")).count == 1)
    try context.save()
    let saved = try setting.container.makeContext().fetch(RecordFetchRequest("Post"))
    #expect(saved.map { $0["text"] } == ["new"])
    #expect(saved.map { $0["likes"] } == [1])
  }

  enum Descendant: CaseIterable {
    case child, grandchild
    /// A grandchild that is used after its parent has noticed.
    case grandchildAfterChild
  }

  /// A child's object of the parent's unsaved record becomes the saved record, whatever makes the child notice.
  @Test(
    arguments: [
      "fetch", "read", "refresh", "refresh all", "merge", "edited and fetch", "find", "identifier",
      "edited and unsaved changes",
    ], Descendant.allCases)
  func anObjectOfAChildBecomesTheSavedRecord(noticing: String, descendant: Descendant) async throws {
    let setting = try Setting(
      .memory, ["old": [["id": "1", "text": "old", "likes": 1]], "new": [["id": "1", "text": "new"]]])
    let parent = setting.container.makeContext()
    let middle = parent.makeChild()
    let child = descendant == .child ? middle : middle.makeChild()
    let post = try #require(try await setting.request("Post", "old", parent, isSaved: false).first)
    let seen = try #require(try child.fetch(RecordFetchRequest("Post")).first)
    if noticing.contains("edited") { seen["likes"] = 2 }
    if noticing == "read" { child.refreshAllObjects() }
    var saves = setting.container.saves.makeAsyncIterator()
    _ = try await setting.request("Post", "new", parent)
    let save = try #require(await saves.next())
    if descendant == .grandchildAfterChild { _ = try middle.fetch(RecordFetchRequest("Post")) }
    switch noticing {
    case "read": #expect(!seen.isDeleted)
    case "find": #expect(child.record(with: post.recordID) === seen)
    case "refresh": child.refresh(seen, mergeChanges: true)
    case "refresh all": child.refreshAllObjects()
    case "merge": child.merge(save)
    case "identifier": break
    case "edited and unsaved changes":
      #expect(child.unsavedChanges.updated.map(\.id) == [post.recordID])
    default:
      #expect(
        try child.fetch(RecordFetchRequest("Post")).map(ObjectIdentifier.init) == [ObjectIdentifier(seen)])
    }
    #expect(seen.recordID == post.recordID)
    #expect(seen["text"] == "new")
    #expect(seen["likes"] == (noticing.contains("edited") ? 2 : 1))
    #expect(child.record(with: post.recordID) === seen)
    #expect(child.hasChanges == noticing.contains("edited"))
  }

  /// The link that a child has set belongs to the saved record when its parent saves it.
  @Test(arguments: StoreKind.allCases) func aChildsLinkIsReportedOnTheSavedRecord(kind: StoreKind)
    async throws
  {
    let setting = try Setting(
      kind, ["post": [["id": "1"]], "saved": [["id": "1"], ["id": "2", "user": "A"]]])
    let parent = setting.container.makeContext()
    let post = try #require(try await setting.request("Post", "post", parent, isSaved: false).first)
    let child = parent.makeChild()
    let same = try #require(child.record(with: post.recordID))
    same["user"] = try child.insert("User")
    (same["user"] as Record?)?["id"] = "B"
    let saved = try await setting.request("Post", "saved", setting.container.makeContext())
    try child.save()
    #expect(post.recordID == saved[0].recordID)
    let changes = try parent.save()
    #expect(changes.updated.map(\.id) == [saved[0].recordID])
    #expect(changes.updated.map(\.properties) == [["user"]])
  }

  /// Another context saves the key. This context can then save records that link to it, with a merge or without one.
  @Test(arguments: StoreKind.allCases, [true, false]) func anotherContextSavesTheKey(
    kind: StoreKind, isMerged: Bool
  ) async throws {
    let setting = try Setting(
      kind,
      [
        "posts": [["id": "1", "text": "mine", "user": "A"], ["id": "2", "user": "A"]],
        "user": [["id": "A", "friends": ["B"]]], "post": [["id": "1", "text": "theirs", "user": "C"]],
      ])
    let (a, b) = (setting.container.makeContext(), setting.container.makeContext())
    var saves = setting.container.saves.makeAsyncIterator()
    let posts = try await setting.request("Post", "posts", a, isSaved: false)
    let hand = try a.insert("Post")
    hand["id"] = "3"
    hand["user"] = posts[0]["user"] as Record?
    posts[1]["likes"] = 7
    _ = try await setting.request("User", "user", b)
    _ = try await setting.request("Post", "post", b)
    if isMerged {
      for _ in 0..<2 { if let save = await saves.next() { a.merge(save) } }
      #expect(try a.fetch(RecordFetchRequest("Post")).count == 3)
      #expect(posts[0]["text"] == "theirs")
    }
    try a.save()
    let fresh = setting.container.makeContext()
    let users = try fresh.fetch(RecordFetchRequest("User"))
    #expect(Set(ManagedObjectContextTests.names(users)) == ["A", "B", "C"] && users.count == 3)
    let user = try ManagedObjectContextTests.record("A", "User", fresh)
    #expect(Set(ManagedObjectContextTests.names(user["posts"])) == ["2", "3"])
    #expect(ManagedObjectContextTests.names(user["friends"]) == ["B"])
    let post = try ManagedObjectContextTests.record("1", "Post", fresh)
    #expect(post["text"] == "theirs")
    #expect((post["user"] as Record?)?["id"] == "C")
    #expect(try fresh.fetch(RecordFetchRequest("Post")).count == 3)
  }

  /// If two objects turn out to be the same record, the object of the stored record stays.
  @Test(arguments: StoreKind.allCases) func aSecondObjectIsDeleted(kind: StoreKind) async throws {
    let setting = try Setting(kind, ["a": [["id": "1", "text": "one"]]])
    let (a, b) = (setting.container.makeContext(), setting.container.makeContext())
    let mine = try await setting.request("Post", "a", a, isSaved: false)[0]
    _ = try await setting.request("Post", "a", b)
    // Without a merge, the context shows the stored record and the unsaved one.
    let both = try a.fetch(RecordFetchRequest("Post"))
    #expect(both.count == 2)
    let theirs = try #require(both.first { $0 !== mine })
    #expect(try await setting.request("Post", "a", a)[0] === theirs)
    #expect(mine.isDeleted)
    #expect(try a.fetch(RecordFetchRequest("Post")).map(\.recordID) == [theirs.recordID])
    #expect(!a.hasChanges)
  }

  /// A child's edits apply to the record after it becomes a saved record in the parent.
  @Test(arguments: StoreKind.allCases) func aChildFollowsItsParent(kind: StoreKind) async throws {
    let setting = try Setting(kind, ["a": [["id": "1", "user": "A"]], "b": [["id": "1"]]])
    let context = setting.container.makeContext()
    let post = try await setting.request("Post", "a", context, isSaved: false)[0]
    let child = context.makeChild()
    let held = try #require(child.record(with: post.recordID))
    held["text"] = "child"
    _ = try await setting.request("Post", "b", context)
    var options = RequestOptions()
    options.isDryRun = true
    let shown = try await setting.container.request("Post", urn: "b", options: options, context: child)
    #expect(shown.records.map { $0["text"] } == ["child"])
    try child.save()
    #expect(held.recordID == post.recordID)
    #expect(post["text"] == "child")
    try context.save()
    let saved = try setting.container.makeContext().fetch(RecordFetchRequest("Post"))
    #expect(saved.map { $0["text"] } == ["child"])
    #expect(saved.map { ($0["user"] as Record?)?["id"] } == ["A"])
  }

  /// The links that a child's response has set lead to the saved record.
  @Test(arguments: StoreKind.allCases) func linksOfAChildsResponseFollowTheParent(kind: StoreKind)
    async throws
  {
    let setting = try Setting(kind, ["user": [["id": "B"]], "links": [["id": "A", "friends": ["B"]]]])
    let parent = setting.container.makeContext()
    let friend = try await setting.request("User", "user", parent, isSaved: false)[0]
    let child = parent.makeChild()
    let user = try await setting.request("User", "links", child, isSaved: false)[0]
    _ = try await setting.request("User", "user", parent)
    #expect((user["friends"] as [Record]).map(\.recordID) == [friend.recordID])
    try child.save()
    try parent.save()
    let saved = try ManagedObjectContextTests.record("A", "User", setting.container.makeContext())
    #expect((saved["friends"] as [Record]).map { $0["id"] } == ["B"])
  }

  /// A record that the caller has deleted stays deleted. A saved response finds an unsaved record by its former key, as it
  /// would find it in the store, and the record keeps the key that the caller has set.
  @Test(arguments: StoreKind.allCases) func whatAHandHasDoneIsNotUndone(kind: StoreKind) async throws {
    let setting = try Setting(
      kind, ["a": [["id": "1", "text": "a"], ["id": "2", "text": "a"]], "b": [["id": "1"], ["id": "2"]]])
    let context = setting.container.makeContext()
    let posts = try await setting.request("Post", "a", context, isSaved: false)
    context.delete(posts[0])
    posts[1]["id"] = "3"
    let saved = try await setting.request("Post", "b", context)
    #expect(ManagedObjectContextTests.names(saved) == ["3"])
    #expect(posts[0].isDeleted)
    try context.save()
    let fresh = try setting.container.makeContext().fetch(RecordFetchRequest("Post"))
    #expect(ManagedObjectContextTests.names(fresh) == ["3"])
  }

  /// The deletion does not apply to a record that another context has saved with the same key, because the caller has
  /// never seen it.
  @Test(arguments: StoreKind.allCases, [true, false]) func aDeletionIsNoDeletionOfAnothersRecord(
    kind: StoreKind, isSaved: Bool
  ) async throws {
    let setting = try Setting(kind, ["a": [["id": "1", "text": "a"]], "b": [["id": "2"]]])
    let (context, other) = (setting.container.makeContext(), setting.container.makeContext())
    context.delete(try await setting.request("Post", "a", context, isSaved: false)[0])
    _ = try await setting.request("Post", "a", other)
    _ = try await setting.request("Post", "b", context, isSaved: isSaved)
    try context.save()
    let saved = try setting.container.makeContext().fetch(RecordFetchRequest("Post"))
    #expect(Set(ManagedObjectContextTests.names(saved)) == ["1", "2"])
  }

  /// There is one lookup for each key scope, regardless of the number of records that were saved in the meantime.
  @Test func keysAreLookedUpInOneGo() async throws {
    let model = try ManagedObjectContextTests.model()
    let store = StoreCallCounter(MemoryStore(schema: model.schema))
    let body = JSONValue.array((0..<50).map { ["id": .string("\($0)"), "user": .string("\($0 % 7)")] })
    let container = PersistentContainer(
      model: model, store: store, configuration: .init(server: CannedServer(["a": body])))
    let (a, b) = (container.makeContext(), container.makeContext())
    _ = try await container.request("Post", urn: "a", options: Self.unsaved, context: a)
    _ = try await container.request("Post", urn: "a", context: b)
    _ = store.takeCounts()
    #expect(try a.save().inserted.isEmpty)
    #expect(store.takeCounts()[.rowsByKey] == 2)
  }

  /// A request returns the values of its response, even if its save changes nothing. Rule: `context.refresh`.
  @Test(arguments: StoreKind.allCases, [true, false]) func whatAnotherContextHasSavedIsShown(
    kind: StoreKind, isSaved: Bool
  ) async throws {
    let setting = try Setting(
      kind,
      [
        "old": [["id": "1", "text": "old", "user": "A"], ["id": "2", "text": "old"]],
        "new": [
          ["id": "1", "text": "new", "user": ["id": "A", "friends": ["B"]]], ["id": "2", "text": "new"],
        ],
      ])
    let (a, b) = (setting.container.makeContext(), setting.container.makeContext())
    let held = try await setting.request("Post", "old", a)
    #expect(held.map { $0["text"] } == ["old", "old"])
    let user = try #require(held[0]["user"] as Record?)
    #expect((user["friends"] as [Record]).isEmpty)
    held[1]["text"] = "mine"
    _ = try await setting.request("Post", "new", b)
    let answer = try await setting.request("Post", "new", a, isSaved: isSaved)
    #expect(answer.map { $0["text"] } == ["new", "mine"])
    #expect(ManagedObjectContextTests.names(user["friends"]) == ["B"])
  }

  /// A record that a parent has deleted unsaved does not become the saved one when a child saves to the parent.
  @Test(arguments: StoreKind.allCases) func aChildsSaveDeletesNoRecordOfAnother(kind: StoreKind) async throws
  {
    let setting = try Setting(kind, ["a": [["id": "1"]]])
    let (parent, other) = (setting.container.makeContext(), setting.container.makeContext())
    parent.delete(try await setting.request("Post", "a", parent, isSaved: false)[0])
    _ = try await setting.request("Post", "a", other)
    let child = parent.makeChild()
    try child.insert("Post")["id"] = "2"
    try child.save()
    try parent.save()
    let saved = try setting.container.makeContext().fetch(RecordFetchRequest("Post"))
    #expect(Set(ManagedObjectContextTests.names(saved)) == ["1", "2"])
  }

  /// An object that is deleted because another object is the same record stays deleted after that one is released.
  @Test(arguments: StoreKind.allCases) func aSecondObjectStaysDeleted(kind: StoreKind) async throws {
    let setting = try Setting(kind, ["a": [["id": "1"]]])
    let parent = setting.container.makeContext()
    let child = parent.makeChild()
    let unsaved = try await setting.request("Post", "a", parent, isSaved: false)[0].recordID
    let saved = try await setting.request("Post", "a", setting.container.makeContext())[0].recordID
    try child.insert("Post")["id"] = "2"
    let mine = try #require(child.record(with: unsaved))
    var theirs = child.record(with: saved)
    parent.refreshAllObjects()
    child.refreshAllObjects()
    #expect(mine.isDeleted && theirs?.isDeleted == false)
    theirs = nil
    child.refreshAllObjects()
    #expect(mine.isDeleted && child.record(with: saved) !== mine)
  }

  /// If several unsaved records become one saved record, the object of the oldest stays.
  @Test(arguments: StoreKind.allCases) func theOldestObjectStays(kind: StoreKind) async throws {
    let setting = try Setting(kind, ["a": .array((0..<8).map { ["id": .string("\($0)")] })])
    let parent = setting.container.makeContext()
    let child = parent.makeChild()
    let mine = try await setting.request("Post", "a", child, isSaved: false)
    let ids = try await setting.request("Post", "a", parent, isSaved: false).map(\.recordID)
    let later = ids.compactMap { child.record(with: $0) }
    let saved = try await setting.request("Post", "a", setting.container.makeContext())
    parent.refreshAllObjects()
    child.refreshAllObjects()
    #expect(mine.map(\.recordID) == saved.map(\.recordID))
    #expect(later.count == 8 && later.allSatisfy { $0.isDeleted })
  }
}
