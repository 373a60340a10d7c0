import Dispatch
import Foundation
import RecordEngine
import Testing

/// Tests for requests whose records the caller saves. Rules: `save.child`, `save.concurrent`.
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

}
