import Testing

@testable import RecordEngine

/// Tests that items at the maximum depth of a document do not exhaust the stack.
@Suite struct PopulationDepthTests {
  @Test func aChainAsDeepAsADocumentMayBe() async throws {
    let depth = 510
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Folder", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [
          RelationshipDescription("parent", to: "Folder", inverse: "children"),
          RelationshipDescription("children", toMany: "Folder", inverse: "parent"),
        ])
    ])
    var body: JSONValue = ["id": .string("\(depth)")]
    for level in (1..<depth).reversed() { body = ["id": .string("\(level)"), "parent": body] }
    let container = try PersistentContainer(
      model: model, configuration: .init(server: CannedServer(["chain": body])))
    let context = container.makeContext()
    let result = try await container.request("Folder", urn: "chain", context: context)
    #expect(result.changes.inserted.count == depth)
    var length = 1
    var folder: Record? = result.records.first
    while let parent: Record = folder?["parent"] {
      folder = parent
      length += 1
    }
    #expect(length == depth)
  }

  /// If a thread cannot be created, the call returns instead of waiting forever.
  @Test(.timeLimit(.minutes(10))) func aThreadThatCannotBeMadeIsTold() async {
    for size in [1, 1 << 60] {
      #expect(await DeepStack.run(stackSize: size) { 7 } == nil)
    }
    #expect(await DeepStack.run { 7 } == .success(7))
    final class Token: Sendable {}
    weak var released: Token?
    do {
      let token = Token()
      released = token
      _ = await DeepStack.run(stackSize: 1) { _ = token }
    }
    #expect(released == nil)
  }
}
