import Dispatch
import Foundation
import RecordEngine
import Testing

/// Tests for requests whose records the caller saves. Rules: `save.child`, `save.concurrent`, `context.conflict`.
@Suite struct UnsavedResponseTests {
  private static func container(_ bodies: [String: JSONValue]) throws -> PersistentContainer {
    try ManagedObjectContextTests.container(bodies)
  }

  private static let unsaved = {
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    return options
  }()

  private func posts(_ context: ManagedObjectContext) throws -> [Record] {
    try context.fetch(RecordFetchRequest("Post"))
  }

  @Test func recordsAreTheCallersToSave() async throws {
    let container = try Self.container(["a": [["id": "1", "text": "one", "user": "A"], ["id": "2"]]])
    let context = container.makeContext()
    let result = try await container.request(
      "Post", urn: "a", options: Self.unsaved, context: context)
    #expect(result.records.map { $0["id"] } == ["1", "2"])
    #expect((result.records[0]["user"] as Record?)?["id"] == "A")
    #expect(result.changes.inserted.count == 3)
    #expect(context.hasChanges)
    #expect(try posts(container.makeContext()).isEmpty)

    let changes = try context.save()
    #expect(changes.inserted.count == 3)
    #expect(try posts(container.makeContext()).map { $0["text"] } == ["one", nil])
  }

  @Test func rollingBackForgetsThem() async throws {
    let container = try Self.container(["a": [["id": "1", "text": "one"]]])
    let context = container.makeContext()
    _ = try await container.request("Post", urn: "a", options: Self.unsaved, context: context)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(try posts(context).isEmpty)
  }

  @Test func aResponseFindsWhatIsUnsaved() async throws {
    let container = try Self.container([
      "a": [["id": "1", "text": "one", "user": "A"]],
      "b": [["id": "1", "likes": 2], ["id": "3", "likes": 3]],
    ])
    let context = container.makeContext()
    let mine = try context.insert("Post")
    mine["id"] = "3"
    for urn in ["a", "b"] {
      _ = try await container.request(
        "Post", urn: urn, options: Self.unsaved, context: context)
    }
    #expect(try posts(context).count == 2)
    #expect(mine["likes"] == 3)
    try context.save()
    let saved = try posts(container.makeContext())
    #expect(saved.map { $0["id"] } == ["3", "1"])
    #expect(saved.map { $0["likes"] } == [3, 2])
  }

  @Test func requestsAtOnceEndInOneRecord() async throws {
    let container = try Self.container([
      "a": [["id": "1", "text": "one", "user": "A"]], "b": [["id": "1", "likes": 2, "user": "A"]],
    ])
    for _ in 0..<20 {
      try await Self.requestAtOnce(container)
    }
  }

  @MainActor private static func requestAtOnce(_ container: PersistentContainer) async throws {
    let context = container.makeContext()
    let tasks = ["a", "b", "a", "b"].map { urn in
      Task { @MainActor in
        try await container.request("Post", urn: urn, options: unsaved, context: context)
          .records.map(\.recordID)
      }
    }
    var ids: Set<[RecordID]> = []
    for task in tasks { ids.insert(try await task.value) }
    #expect(ids.count == 1)
    let posts = try context.fetch(RecordFetchRequest("Post"))
    #expect(posts.map { $0["text"] } == ["one"])
    #expect(posts.map { $0["likes"] } == [2])
    #expect(try context.fetch(RecordFetchRequest("User")).count == 1)
    context.rollback()
  }

  // MARK: Calls of hooks

  /// A hook that counts the items that it is called for.
  // Unchecked: `count` is accessed only under `lock`.
  private final class CountingHook: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var calls: Int { lock.withLock { count } }

