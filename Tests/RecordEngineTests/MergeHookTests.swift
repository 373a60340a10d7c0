import RecordEngine
import RecordModel
import Testing

/// Tests for dictionaries that a merge hook returns. Rules: `merge.strategy`, `merge.stub-then-full`.
@Suite struct MergeHookTests {
  private static let entities = [
    EntityDescription(
      "Post", primaryKey: "id",
      attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
      relationships: [
        RelationshipDescription("author", to: "User"), RelationshipDescription("readers", toMany: "User"),
      ]),
    EntityDescription(
      "User", primaryKey: "id",
      attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)]),
    EntityDescription("Editor", parent: "User", usedWhen: RecordPredicate("kind == 'editor'")),
    EntityDescription("Guest", parent: "User", usedWhen: RecordPredicate("kind == 'guest'")),
  ]

  /// Requests posts with a merge hook. Returns the codes of the diagnostics, and the entities and names of the users.
  private func users(_ body: JSONValue, _ hook: @escaping MergeHook) async throws -> (
    codes: [String], users: [String]
  ) {
    let container = try PersistentContainer(
      model: try ManagedObjectModel(entities: Self.entities),
      configuration: .init(server: CannedServer(["a": body])))
    var options = RequestOptions()
    options.mergeHook = hook
    let context = container.makeContext()
    let result = try await container.request("Post", urn: "a", options: options, context: context)
    let users = try context.fetch(RecordFetchRequest("User")).map { user in
      let (id, name): (String?, String?) = (user["id"], user["name"])
      return "\(user.entityName?.rawValue ?? "") \(id ?? "") \(name ?? "nil")"
    }
    return (result.diagnostics.map(\.code.rawValue), users.sorted())
  }

  /// The first full item of a merged dictionary fills a stub. Later ones are not compared with it.
  @Test func aStubIsFilledOnce() async throws {
    let body: JSONValue = [
      ["id": "1", "text": "a", "author": "7"], ["id": "1", "text": "b"], ["id": "1", "text": "c"],
    ]
    let result = try await users(body) { duplicates in
      // Users have no duplicates, so that the hook is called for posts only.
      #expect(duplicates.entity == "Post")
      let text = duplicates.other["text"]?.string ?? ""
      return .dictionary(["id": "1", "author": ["id": "7", "name": .string(text)]])
    }
    #expect(result.codes == [])
    #expect(result.users == ["User 7 b"])
  }

  /// The references of a merged dictionary do not affect the entities of records.
  @Test func aReferenceIsNotComparedWithTheStub() async throws {
    let body: JSONValue = [
      ["id": "1", "text": "a", "author": ["id": "7", "kind": "editor"]], ["id": "1", "text": "b"],
    ]
    let result = try await users(body) { _ in
      .dictionary(["id": "1", "author": ["id": "7", "kind": "guest"]])
    }
    #expect(result.codes == [])
    #expect(result.users == ["Editor 7 nil"])
  }

  /// Each reference is compared with the first item of its record, which is in another, shorter document.
  @Test func aMergedDictionaryCanBeLongerThanTheResponse() async throws {
    let body: JSONValue = [["id": "1", "text": "a", "author": "0"], ["id": "1", "text": "b"]]
    let readers = ((0..<100) + [0]).map { JSONValue.string(String($0)) }
    let result = try await users(body) { _ in .dictionary(["id": "1", "readers": .array(readers)]) }
    #expect(result.codes == [])
    #expect(result.users.count == 100)
  }
}
