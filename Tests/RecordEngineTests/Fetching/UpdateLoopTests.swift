import RecordModel
import Testing

@testable import RecordEngine

/// Tests for tasks that wait for updates while other tasks change the context or save.
@MainActor @Suite("Fetching: waiting for updates", .timeLimit(.minutes(10)))
struct UpdateLoopTests {
  /// A task that iterates over updates, and a stream of what it has received.
  private struct Reader {
    let received: AsyncStream<String>
    let task: Task<Void, any Error>

    @MainActor init(_ updates: ContextUpdates<FetchUpdate<Record>>) {
      let (stream, continuation) = AsyncStream<String>.makeStream()
      received = stream
      task = Task {
        defer { continuation.finish() }
        for try await update in updates { continuation.yield(update.changes.text) }
      }
    }

    /// Returns the changes of the next element; nil after the last one.
    func next() async -> String? { await Self.first(of: received) }

    private nonisolated static func first(of stream: AsyncStream<String>) async -> String? {
      for await text in stream { return text }
      return nil
    }
  }

  @Test(arguments: StoreKind.allCases)
  func wakesForChanges(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 1)
    let readers = try (1...2).map { _ in Reader(try context.updates(of: RecordFetchRequest("Post"))) }
    for reader in readers { #expect(await reader.next() == "+1@0") }
    try world.insert("Post", "2", context)
    for reader in readers { #expect(await reader.next() == "+2@1") }
    // The other sequence continues after one is canceled.
    readers[0].task.cancel()
    try await readers[0].task.value
    #expect(await readers[0].next() == nil)
    try world.insert("Post", "3", context)
    #expect(await readers[1].next() == "+3@2")
    readers[1].task.cancel()
    try await readers[1].task.value
    #expect(context.signals.isEmpty)
  }

  @Test func aCanceledTaskReceivesNothing() async throws {
    let world = try UpdateWorld(.memory)
    let context = try world.context(posts: 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await context.updates(of: RecordFetchRequest("Post")).makeAsyncIterator().nextUpdate() == nil
    }
    #expect(try await task.value)
  }

  /// A task that waits for updates does not keep its context or the store.
  @Test func endsWithItsContext() async throws {
    let folder = try TemporaryFolder()
    let model = try UpdateWorld.model()
    func read() async throws -> (Task<Void, any Error>, ContextUpdates<FetchUpdate<Record>>) {
      let container = try PersistentContainer(model: model, configuration: .init(store: .file(folder.file())))
      let context = container.makeContext()
      try context.insert("Note")["id"] = "a"
      let updates = try context.updates(of: RecordFetchRequest("Note"))
      let child = context.makeChild()
      let reader = Reader(try child.updates(of: RecordFetchRequest("Note")))
      #expect(await reader.next() == "+1@0")
      return (reader.task, updates)
    }
    let (task, updates) = try await read()
    try await task.value
    #expect(try await updates.makeAsyncIterator().nextUpdate() == nil)
    _ = try PersistentContainer(model: model, configuration: .init(store: .file(folder.file())))
  }

  /// Several tasks save at the same time. The changes of all elements together lead to the final result.
  @Test(arguments: StoreKind.allCases)
  func followsConcurrentSaves(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 5)
    let request = RecordFetchRequest(
      "Post", predicate: "text != 'gone'", sortDescriptors: [RecordSortDescriptor("likes")])
    let saves = world.container.saves
    let merging = Task { [weak context] in for await save in saves { context?.merge(save) } }
    let (writers, rounds) = (4, 20)
    let container = world.container
    let writing = Task.detached {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 1...writers {
          group.addTask {
            let context = container.makeContext()
            var random = RandomNumbers(seed: UInt64(writer))
            for round in 1...rounds {
              let post = try context.insert("Post")
              post["id"] = "\(writer).\(round)"
              post["likes"] = Double(random.number(0...100))
              if round > 2 {
                let predicate = try RecordPredicate("id == %@", arguments: .value("\(writer).\(round - 2)"))
                let earlier = try context.fetch(RecordFetchRequest("Post", predicate: predicate)).first
                if random.chance(50) { earlier?["text"] = "gone" } else { earlier?["likes"] = Double(round) }
              }
              try context.save()
              await Task.yield()
            }
            // The last post of each writer is never changed.
            let last = try context.insert("Post")
            last["id"] = "last \(writer)"
            try context.save()
          }
        }
        try await group.waitForAll()
      }
    }
    var list: [RecordID] = []
    for try await update in try context.updates(of: request) {
      list = try update.changes.applied(to: list)
      #expect(list == update.records.map(\.recordID))
      let last = update.records.compactMap { $0["id"] as String? }.filter { $0.hasPrefix("last") }
      if last.count == writers { break }
    }
    try await writing.value
    // The save of a writer that another one has overtaken can still be merged.
    let fresh = try world.container.makeContext().fetch(request).map(\.recordID)
    let updates = try context.updates(of: request).makeAsyncIterator()
    while list != fresh {
      list = try #require(try await updates.nextUpdate()).records.map(\.recordID)
    }
    #expect(try context.fetch(request).map(\.recordID) == fresh)
    merging.cancel()
  }
}
