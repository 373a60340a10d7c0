import Testing

@testable import RecordEngine

/// Tests for the documented loop that merges the saves of other contexts.
@Suite struct SaveObserverTests {
  /// The loop merges the saves of others, and ends when the container is released. Otherwise the store would stay open,
  /// and could not be opened again.
  @MainActor @Test(.timeLimit(.minutes(10))) func theLoopLetsTheContainerGo() async throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectContextTests.model()
    let loop = try await Self.useContainer(model, folder)
    await loop.value
    _ = try PersistentContainer(model: model, configuration: .init(store: .file(folder.file())))
  }

  @MainActor private static func useContainer(
    _ model: ManagedObjectModel, _ folder: TemporaryFolder
  ) async throws -> Task<Void, Never> {
    let container = try PersistentContainer(
      model: model,
      configuration: .init(
        store: .file(folder.file()), server: CannedServer(["a": [["id": "1", "text": "new"]]])))
    let context = container.makeContext()
    let post = try context.insert("Post")
    post["id"] = "1"
    try context.save()

    let saves = container.saves
    let loop = Task { [weak context] in
      for await save in saves { context?.merge(save) }
    }
    _ = try await container.request("Post", urn: "a", context: container.makeContext())
    while post["text"] != "new" { await Task.yield() }
    return loop
  }

  /// All requests that look for orphans at the same time learn which records are new.
  @Test func allCollectorsReceiveNewRecords() throws {
    let container = try PersistentContainer(model: ManagedObjectContextTests.model())
    let context = container.makeContext()
    let entity = try context.coordinator.entity("Post").index
    let collectors = [1, 2].map { _ in context.coordinator.newRecords(of: entity) }
    let post = try context.insert("Post")
    try context.save()
    #expect(collectors.map(\.ids) == [[post.recordID], [post.recordID]])
  }
}
