import RecordEngine
import Testing

/// Tests for the changed records of a result. Rule: `request.changes`.
@Suite struct RequestResultTests {
  typealias Fixture = RequestFixture

  private static let bodies: [String: JSONValue] = [
    "old": [
      "data": [
        ["id": "1", "text": "old", "user": ["id": "7"]], ["id": "2", "text": "same"],
        ["id": "3", "text": "gone"],
      ]
    ],
    "new": [
      "data": [
        ["id": "1", "text": "new", "user": ["id": "8", "name": "Bo"]], ["id": "2", "text": "same"],
        ["id": "4"],
      ]
    ],
  ]

  private struct Names: Equatable {
    var inserted: [String]
    var updated: [String]
    var deleted: Int

    init(_ inserted: [String], _ updated: [String], deleted: Int) {
      (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
    }

    init(_ result: RequestResult<Fixture.Post>) {
      func name(_ record: Record) -> String { "\(type(of: record)) \(record["id"] ?? "?")" }
      inserted = result.inserted.map(name).sorted()
      updated = result.updated.map(name).sorted()
      deleted = result.deleted.count
    }
  }

  private static var options: RequestOptions {
    var options = RequestOptions()
    options.orphans = OrphanDeletion()
    return options
  }

  @Test(arguments: [(true, false), (true, true), (false, false), (false, true)])
  func changedRecordsAreObjects(isSaved: Bool, isDryRun: Bool) async throws {
    let container = try Fixture.container(TestServer(Self.bodies))
    let context = container.makeContext()
    let first = try await container.request(Fixture.Post.self, urn: "old", context: context)
    #expect(Names(first) == Names(["Post 1", "Post 2", "Post 3", "User 7"], [], deleted: 0))
    #expect(first.inserted.contains { $0 === first.records[0] })

    var options = Self.options
    (options.automaticallyPersistsRecords, options.isDryRun) = (isSaved, isDryRun)
    let second = try await container.request(
      Fixture.Post.self, urn: "new", options: options, context: context)
    #expect(Names(second) == Names(["Post 4", "User 8"], ["Post 1"], deleted: 1))
    #expect(second.deleted == second.changes.deleted)
    let updated = try #require(second.updated.first as? Fixture.Post)
    #expect(updated.text == "new" && updated === second.records[0])
    #expect((updated === first.records[0]) == !isDryRun)
    #expect(second.inserted.allSatisfy { $0.context === updated.context })
  }

  @Test func deletedRecordsAreLeftOut() async throws {
    let container = try Fixture.container(TestServer(Self.bodies))
    let context = container.makeContext()
    let result = try await container.request(Fixture.Post.self, urn: "old", context: context)
    context.delete(result.records[1])
    #expect(Names(result) == Names(["Post 1", "Post 3", "User 7"], [], deleted: 0))
    try context.save()
    #expect(Names(result) == Names(["Post 1", "Post 3", "User 7"], [], deleted: 0))
  }

  /// Returns the result of a request that does not save its four records, with the context of the records.
  private func unsavedResult() async throws -> (ManagedObjectContext, RequestResult<Fixture.Post>) {
    let container = try Fixture.container(TestServer(Self.bodies))
    let context = container.makeContext()
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    let result = try await container.request(
      Fixture.Post.self, urn: "old", options: options, context: context)
    return (context, result)
  }

  /// Records that are inserted later have other identifiers.
  @Test func recordsThatWereRolledBackAreLeftOut() async throws {
    let (context, result) = try await unsavedResult()
    #expect(result.inserted.count == 4)
    context.rollback()
    #expect(result.inserted.isEmpty)
    for _ in 1...4 { try context.insert(Fixture.Post.self)["id"] = "other" }
    #expect(result.inserted.isEmpty)
  }

  @Test func unsavedRecordsStayAfterTheirSave() async throws {
    let (context, result) = try await unsavedResult()
    try context.save()
    #expect(Names(result) == Names(["Post 1", "Post 2", "Post 3", "User 7"], [], deleted: 0))
  }
}
