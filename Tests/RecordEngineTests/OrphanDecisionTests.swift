import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the calls of the orphan hook. Rule: `orphans.decide`.
@Suite struct OrphanDecisionTests {
  /// The identifiers of the records for which a hook was called.
  // Unchecked: the hook is called by one request, and the test reads the calls afterwards.
  private final class Calls: @unchecked Sendable { var ids: [String] = [] }

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
