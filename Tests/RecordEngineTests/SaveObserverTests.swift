import Testing

@testable import RecordEngine

/// The loop that merges what others save, as it is documented.
@Suite struct SaveObserverTests {
  /// It shows what others save, and ends with the container: a store that stayed open could not be opened again.
  @MainActor @Test(.timeLimit(.minutes(10))) func theLoopLetsTheContainerGo() async throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectContextTests.model()
    let loop = try await Self.useContainer(model, folder)
    await loop.value
    _ = try PersistentContainer(model: model, storeURL: folder.file())
  }

  @MainActor private static func useContainer(
    _ model: ManagedObjectModel, _ folder: TemporaryFolder
  ) async throws -> Task<Void, Never> {
    let container = try PersistentContainer(
      model: model, storeURL: folder.file(), server: CannedServer(["a": [["id": "1", "text": "new"]]]))
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
}
