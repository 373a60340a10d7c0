import Foundation
import RecordEngine
import Testing

/// Tests for removing the responses of one address, and for changes whose success is unknown.
/// Rule: `cache.invalidation`.
@Suite(.timeLimit(.minutes(5))) struct RemovingCachedResponsesTests {
  private static let fresh = ServerResponse(
    .json(["data": [["id": "1", "text": "First"]]]),
    headers: ["Cache-Control": "max-age=86400", "Vary": "Accept-Language"])

  private static func request(
    _ urn: String = "posts", method: String = "GET", query: [String: String] = [:], language: String? = nil,
    domain: String? = nil
  ) -> RecordRequest<Record> {
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    options.headers["Accept-Language"] = language
    options.domain = domain
    return RecordRequest(entity: "Post", method: method, urn: urn, query: query, options: options)
  }

  private static func served(
    _ container: PersistentContainer, _ request: RecordRequest<Record> = request()
  ) async throws -> Served {
    try await container.perform(request, context: container.makeContext()).served
  }

  private static func container(
    _ server: any Server = TestServer { _ in fresh }, _ cache: RecordCache? = RecordCache()
  ) throws -> PersistentContainer {
    try PersistentContainer(
      model: try RequestFixture.model(), configuration: .init(server: server, cache: cache))
  }

  @Test func whatIsKeptOfOneAddressGoes() async throws {
    let container = try Self.container()
    let requests = [
      Self.request(), Self.request(language: "de"), Self.request(query: ["page": "2"]), Self.request("users"),
    ]
    for request in requests { #expect(try await Self.served(container, request) == .network) }
    // The notation of the address and the other headers of the request do not matter.
    try await container.removeCachedResponses(for: Self.request("posts?page=2"))
    for (request, served) in zip(requests, [.cache, .cache, .network, .cache] as [Served]) {
      #expect(try await Self.served(container, request) == served)
    }
    try await container.removeCachedResponses(for: RecordRequest<Record>(entity: "User", urn: "posts"))
    for (request, served) in zip(requests, [.network, .network, .cache, .cache] as [Served]) {
      #expect(try await Self.served(container, request) == served)
    }
  }

  @Test func whatIsUnderWayIsNotKept() async throws {
    let gate = Gate()
    let server = TestServer { _ in
      await gate.pass()
      return Self.fresh
    }
    let container = try Self.container(server)
    async let first = Self.served(container)
    while server.requests.isEmpty { await Task.yield() }
    try await container.removeCachedResponses(for: Self.request())
    await gate.open()
    #expect(try await first == .network)
    #expect(try await Self.served(container) == .network)
    #expect(try await Self.served(container) == .cache)
  }

  @Test func whereNothingIsKeptNothingGoes() async throws {
    struct SilentServer: Server {
      func response(to request: ServerRequest) -> ServerResponse { RemovingCachedResponsesTests.fresh }
    }
    try await Self.container(SilentServer()).removeCachedResponses(for: Self.request())
    try await Self.container(TestServer { _ in Self.fresh }, nil).removeCachedResponses(for: Self.request())
  }

  @Test func whyItCannotBe() async throws {
    struct BrokenServer: Server {
      struct NoToken: Error {}
      func description(of request: ServerRequest) throws -> ServerRequest? { throw NoToken() }
      func response(to request: ServerRequest) -> ServerResponse { RemovingCachedResponsesTests.fresh }
    }
    let container = try Self.container(BrokenServer())
    await #expect(throws: BrokenServer.NoToken.self) {
      try await container.removeCachedResponses(for: Self.request())
    }
    let code = await RequestFixture.code {
      try await container.removeCachedResponses(for: RecordRequest<Record>(entity: "None", urn: "posts"))
    }
    #expect(code == .invalidEntity)
    // A folder has replaced the file.
    let folder = try TemporaryFolder()
    let blocked = try Self.container(
      TestServer { _ in Self.fresh }, RecordCache(url: folder.file("cache"), now: { moment(0) }))
    try FileManager.default.removeItem(at: folder.file("cache"))
    try FileManager.default.createDirectory(at: folder.file("cache"), withIntermediateDirectories: false)
    await #expect(throws: RecordCacheError.self) {
      try await blocked.removeCachedResponses(for: Self.request())
    }
  }

  // MARK: Changes

  /// The ways in which a change can end without a response, and whether the server may have made the change.
  @Test(
    arguments: [
      (.timedOut, true), (.networkConnectionLost, true), (.notConnectedToInternet, false),
      (.cannotFindHost, false), (.cannotConnectToHost, false), (.badServerResponse, true), (.unknown, true),
      (.httpTooManyRedirects, true),
    ] as [(URLError.Code, Bool)])
  func aChangeWithoutAnAnswer(code: URLError.Code, mayBeMade: Bool) async throws {
    let server = TestServer { request in
      if request.method == "POST" { throw URLError(code) }
      return Self.fresh
    }
    let container = try Self.container(server)
    #expect(try await Self.served(container) == .network)
    await #expect(throws: URLError.self) { try await Self.served(container, Self.request(method: "POST")) }
    #expect(try await Self.served(container) == (mayBeMade ? .network : .cache))
  }

  /// The server of an app can throw any error after it has sent the request.
  @Test func aChangeThatFailsForReasonsOfItsOwn() async throws {
    struct Unheard: Error {}
    let container = try Self.container(
      TestServer { request in
        if request.method == "POST" { throw Unheard() }
        return Self.fresh
      })
    #expect(try await Self.served(container) == .network)
    await #expect(throws: Unheard.self) { try await Self.served(container, Self.request(method: "POST")) }
    #expect(try await Self.served(container) == .network)
  }

  @Test func aChangeThatIsCancelled() async throws {
    let gate = Gate()
    let server = TestServer { request in
      if request.method == "POST" { await gate.pass() }
      return Self.fresh
    }
    let container = try Self.container(server)
    #expect(try await Self.served(container) == .network)
    let change = Task { try await Self.served(container, Self.request(method: "POST", domain: "editor")) }
    while server.requests.count < 2 { await Task.yield() }
    #expect(try await Self.served(container) == .cache)
    container.cancelRequests(domain: "editor")
    #expect(await RequestFixture.code { _ = try await change.value } == .cancelled)
    #expect(try await Self.served(container) == .network)
    await gate.open()
  }
}
