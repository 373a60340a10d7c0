import RecordEngine
import Testing

/// Who answers for which records. Rules: `request.server`, `request.defaults`.
@Suite struct ServerRegistryTests {
  typealias Fixture = RequestFixture

  private func named(_ name: String) -> TestServer {
    TestServer { _ in ServerResponse(.json([["id": .string(name), "text": .string(name)]])) }
  }

  private func whoAnswers(_ entity: EntityName, _ container: PersistentContainer) async throws -> String? {
    let context = container.makeContext()
    do {
      return try await container.request(entity, urn: "a", context: context).records.first?[
        entity == "Draft" ? "id" : "text"]
    } catch let failure as RequestFailure where failure.primary.code == .undefinedServer {
      return nil
    }
  }

  @Test func entitiesInheritServers() async throws {
    let container = try Fixture.container(named("all"))
    #expect(try await whoAnswers("Letter", container) == "all")
    try container.register(named("notes"), for: "Note")
    #expect(try await whoAnswers("Letter", container) == "notes")
    #expect(try await whoAnswers("Post", container) == "all")
    try container.register(named("letters"), for: "Letter")
    #expect(try await whoAnswers("Letter", container) == "letters")
    #expect(try await whoAnswers("Note", container) == "notes")
    try container.unregisterServer(for: "Letter")
    #expect(try await whoAnswers("Letter", container) == "notes")
    try container.register(nil, for: "Note")
    #expect(try await whoAnswers("Letter", container) == nil)
    try container.unregisterServer(for: "Note")
    #expect(try await whoAnswers("Letter", container) == "all")
  }

  @Test func recordTypesInheritServers() async throws {
    let container = try Fixture.container(nil)
    #expect(try await whoAnswers("Draft", container) == nil)
    container.register(named("records"), for: Record.self)
    container.register(named("base"), for: Fixture.Base.self)
    #expect(try await whoAnswers("Draft", container) == "base")
    #expect(try await whoAnswers("Post", container) == "records")
    container.register(nil, for: Fixture.Draft.self)
    #expect(try await whoAnswers("Draft", container) == nil)
    container.unregisterServer(for: Fixture.Draft.self)
    container.register(named("other"), for: Fixture.Base.self)
    #expect(try await whoAnswers("Draft", container) == "other")
    container.unregisterServer(for: Fixture.Base.self)
    #expect(try await whoAnswers("Draft", container) == "records")
  }

  /// What is said of the entity itself, or of its record type, comes before what is said of an ancestor.
  @Test func theNearestCounts() async throws {
    final class Letter: Record, RequestDefaults {
      static var defaultOptions: RequestOptions {
        var options = RequestOptions()
        options.domain = "letters"
        return options
      }
    }
    let container = try PersistentContainer(
      model: try Fixture.model(), recordTypes: [Letter.self], server: named("all"))
    try container.register(named("notes"), for: "Note")
    container.register(named("letters"), for: Letter.self)
    #expect(try await whoAnswers("Letter", container) == "letters")
    #expect(try await whoAnswers("Note", container) == "notes")
    try container.setDefaultOptions(RequestOptions(), for: "Note")
    #expect(try container.defaultOptions(for: "Letter").domain == "letters")
  }

  @Test func anUnknownEntityIsToldWithTheNearest() throws {
    let container = try Fixture.container(nil)
    let failure = #expect(throws: RequestFailure.self) { try container.register(nil, for: "Pots") }
    #expect(failure?.primary.message == "the model has no entity 'Pots'; did you mean 'Post'?")
  }

  @Test func aRecordTypeHasDefaultOptions() async throws {
    let container = try Fixture.container(TestServer(["a": ["id": "1"]]))
    let context = container.makeContext()
    _ = try await container.request(Fixture.Draft.self, urn: "a", context: context)
    #expect(context.hasChanges)
    _ = try await container.request(
      Fixture.Draft.self, urn: "a", options: RequestOptions(), context: context)
    #expect(try container.makeContext().fetch(RecordFetchRequest("Draft")).count == 1)

    context.reset()
    try container.setDefaultOptions(RequestOptions(), for: "Draft")
    let other = container.makeContext()
    _ = try await container.request(Fixture.Draft.self, urn: "a", context: other)
    #expect(!other.hasChanges)
    try container.setDefaultOptions(nil, for: "Draft")
    #expect(try !container.defaultOptions(for: "Draft").automaticallyPersistsRecords)
  }
}
