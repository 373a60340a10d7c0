import RecordEngine
import Testing

/// Tests for changes of a context while a response is populated for it. Rules: `save.concurrent`, `request.dry-run`.
@Suite struct ChangeDuringPopulationTests {
  typealias Fixture = RequestFixture

  /// Requests a user, and changes the context during the first population of the response. Returns the number of inserted
  /// users, and the values of an attribute of all users in the context of the result.
  @MainActor private func request(
    _ urn: String, _ context: ManagedObjectContext, _ container: PersistentContainer, isSaved: Bool = true,
    isDryRun: Bool = false, returning attribute: PropertyName = "id", meanwhile change: () throws -> Void
  ) async throws -> (insertedCount: Int, values: [String]) {
    let holdup = Holdup()
    var options = holdup.options
    (options.automaticallyPersistsRecords, options.isDryRun) = (isSaved, isDryRun)
    let task = Task { [options] in
      let result = try await container.request("User", urn: urn, options: options, context: context)
      return (result.changes.inserted.count, try values(attribute, result.context))
    }
    await holdup.pass()
    let changed = Result { try change() }
    holdup.letGo()
    try changed.get()
    return try await task.value
  }

  private func values(_ attribute: PropertyName, _ context: ManagedObjectContext) throws -> [String] {
    try context.fetch("User").compactMap { $0[attribute] as String? }.sorted()
  }

  /// The unsaved records that the caller discards do not come back with the saved response.
  @Test(.timeLimit(.minutes(10)), arguments: [false, true]) @MainActor
  func discardedChangesStayDiscarded(isDryRun: Bool) async throws {
    let container = try Fixture.container(TestServer { Holdup.echo($0) })
    let context = container.makeContext()
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    _ = try await container.request("User", urn: "1", options: options, context: context)
    let result = try await request("2", context, container, isDryRun: isDryRun) { context.rollback() }
    #expect(result.values == ["2"])
    #expect(try values("id", context) == (isDryRun ? [] : ["2"]))
    #expect(!context.hasChanges)
  }

  /// A response that stays unsaved finds a record that the caller inserts.
  @Test(.timeLimit(.minutes(10)), arguments: [false, true]) @MainActor
  func insertedRecordsAreFound(isDryRun: Bool) async throws {
    let container = try Fixture.container(TestServer { Holdup.echo($0) })
    let context = container.makeContext()
    let result = try await request("1", context, container, isSaved: false, isDryRun: isDryRun) {
      try context.insert("User")["id"] = "1"
    }
    #expect(result.insertedCount == 0)
    #expect(result.values == ["1"])
  }
}
