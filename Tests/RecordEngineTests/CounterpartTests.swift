import Foundation
import RecordEngine
import Testing

/// Tests for the records that a saved response returns if unsaved responses have changed keys. Rule: `tweaks.key`.
@Suite struct CounterpartTests {
  /// The context of the request, and its unsaved responses.
  enum Setting: CaseIterable {
    case root, child, childWithResponse
  }

  private let (server, folder): (NextResponse, TemporaryFolder)
  private let container: PersistentContainer

  init() throws {
    (server, folder) = (NextResponse(), try TemporaryFolder())
    let attributes = ["id", "guid", "text"].map { AttributeDescription(PropertyName($0), .string) }
    let tweaks = folder.file("tweaks.json")
    try Data("{}".utf8).write(to: tweaks)
    container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription("Post", primaryKey: "id", attributes: attributes)
      ]), configuration: .init(server: server, tweaks: tweaks))
  }

  /// Saves a post, whose key an unsaved response then changes to `2`.
  private func changeKey(
    _ context: ManagedObjectContext, also others: [JSONValue] = [],
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let post: JSONValue = [["id": "1", "guid": "a", "text": "one"]]
    try await server.request("Post", post, from: container, context, isSaved: true)
    try Data(#"{"Post": {"primaryKey": "guid"}}"#.utf8).write(to: folder.file("tweaks.json"))
    let changed: [JSONValue] = [["guid": "a", "id": "2"]] + others
    try await server.request("Post", .array(changed), from: container, context, isSaved: false)
    try Data("{}".utf8).write(to: folder.file("tweaks.json"))
  }

  /// An unsaved response has set the key of a record, which the store does not find by that key. The saved response of a
  /// second round has nothing to insert.
  @Test(arguments: Setting.allCases) func theRecordOfTheContextIsReturned(_ setting: Setting) async throws {
    func request(
      _ body: JSONValue, _ context: ManagedObjectContext, isSaved: Bool,
      isolation: isolated (any Actor)? = #isolation
    ) async throws -> [String?] {
      try await server.request("Post", body, from: container, context, isSaved: isSaved).records
        .map { $0["text"] }
    }
    let root = container.makeContext()
    try await changeKey(root)
    let context = setting == .root ? root : root.makeChild()
    if setting == .childWithResponse { _ = try await request([["id": "9"]], context, isSaved: false) }
    for text in ["two", "three"] {
      let response: JSONValue = [["id": "2", "text": .string(text)]]
      #expect(try await request(response, context, isSaved: true) == [text])
      #expect(try context.fetch("Post", where: "id == '2'").map { $0["guid"] } == ["a"])
    }
  }

  /// An unsaved response has given the key of one record to another one, and both are in the store.
  @Test func theRecordWithTheKeyIsReturned() async throws {
    let context = container.makeContext()
    try await server.request("Post", [["id": "2", "guid": "b"]], from: container, context, isSaved: true)
    try await changeKey(context, also: [["guid": "b", "id": "3"]])
    let result = try await server.request(
      "Post", [["id": "2", "text": "two"]], from: container, context, isSaved: true)
    #expect(result.records.map { $0["guid"] } == ["a"])
    #expect(result.records.map { $0["text"] } == ["two"])
  }

  /// If the key is discarded while the response is populated, the result has the saved record.
  @Test(.timeLimit(.minutes(10))) @MainActor func theSavedRecordIsReturnedAfterARollback() async throws {
    let context = container.makeContext()
    try await changeKey(context)
    server.set([["id": "2", "text": "two", "deep": Holdup.deepValue]])
    let holdup = Holdup()
    let task = Task { [container] in
      try await container.request("Post", urn: "next", options: holdup.options, context: context)
        .records.map { $0["text"] as String? }
    }
    await holdup.pass()
    context.rollback()
    holdup.letGo()
    #expect(try await task.value == ["two"])
    #expect(try context.fetch("Post").count == 2)
  }
}
