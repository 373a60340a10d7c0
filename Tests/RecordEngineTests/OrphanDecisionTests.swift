import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the calls of the orphan hook. Rule: `orphans.decide`.
@Suite struct OrphanDecisionTests {
  /// The identifiers of the records for which a hook was called.
  // Unchecked: the hook is called by one request, and the test reads the calls afterwards.
  private final class Calls: @unchecked Sendable { var ids: [String] = [] }

  private static func ids(of entity: EntityName, in context: ManagedObjectContext) throws -> [String] {
    try context.fetch(RecordFetchRequest(entity)).compactMap { $0["id"] }.sorted()
  }

  /// Returns a hook that decides about the third record, and deletes all others.
  private static func hook(_ third: OrphanDecision, _ calls: Calls) -> OrphanDecision.Hook {
    { item in
      let id: String = item.orphan["id"] ?? ""
      calls.ids.append(id)
      return id == "3" ? third : .delete
    }
  }

  /// The hook decides about each stored orphan once, also beside unsaved records.
  @Test(arguments: [
    (OrphanDecision.keep, ["2", "3", "4"], ["1", "3", "new"]),
    (.keepAndStop, ["2", "3"], ["1", "3", "4", "new"]),
    (.deleteAndStop, ["2", "3"], ["1", "4", "new"]),
  ])
  func decisionsAreMadeOnce(third: OrphanDecision, asked: [String], left: [String]) async throws {
    let calls = Calls()
    let requests = Calls()
    let server = TestServer { _ in
      requests.ids.append("")
      let ids = requests.ids.count == 1 ? ["1", "2", "3", "4"] : ["1"]
      return ServerResponse(.json(.array(ids.map { ["id": .string($0)] })))
    }
    let container = try PersistentContainer(
      model: try RequestFixture.model(), configuration: .init(server: server))
    let context = container.makeContext()
    _ = try await container.request("Draft", urn: "drafts", context: context)
    try context.insert("Draft")["id"] = "new"
    var options = RequestOptions()
    options.orphans = OrphanDeletion(decide: Self.hook(third, calls))
    _ = try await container.request("Draft", urn: "drafts", options: options, context: context)
    #expect(calls.ids == asked)
    #expect(try Self.ids(of: "Draft", in: context) == left)
    #expect(try Self.ids(of: "Draft", in: container.makeContext()) == left.filter { $0 != "new" })
  }

  /// The hook does not get the records whose items state that they are gone, even if their deletion is denied.
  @Test func tombstonesAreNotPopulatedRecords() async throws {
    let calls = Calls()
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", deletedWhen: "gone == true",
        attributes: [AttributeDescription("id", .string), AttributeDescription("gone", .boolean)],
        relationships: [
          RelationshipDescription("answers", toMany: "Answer", inverse: "post", deleteRule: .deny)
        ]),
      EntityDescription(
        "Answer", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [RelationshipDescription("post", to: "Post", inverse: "answers")]),
    ])
    let server = CannedServer([
      "all": ["1", ["id": "2", "answers": ["a"]], "3", "4"],
      "some": [["id": "1"], ["id": "2", "gone": true], ["id": "3", "gone": true]],
    ])
    let container = try PersistentContainer(model: model, configuration: .init(server: server))
    let context = container.makeContext()
    _ = try await container.request("Post", urn: "all", context: context)
    var options = RequestOptions()
    options.orphans = OrphanDeletion { item in
      calls.ids += item.populatedRecords.compactMap { $0["id"] }
      return .keep
    }
    let result = try await container.request("Post", urn: "some", options: options, context: context)
    #expect(calls.ids == ["1"])
    #expect(result.changes.deleted.count == 1)
    #expect(result.diagnostics.map(\.code) == [.deniedDeletion])
  }
}
