import Foundation
import RecordEngine
import Testing

/// Tests for the records that a saved response returns if unsaved responses have changed keys. Rule: `tweaks.key`.
@Suite struct CounterpartTests {
  /// The context of the request, and its unsaved responses.
  enum Setting: CaseIterable {
    case root, child, childWithResponse
  }

  /// An unsaved response has set the key of a record, which the store does not find by that key. The saved response of a
  /// second round has nothing to insert.
  @Test(arguments: Setting.allCases) func theRecordOfTheContextIsReturned(_ setting: Setting) async throws {
    let (server, folder) = (NextResponse(), try TemporaryFolder())
    let tweaks = folder.file("tweaks.json")
    try Data("{}".utf8).write(to: tweaks)
    let attributes = ["id", "guid", "text"].map { AttributeDescription(PropertyName($0), .string) }
    let container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription("Post", primaryKey: "id", attributes: attributes)
      ]), configuration: .init(server: server, tweaks: tweaks))
    func request(
      _ body: JSONValue, _ context: ManagedObjectContext, isSaved: Bool,
      isolation: isolated (any Actor)? = #isolation
    ) async throws -> [String?] {
      try await server.request("Post", body, from: container, context, isSaved: isSaved).records
        .map { $0["text"] }
    }
    let root = container.makeContext()
    _ = try await request([["id": "1", "guid": "a", "text": "one"]], root, isSaved: true)
    try Data(#"{"Post": {"primaryKey": "guid"}}"#.utf8).write(to: tweaks)
    _ = try await request([["guid": "a", "id": "2"]], root, isSaved: false)
    try Data("{}".utf8).write(to: tweaks)
    let context = setting == .root ? root : root.makeChild()
    if setting == .childWithResponse { _ = try await request([["id": "9"]], context, isSaved: false) }
    for text in ["two", "three"] {
      let response: JSONValue = [["id": "2", "text": .string(text)]]
      #expect(try await request(response, context, isSaved: true) == [text])
      #expect(try context.fetch("Post", where: "id == '2'").map { $0["guid"] } == ["a"])
    }
  }
}
