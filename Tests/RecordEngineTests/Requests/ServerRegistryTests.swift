import RecordEngine
import Testing

/// Tests for the servers and default options of entities. Rules: `request.server`, `request.defaults`.
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

  /// A registration for the entity or its record type takes precedence over one for an ancestor.
  @Test func theNearestCounts() async throws {
    final class Letter: Record, RequestDefaults {
      static var defaultOptions: RequestOptions {
        var options = RequestOptions()
        options.domain = "letters"
        return options
      }
    }
    let container = try PersistentContainer(
      model: try Fixture.model(), recordTypes: [Letter.self], configuration: .init(server: named("all")))
    try container.register(named("notes"), for: "Note")
    container.register(named("letters"), for: Letter.self)
    #expect(try await whoAnswers("Letter", container) == "letters")
    #expect(try await whoAnswers("Note", container) == "notes")
    try container.setDefaultOptions(RequestOptions(), for: "Note")
    #expect(try container.defaultOptions(for: "Letter").domain == "letters")
  }

  /// A sub-entity without a record type of its own has the server and the options of its parent.
  @Test func anInheritedRecordTypeIsTheParents() async throws {
    final class Note: Record, RequestDefaults {
      static var defaultOptions: RequestOptions {
        var options = RequestOptions()
        options.domain = "type"
        return options
      }
    }
    let container = try PersistentContainer(
      model: try Fixture.model(), recordTypes: [Note.self], configuration: .init(server: named("all")))
    try container.register(named("entity"), for: "Note")
    container.register(named("type"), for: Note.self)
    #expect(try await whoAnswers("Letter", container) == "entity")
    #expect(try container.defaultOptions(for: "Letter").domain == "type")
    try container.setDefaultOptions(RequestOptions(), for: "Note")
    #expect(try container.defaultOptions(for: "Letter").domain == nil)
  }

  /// The request that a page manager returns for the next page is used with its timeout and domain.
  @Test func whatAPageManagerSaysOfThePage() async throws {
    let server = TestServer(
      paging: Paging { page in
        var next = page.request
        guard next.urn == "a" else { return PageManager() }
        (next.urn, next.timeout, next.domain) = ("b", .seconds(9), "more")
        return PageManager(nextPage: next)
      }, ["a": ["id": "1"], "b": ["id": "2"]])
    let container = try Fixture.container(server)
    var request = RecordRequest<Fixture.User>(urn: "a")
    (request.serverRequest.timeout, request.serverRequest.domain) = (.seconds(1), "mine")
    for try await _ in container.pages(request, context: container.makeContext()) {}
    #expect(server.requests.map(\.timeout) == [.seconds(1), .seconds(9)])
    #expect(server.requests.map(\.domain) == ["mine", "more"])
  }

  /// The properties of a request take precedence over the defaults. Rule: `request.defaults`.
  @Test func whatARequestSaysStandsAboveDefaults() async throws {
    let server = TestServer(
      paging: Paging { page in
        var next = page.request
        next.headers["X-Page"] = "2"
        return PageManager(nextPage: next.urn == "a" ? ServerRequest(urn: "b", headers: next.headers) : nil)
      }, ["a": ["id": "1"], "b": ["id": "2"]])
    let container = try Fixture.container(server)
    let context = container.makeContext()
    var defaults = RequestOptions()
    defaults.headers = ["Accept-Language": "en", "X-Token": "1"]
    (defaults.timeout, defaults.domain) = (.seconds(60), "all")
    try container.setDefaultOptions(defaults, for: "User")
    var request = RecordRequest<Fixture.User>(urn: "a")
    request.serverRequest.headers = ["accept-language": "de"]
    (request.serverRequest.timeout, request.serverRequest.domain) = (.seconds(1), "mine")
    func sent() -> [String] {
      server.requests.last.map { request in
        request.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
          + ["\(request.timeout ?? .zero)", request.domain ?? "none"]
      } ?? []
    }
    _ = try await container.perform(request, context: context)
    #expect(sent() == ["X-Token: 1", "accept-language: de", "1.0 seconds", "mine"])
    // Options of the request take precedence too.
    var given = RequestOptions()
    given.headers = ["Accept-Language": "fr"]
    given.timeout = .seconds(2)
    var other = request
    other.options = given
    _ = try await container.perform(other, context: context)
    #expect(sent() == ["Accept-Language: fr", "2.0 seconds", "mine"])
    // The next page has the properties of the first request and those that its page manager sets. For all others, the
    // current defaults apply.
    let pages = container.pages(request, context: context)
    _ = try await pages.nextPage()
    defaults.headers = ["X-Token": "2"]
    (defaults.timeout, defaults.domain) = (.seconds(3), "others")
    try container.setDefaultOptions(defaults, for: "User")
    _ = try await pages.nextPage()
    #expect(sent() == ["X-Page: 2", "X-Token: 2", "accept-language: de", "1.0 seconds", "mine"])
    let plain = container.pages(Fixture.User.self, urn: "a", context: context)
    _ = try await plain.nextPage()
    (defaults.timeout, defaults.domain) = (.seconds(4), "yet others")
    try container.setDefaultOptions(defaults, for: "User")
    _ = try await plain.nextPage()
    #expect(sent() == ["X-Page: 2", "X-Token: 2", "4.0 seconds", "yet others"])
  }

  @Test func anUnknownEntityIsToldWithTheNearest() throws {
    let container = try Fixture.container(nil)
    let failure = #expect(throws: RequestFailure.self) { try container.register(nil, for: "Pots") }
    #expect(failure?.primary.message == "unknown entity 'Pots'; did you mean 'Post'?")
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

  /// A record type has the options of its entity. A type that is unknown to the container has its own default options.
  @Test func defaultOptionsAreAskedForByType() throws {
    final class Unknown: Record, RequestDefaults {
      static var defaultOptions: RequestOptions {
        var options = RequestOptions()
        options.domain = "unknown"
        return options
      }
    }
    let container = try Fixture.container(nil)
    #expect(!container.defaultOptions(for: Fixture.Draft.self).automaticallyPersistsRecords)
    var options = container.defaultOptions(for: Fixture.User.self)
    #expect(options.domain == nil)
    options.domain = "users"
    try container.setDefaultOptions(options, for: "User")
    #expect(container.defaultOptions(for: Fixture.User.self).domain == "users")
    #expect(container.defaultOptions(for: Unknown.self).domain == "unknown")
    #expect(container.defaultOptions(for: Record.self).domain == nil)
  }
}
