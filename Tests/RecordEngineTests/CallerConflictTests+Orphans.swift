import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

// MARK: Orphans

extension CallerConflictTests {
  /// The orphans for which a hook has been called, one after the other.
  private final class Calls: @unchecked Sendable { var ids: [Int] = [] }

  /// Saves a response with one record, whose orphans are the other records with the text `a`. Returns the orphans for which
  /// the hook has been called, one after the other.
  private func orphans(
    besides id: Int64, _ context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [Int] {
    let calls = Calls()
    var options = RequestOptions()
    options.orphans = OrphanDeletion(scope: .records("text == 'a'")) { item in
      calls.ids.append(item.orphan["id"] ?? 0)
      return .delete
    }
    server.set([["id": .number(JSONNumber(id))]])
    _ = try await container.request("Node", urn: "next", options: options, context: context)
    return calls.ids
  }

  /// The orphan hook of a saved response sees each record once, as it is stored, whatever the parent has changed.
  @Test func theOrphanHookDoesNotSeeTheParentsEdits() async throws {
    try await request([["id": 1, "text": "a"], ["id": 2, "text": "b"], ["id": 3]], context, isSaved: true)
    try node(2, context)["text"] = "a"
    let child = context.makeChild()
    try await request([["id": 4]], child)
    #expect(try await orphans(besides: 3, child) == [1])
    #expect(try node(2, child)["text"] == "a")
  }

  /// The hook decides about a record once, even if only the parent and the child show it in the scope.
  @Test func theOrphanHookIsCalledOnceForAllLevels() async throws {
    try await request([["id": 1, "text": "a"], ["id": 2, "text": "b"], ["id": 3]], context, isSaved: true)
    try await request([["id": 2, "text": "a"]], context)
    let child = context.makeChild()
    try await request([["id": 4]], child)
    #expect(try await orphans(besides: 3, child) == [1, 2])
  }
}
