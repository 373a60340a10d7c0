import Foundation
import RecordEngine
import Testing

/// Tests for how a failure of the server, of its descriptions or of the cache's file affects the cache. Rules:
/// `cache.invalidation`, `cache.stale-if-error`, `cache.damaged`.
@Suite struct CachedSourceTests {
  private struct Odd: Error {}

  /// A server whose descriptions and responses the test determines.
  private struct ScriptedServer: Server {
    var describe: @Sendable (ServerRequest) throws -> ServerRequest = { $0.normalized }
    var respond: @Sendable (ServerRequest) async throws -> ServerResponse

    func description(of request: ServerRequest) throws -> ServerRequest? { try describe(request) }
    func response(to request: ServerRequest) async throws -> ServerResponse { try await respond(request) }
  }

  // Unchecked: `value` is accessed only under `lock`.
  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0

    func next() -> Int {
      lock.withLock {
        value += 1
        return value
      }
    }
  }

  private static func answer(_ headers: [String: String] = ["Cache-Control": "max-age=60"]) -> ServerResponse
  {
    ServerResponse(.json(["data": [["id": "1", "text": "First"]]]), headers: headers)
  }

  private static func request(_ method: String = "GET", headers: [String: String] = [:]) -> RecordRequest<
    Record
  > {
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    options.headers = headers
    var request = RecordRequest(entity: "Post", urn: "posts", options: options)
    request.serverRequest.method = method
    return request
  }

  private static func container(_ server: any Server, _ cache: RecordCache = RecordCache()) throws
    -> PersistentContainer
  {
    try PersistentContainer(
      model: try RequestFixture.model(), configuration: .init(server: server, cache: cache))
  }

  private static func perform(_ container: PersistentContainer, _ method: String = "GET") async throws
    -> RequestResult<Record>
  {
    try await container.perform(request(method), context: container.makeContext())
  }

  // MARK: Descriptions

  @Test func aChangeThatCannotBeDescribedIsReported() async throws {
    let server = ScriptedServer(describe: { _ in throw Odd() }, respond: { _ in Self.answer() })
    let result = try await Self.perform(try Self.container(server), "POST")
    #expect(result.diagnostics.map(\.code) == [.undescribedRequest])
    #expect(
      result.diagnostics.first?.message
        == "the server cannot describe its requests (Odd()), so cached responses of its address may be outdated"
    )
  }

  /// The request itself may have renewed the session that the description needs.
  @Test func aDescriptionThatFailsOnceIsAskedForAgain() async throws {
    let changes = Counter()
    let server = ScriptedServer(
      describe: { request in
        if request.method == "POST", changes.next() == 1 { throw Odd() }
        return request.normalized
      }, respond: { _ in Self.answer() })
    let container = try Self.container(server)
    #expect(try await Self.perform(container).served == .network)
    #expect(try await Self.perform(container).served == .cache)
    #expect(try await Self.perform(container, "POST").diagnostics == [])
    #expect(try await Self.perform(container).served == .network)
  }

  // MARK: Failures of a change

  /// The error proves that the server did not perform the request, or it does not.
  @Test(arguments: [
    ("session", Served.cache), ("unsent", .cache), ("nested", .cache), ("lost", .network), ("odd", .network),
  ])
  func aChangeThatFails(kind: String, served: Served) async throws {
    let other = try Self.container(ScriptedServer(respond: { _ in Self.answer() }))
    let server = ScriptedServer(respond: { request in
      guard request.method == "POST" else { return Self.answer() }
      switch kind {
      case "session": throw SessionTimeout()
      case "unsent": throw URLError(.notConnectedToInternet)
      case "lost": throw URLError(.networkConnectionLost)
      case "nested":
        _ = try await other.request("Poster", urn: "posts", context: other.makeContext())
        return Self.answer()
      default: throw Odd()
      }
    })
    let container = try Self.container(server)
    #expect(try await Self.perform(container).served == .network)
    await #expect(throws: (any Error).self) { _ = try await Self.perform(container, "POST") }
    #expect(try await Self.perform(container).served == served)
  }

  // MARK: Stale responses

  /// An expired session must be renewed, whatever the cache contains.
  @Test func anExpiredSessionIsNotHiddenByAStaleResponse() async throws {
    let requests = Counter()
    let server = ScriptedServer(respond: { _ in
      guard requests.next() == 1 else { throw SessionTimeout() }
      return Self.answer(["Cache-Control": "max-age=0, stale-if-error=600", "ETag": "\"1\""])
    })
    let container = try Self.container(server)
    #expect(try await Self.perform(container).served == .network)
    await #expect(throws: SessionTimeout.self) { _ = try await Self.perform(container) }
  }

  /// Only 404 and 410 remove the cached response, because they state that the resource no longer exists.
  @Test(arguments: [(400, true), (403, true), (404, false), (410, false)])
  func anErrorOfTheClient(status: Int, isKept: Bool) async throws {
    let requests = Counter()
    let conditions = Counter()
    let server = ScriptedServer(respond: { request in
      if request.header("If-None-Match") != nil { _ = conditions.next() }
      switch requests.next() {
      case 2: return ServerResponse(.bytes([]), status: status)
      default: return Self.answer(["Cache-Control": "max-age=0", "ETag": "\"1\""])
      }
    })
    let container = try Self.container(server)
    _ = try await Self.perform(container)
    await #expect(throws: RequestFailure.self) { _ = try await Self.perform(container) }
    _ = try await Self.perform(container)
    // The second request had the condition, and the third has it if the response was kept.
    #expect(conditions.next() == (isKept ? 3 : 2))
  }

  // MARK: Diagnostics of the cache

  /// Each request reports what it noticed of the cache's file, whatever becomes of its response.
  @Test(arguments: ["only-if-cached", "no-store", "POST"])
  func whatIsNoticedOfTheFile(kind: String) async throws {
    let folder = try TemporaryFolder()
    let cache = try RecordCache(url: folder.file("cache"))
    let server = ScriptedServer(respond: { request in
      Self.answer(["Cache-Control": kind == "no-store" && request.method == "GET" ? "no-store" : "max-age=60"]
      )
    })
    let container = try Self.container(server, cache)
    try FileManager.default.removeItem(at: folder.file("cache"))
    let request = Self.request(
      kind == "POST" ? "POST" : "GET", headers: kind == "only-if-cached" ? ["Cache-Control": kind] : [:])
    var diagnostics: [Diagnostic] = []
    do {
      diagnostics = try await container.perform(request, context: container.makeContext()).diagnostics
    } catch let failure as RequestFailure {
      diagnostics = failure.diagnostics
    }
    #expect(diagnostics.map(\.code).contains(.cacheRebuilt), "\(diagnostics)")
  }

  /// Diagnostics about the orphans of a request say nothing about its response.
  @Test func theOrphansOfARequestDoNotConcernItsResponse() async throws {
    let items = Counter()
    let server = ScriptedServer(respond: { _ in
      let ids = items.next() == 1 ? 1...9 : 1...1
      let records = ids.map { JSONValue.object(["id": .string("\($0)")]) }
      return ServerResponse(.json(["data": .array(records)]), headers: ["Cache-Control": "max-age=60"])
    })
    let container = try Self.container(server)
    _ = try await container.request("Post", urn: "first", context: container.makeContext())
    var limited = Self.request()
    limited.options?.orphans = OrphanDeletion(limit: .count(2))
    let result = try await container.perform(limited, context: container.makeContext())
    #expect(result.diagnostics.map(\.code) == [.orphanLimit])
    var strict = Self.request()
    strict.options?.debugger = CodeDebugger(failOn: [.orphanLimit])
    #expect(try await container.perform(strict, context: container.makeContext()).served == .cache)
  }
}