    var options: RequestOptions {
      var options = UnsavedResponseTests.unsaved
      options.prePopulation = { _ in
        self.lock.withLock { self.count += 1 }
        return nil
      }
      return options
    }
  }

  /// Returns a container with forty records at as many addresses.
  private static func manyAnswers() throws -> PersistentContainer {
    try container(
      Dictionary(uniqueKeysWithValues: (0..<40).map { ("\($0)", .array([["id": .string("\($0)")]])) }))
  }

  /// Each response is populated once, and not again when another response arrives.
  @Test func aBatchAsksHooksOnce() async throws {
    let container = try Self.manyAnswers()
    let context = container.makeContext()
    let hook = CountingHook()
    var records = 0
    await container.batch(options: hook.options, context: context) { batch in
      for number in 0..<40 {
        batch.request(RecordRequest(entity: "Post", urn: "\(number)")) { result in
          records += (try? result.get())?.records.count ?? 0
        }
      }
    }
    #expect(records == 40)
    #expect(hook.calls == 40)
    #expect(context.unsavedChanges.inserted.count == 40)
  }

  @MainActor @Test func requestsAtOnceAskHooksOnce() async throws {
    let container = try Self.manyAnswers()
    let context = container.makeContext()
    let hook = CountingHook()
    let tasks = (0..<40).map { number in
      Task { @MainActor in
        // Half of the requests are made in a child, on top of the unsaved changes of its parent.
        let context = number % 2 == 0 ? context : context.makeChild()
        return try await container.request("Post", urn: "\(number)", options: hook.options, context: context)
          .records.count
      }
    }
    for task in tasks { #expect(try await task.value == 1) }
    #expect(hook.calls == 40)
    #expect(context.unsavedChanges.inserted.count == 20)
  }

  /// Responses after a handler of a batch see its changes. They are populated only once.
  @Test func whatAHandlerChangesIsFound() async throws {
    let container = try Self.container(["a": [["id": "1", "likes": 2]], "b": [["id": "2", "likes": 3]]])
    let context = container.makeContext()
    let hook = CountingHook()
    var made: [Record] = []
    await container.batch(options: hook.options, context: context) { batch in
      for (urn, other) in [("a", "2"), ("b", "1")] {
        batch.request(RecordRequest(entity: "Post", urn: urn)) { result in
          guard made.isEmpty, let record = try? context.insert("Post") else { return }
          record["id"] = other
          made.append(record)
        }
      }
    }
    #expect(made.compactMap { $0["likes"] as Int? }.count == 1)
    #expect(hook.calls == 2)
    #expect(try posts(context).count == 2)
  }

  /// The caller inserts a record with the same key while a response is populated.
  @MainActor @Test func whatIsMadeMeanwhileIsFound() async throws {
    let container = try Self.container(["a": [["id": "1", "likes": 2]]])
    let context = container.makeContext()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let isMade = DispatchSemaphore(value: 0)
    var options = Self.unsaved
    options.prePopulation = { _ in
      begin.yield()
      #expect(isMade.wait(timeout: .now() + 60) == .success)
      isMade.signal()
      return nil
    }
    let request = Task { @MainActor [options] in
      try await container.request("Post", urn: "a", options: options, context: context)
        .records.map(\.recordID)
    }
    for await _ in begun { break }
    let mine = try context.insert("Post")
    mine["id"] = "1"
    isMade.signal()
    #expect(try await request.value == [mine.recordID])
    #expect(mine["likes"] == 2)
    #expect(try context.save().inserted == [mine.recordID])
  }

  /// The caller's unsaved properties stay in both modes. The other properties are populated.
  @Test(arguments: [true, false]) func whatAHandHasSetStays(isPersisted: Bool) async throws {
    let container = try Self.container([
      "old": [["id": "1", "text": "old", "likes": 1, "user": "A"], ["id": "2", "user": "A"]],
      "new": [["id": "1", "text": "new", "likes": 2, "user": "C"], ["id": "2", "user": "C"]],
      "friends": [["id": "A", "friends": ["B", "C"]]], "others": [["id": "A", "friends": ["B", "D"]]],
    ])
    let context = container.makeContext()
    let posts = try await container.request("Post", urn: "old", context: context).records
    let user = try await container.request("User", urn: "friends", context: context).records[0]
    posts[0]["text"] = "mine"
    let friends: [Record] = user["friends"]
    posts[0]["user"] = friends[0]
    user.remove(friends[0], from: "friends")

    var options = RequestOptions()
    options.automaticallyPersistsRecords = isPersisted
    _ = try await container.request("Post", urn: "new", options: options, context: context)
    _ = try await container.request("User", urn: "others", options: options, context: context)
    func check(_ context: ManagedObjectContext) throws {
      let posts = try self.posts(context)
      #expect(posts.map { $0["text"] } == ["mine", nil])
      #expect(posts.map { $0["likes"] } == [2, nil])
      #expect(posts.map { ($0["user"] as Record?)?["id"] } == ["B", "C"])
      let user = try ManagedObjectContextTests.record("A", "User", context)
      #expect(ManagedObjectContextTests.names(user["friends"]) == ["C", "D"])
    }
    try check(context)
    try context.save()
    try check(container.makeContext())
  }

  @Test(arguments: [false, true]) func aLaterResponseReplacesAnUnsavedOne(isInChild: Bool) async throws {
    let container = try Self.container([
      "stored": [["id": "1", "text": "stored"]], "first": [["id": "1", "text": "first", "likes": 1]],
      "second": [["id": "1", "text": "second"]],
    ])
    let context = container.makeContext()
    let post = try await container.request("Post", urn: "stored", context: context).records[0]
    _ = try await container.request(
      "Post", urn: "first", options: Self.unsaved, context: context)
    #expect(post["text"] == "first")
    _ = try await container.request(
      "Post", urn: "second", context: isInChild ? context.makeChild() : context)
    #expect(post["text"] == "second")
    #expect(post["likes"] == 1)
    let changes = try context.save()
    #expect(changes.updated.map(\.id) == [post.recordID] && changes.updated.map(\.properties) == [["likes"]])
  }

  /// An unsaved response in a child is replaced by the next response that mentions the same properties, even by the
  /// same response. The caller's values in the parent then show again.
  @Test(arguments: ["same", "other"]) func aSavedResponseReplacesAnUnsavedOneInAChild(
    last: String
  ) async throws {
    let container = try Self.container([
      "stored": [["id": "1", "text": "stored", "user": "A"]],
      "unsaved": [["id": "1", "text": "sent", "user": "B"]],
      "same": [["id": "1", "text": "sent", "user": "B"]],
      "other": [["id": "1", "text": "other", "user": "C"]],
    ])
    let parent = container.makeContext()
    let post = try await container.request("Post", urn: "stored", context: parent).records[0]
    post["text"] = "mine"
    post["user"] = nil as Record?
    let child = parent.makeChild()
    let same = try await container.request(
      "Post", urn: "unsaved", options: Self.unsaved, context: child
    ).records[0]
    #expect(same["text"] == "sent" && (same["user"] as Record?)?["id"] == "B")
    _ = try await container.request("Post", urn: last, context: child)
    #expect(same["text"] == "mine" && same["user"] as Record? == nil)
    #expect(child.unsavedChanges.updated.isEmpty)
    // The other response does not mention B.
    #expect(child.unsavedChanges.inserted.count == (last == "same" ? 0 : 1))
    #expect(child.hasChanges == (last == "other"))
  }

  @Test func aDeletedRecordStaysDeleted() async throws {
    let container = try Self.container(["a": [["id": "1", "text": "one"]]])
    let context = container.makeContext()
    let post = try await container.request("Post", urn: "a", context: context).records[0]
    context.delete(post)
    let result = try await container.request("Post", urn: "a", options: Self.unsaved, context: context)
    #expect(post.isDeleted && result.records.isEmpty)
    let changes = try context.save()
    #expect(changes.deleted == [post.recordID] && changes.inserted.isEmpty)
    let again = try await container.request("Post", urn: "a", options: Self.unsaved, context: context)
    #expect(
      again.records.map { $0["id"] } == ["1"] && again.changes.inserted == again.records.map(\.recordID))
  }

  /// The context of a dry run shows the caller's unsaved changes, but cannot save them.
  @Test(arguments: [true, false]) func aDryRunCannotBeSaved(isPersisted: Bool) async throws {
    let container = try Self.container(["a": [["id": "1", "text": "one"]]])
    let context = container.makeContext()
    try context.insert("Post")["id"] = "2"
    var options = RequestOptions()
    options.automaticallyPersistsRecords = isPersisted
    options.isDryRun = true
    let shown = try #require(
      try await container.request("Post", urn: "a", options: options, context: context).records.first)
    #expect(throws: RequestFailure.self) { try shown.context.save() }
    if let parent = shown.context.parent { #expect(throws: RequestFailure.self) { try parent.save() } }
    #expect(try posts(container.makeContext()).isEmpty && context.hasChanges)
    try context.save()
    #expect(try posts(container.makeContext()).map { $0["id"] } == ["2"])
  }

  /// A dry run in a child shows the unsaved changes of the child and of its parent.
  @Test func aDryRunShowsUnsavedChanges() async throws {
    let container = try Self.container([
      "stored": [["id": "1", "user": "A"], ["id": "2"]], "new": [["id": "1", "text": "new"]],
    ])
    let parent = container.makeContext()
    let posts = try await container.request("Post", urn: "stored", context: parent).records
    let child = parent.makeChild()
    let second = try #require(child.record(with: posts[1].recordID))
    let unchanged = parent.makeChild()
    #expect(unchanged.record(with: second.recordID)?["text"] as String? == nil)
    posts[1]["text"] = "mine"
    try ManagedObjectContextTests.record("A", "User", child).add(second, to: "posts")
    var options = RequestOptions()
    options.isDryRun = true
    let shown = try await container.request("Post", urn: "new", options: options, context: child).records[0]
    #expect(shown["text"] == "new")
    #expect(shown.context.record(with: second.recordID)?["text"] == "mine")
    #expect(!child.unsavedChanges.isEmpty && shown.context.unsavedChanges == child.unsavedChanges)
    let other = try await container.request("Post", urn: "new", options: options, context: unchanged)
    #expect(other.records[0].context.record(with: second.recordID)?["text"] == "mine")
  }

  @Test func aChangedEntityAndAnOrderAreUnsavedToo() async throws {
    let container = try Self.container([
      "photo": [["id": "1", "kind": "photo", "width": 640]],
      "video": [["id": "1", "kind": "video", "length": 9]],
      "order": [["id": "A", "posts": ["3", "1", "2"]]],
    ])
    let context = container.makeContext()
    _ = try await container.request("Media", urn: "photo", context: context)
    let video = try await container.request(
      "Media", urn: "video", options: Self.unsaved, context: context
    ).records[0]
    #expect(video.entityName == "Video")
    #expect(video["length"] == 9)
    let user = try await container.request(
      "User", urn: "order", options: Self.unsaved, context: context
    ).records[0]
    #expect(ManagedObjectContextTests.names(user["posts"]) == ["3", "1", "2"])
    #expect(try ManagedObjectContextTests.record("1", "Media", container.makeContext()).entityName == "Photo")
    try context.save()
    let fresh = container.makeContext()
    #expect(try ManagedObjectContextTests.record("1", "Media", fresh).entityName == "Video")
    let saved = try ManagedObjectContextTests.record("A", "User", fresh)
    #expect(ManagedObjectContextTests.names(saved["posts"]) == ["3", "1", "2"])
  }

  /// A saved response adds a link. The unsaved changes of another response do not take it back.
  @Test func aSavedLinkIsShownBesideUnsavedChanges() async throws {
    let container = try Self.container([
      "stored": [["id": "A", "friends": ["B"]], "C"], "unsaved": [["id": "1"]],
      "saved": [["id": "A", "friends": ["B", "C"]]],
    ])
    let context = container.makeContext()
    let user = try await container.request("User", urn: "stored", context: context).records[0]
    _ = try await container.request("Post", urn: "unsaved", options: Self.unsaved, context: context)
    _ = try await container.request("User", urn: "saved", context: context)
    #expect(ManagedObjectContextTests.names(user["friends"]) == ["B", "C"])
    try context.save()
    let saved = try ManagedObjectContextTests.record("A", "User", container.makeContext())
    #expect(ManagedObjectContextTests.names(saved["friends"]) == ["B", "C"])
  }
}
