import RecordModel
import Testing

@testable import RecordEngine

/// Tests for orphans among the records that earlier responses have left unsaved. Rules: `orphans.scope`, `orphans.guard`.
@Suite struct UnsavedOrphanTests {
  private let server = GatedServer()
  private let container: PersistentContainer

  init() throws {
    let attributes = [AttributeDescription("id", .int32), AttributeDescription("text", .string)]
    container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription("Post", primaryKey: "id", attributes: attributes),
        EntityDescription("Note", attributes: attributes),
      ]), configuration: .init(server: server))
  }

  /// A server that responds to an address with its own text, a JSON value, after an action.
  private final class GatedServer: Server, @unchecked Sendable {
    /// The action to perform while the next request is in flight. Set and called by one task after the other.
    var meanwhile: (@Sendable () async throws -> Void)?

    func response(to request: ServerRequest) async throws -> ServerResponse {
      let action = meanwhile
      meanwhile = nil
      try await action?()
      return ServerResponse(.bytes(Array(request.urn.utf8)))
    }
  }

  private func request(
    _ body: String, of entity: EntityName = "Post", deletesOrphans: Bool = false,
    limit: OrphanDeletion.Limit? = nil,
    isSaved: Bool = false, isDryRun: Bool = false, _ context: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    var options = RequestOptions()
    options.automaticallyPersistsRecords = isSaved
    options.isDryRun = isDryRun
    if deletesOrphans { options.orphans = OrphanDeletion(limit: limit) }
    return try await container.request(entity, urn: body, options: options, context: context)
  }

  private func ids(_ context: ManagedObjectContext, _ entity: EntityName = "Post") throws -> [Int?] {
    try context.fetch(RecordFetchRequest(entity)).map { $0["id"] }.sorted { ($0 ?? 0) < ($1 ?? 0) }
  }

  /// Another context saves a record with the key of an unsaved one while the request is in flight. It does not matter whether
  /// the context already shows this save.
  @Test(arguments: [false, true]) @MainActor
  func aRecordSavedElsewhereIsNoOrphan(isMerged: Bool) async throws {
    let (context, other) = (container.makeContext(), container.makeContext())
    _ = try await request("[{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]", context)
    server.meanwhile = { @MainActor [self] in
      _ = try await request("[{\"id\": 2, \"text\": \"new\"}]", isSaved: true, other)
      if isMerged { context.refreshAllObjects() }
    }
    let result = try await request("[{\"id\": 1}]", deletesOrphans: true, context)
    #expect(result.changes.deleted.count == 1)
    #expect(try ids(context) == [1, 2])
    try context.save()
    #expect(try ids(container.makeContext()) == [1, 2])
  }

  /// The context saves the unsaved records while the request is in flight, which makes them no newer.
  @Test(arguments: [false, true]) @MainActor
  func aRecordSavedMeanwhileIsAnOrphan(isSaved: Bool) async throws {
    let context = container.makeContext()
    _ = try await request("[{\"id\": 1}, {\"id\": 2}]", context)
    try context.insert("Post")["id"] = 9
    server.meanwhile = { @MainActor in _ = try context.save() }
    let result = try await request("[{\"id\": 1}]", deletesOrphans: true, isSaved: isSaved, context)
    #expect(result.changes.deleted.count == 1)
    try context.save()
    #expect(try ids(container.makeContext()) == [1, 9])
  }

  @Test @MainActor func nothingIsLeftToDeleteAfterARollback() async throws {
    let context = container.makeContext()
    _ = try await request("[{\"id\": 1}, {\"id\": 2}]", context)
    server.meanwhile = { @MainActor in
      context.rollback()
      try context.insert("Post")["id"] = 9
    }
    let result = try await request("[{\"id\": 1}]", deletesOrphans: true, context)
    #expect(result.changes.deleted.isEmpty)
    #expect(try ids(context) == [1, 9])
  }

  /// A child deletes the unsaved records of its parent.
  @Test func orphansOfAParent() async throws {
    let parent = container.makeContext()
    _ = try await request("[{\"id\": 1}, {\"id\": 2}]", parent)
    let child = parent.makeChild()
    _ = try await request("[{\"id\": 3}]", child)
    let dry = try await request("[{\"id\": 1}]", deletesOrphans: true, isDryRun: true, child)
    let result = try await request("[{\"id\": 1}]", deletesOrphans: true, child)
    #expect(dry.changes.deleted == result.changes.deleted && result.changes.deleted.count == 2)
    #expect(try ids(child) == [1] && ids(parent) == [1, 2])
    try child.save()
    #expect(try ids(parent) == [1])
    try parent.save()
    #expect(try ids(container.makeContext()) == [1])
  }

  /// Items without keys are new records each time.
  @Test func recordsWithoutKeys() async throws {
    let context = container.makeContext()
    for id in 1...3 {
      _ = try await request("[{\"id\": \(id)}]", of: "Note", deletesOrphans: id > 1, context)
    }
    #expect(try ids(context, "Note") == [3])
  }

  /// The limit is a share of the records in the scope, saved or not.
  @Test(arguments: [(49.0, 4), (50.0, 2)]) func aLimit(percent: Double, count: Int) async throws {
    let context = container.makeContext()
    _ = try await request("[{\"id\": 1}, {\"id\": 2}]", isSaved: true, context)
    _ = try await request("[{\"id\": 3}, {\"id\": 4}]", context)
    _ = try await request(
      "[{\"id\": 2}, {\"id\": 3}]", deletesOrphans: true, limit: .percent(percent), context)
    #expect(try ids(context).count == count)
  }
}
