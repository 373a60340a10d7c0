import Foundation
import Logging
import RecordEngine
import Testing

/// Tests for log messages. Rule: `diagnostics.levels`.
@Suite struct RequestLogTests {
  typealias Fixture = RequestFixture

  /// A log handler's messages, one line each.
  // Unchecked: `lines` is accessed only under `lock`.
  private final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    var all: [String] { lock.withLock { lines } }

    func append(_ line: String) { lock.withLock { lines.append(line) } }
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      lines.append(([event.level.rawValue, "\(event.message)"] + values).joined(separator: " "))
    }
  }

  private func lines(_ level: Logger.Level) async throws -> [String] {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in Handler(lines: lines, logLevel: level) }
    let server = TestServer { request in
      switch request.urn {
      case "posts": return ServerResponse(.json(["data": [["id": "1", "text": "a"], nil]]))
      case "more": return ServerResponse(.json(["data": [["id": "1", "text": "b"], ["id": "2"]]]))
      case "gone": throw URLError(.notConnectedToInternet)
      default: return ServerResponse(.bytes([]), status: 404)
      }
    }
    let container = try PersistentContainer(
      model: try Fixture.model(), configuration: .init(server: server, logger: logger))
    let context = container.makeContext()
    for urn in ["posts", "more", "missing", "gone"] {
      _ = try? await container.request("Post", urn: urn, context: context)
    }
    return lines.all
  }

  @Test func errorsAreFailures() async throws {
    let lines = try await lines(.error)
    #expect(lines.count == 2)
    #expect(
      lines[0]
        == "error http-status entity=Post reason=the server answered with status 404 response=missing status=404 urn=missing"
    )
    #expect(lines[1].hasPrefix("error the server failed entity=Post reason="))
  }

  @Test func warningsAreDiagnostics() async throws {
    let lines = try await lines(.warning)
    #expect(
      lines.first
        == "warning null-element entity=Post pointer=/data/1 reason=a null in a list of items was ignored response=posts"
    )
    #expect(lines.count == 3)
  }

  @Test func requestsAreInformation() async throws {
    let lines = try await lines(.info).filter { $0.hasPrefix("info") }
    #expect(
      lines
        == ["posts", "more", "missing", "gone"].map {
          "info requesting records entity=Post method=GET urn=\($0)"
        })
  }

  @Test func responsesAreForDebugging() async throws {
    let lines = try await lines(.debug).filter { $0.hasPrefix("debug") }
    #expect(
      lines == [
        "debug populated a response deleted=0 diagnostics=1 entity=Post inserted=1 records=1 updated=0 urn=posts",
        "debug populated a response deleted=0 diagnostics=0 entity=Post inserted=1 records=2 updated=1 urn=more",
      ])
  }

  @Test func recordsAreDetails() async throws {
    let lines = try await lines(.trace).filter { $0.hasPrefix("trace") }
    #expect(
      lines == [
        "trace inserted a record entity=Post urn=posts",
        "trace inserted a record entity=Post urn=more",
        "trace updated a record entity=Post properties=[\"text\"] urn=more",
      ])
  }

  /// A request that cannot be prepared is an error, too.
  @Test func unknownEntitiesAreErrors() async throws {
    let lines = try await Self.logged(TestServer([:]), .error) { container, context in
      _ = try? await container.request("Poster", urn: "posts", context: context)
      _ = try? await container.perform(
        RecordRequest<Record>(entity: "Poster", urn: "more"), fetchFirst: RecordFetchRequest("Poster"),
        context: context
      ) { _ in }
    }
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains("invalid-entity entity=Poster") })
    #expect(lines.first?.hasSuffix(" urn=posts") == true && lines.last?.hasSuffix(" urn=more") == true)
  }

  @Test func answersOfTheCacheAreForDebugging() async throws {
    let server = TestServer { _ in
      ServerResponse(.json(["data": [["id": "1"]]]), headers: ["Cache-Control": "max-age=60"])
    }
    let lines = try await Self.logged(server, .debug, cache: RecordCache()) { container, context in
      var options = RequestOptions()
      options.isRecordLevelCachingEnabled = true
      for _ in 0..<2 {
        _ = try await container.request("Post", urn: "posts", options: options, context: context)
      }
    }
    #expect(server.requests.count == 1)
    #expect(lines.filter { $0.hasPrefix("debug served from the cache") }.count == 1)
  }

  @Test func deletedRecordsAreDetails() async throws {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in Handler(lines: lines, logLevel: .trace) }
    let container = try PersistentContainer(
      model: try Fixture.model(),
      configuration: .init(
        server: TestServer(["1": [["id": "a"], ["id": "b"]], "2": [["id": "b"]]]), logger: logger))
    var options = RequestOptions()
    options.orphans = OrphanDeletion()
    let context = container.makeContext()
    for urn in ["1", "2"] {
      _ = try await container.request("User", urn: urn, options: options, context: context)
    }
    #expect(
      lines.all.filter { $0.hasPrefix("trace") } == [
        "trace inserted a record entity=User urn=1", "trace inserted a record entity=User urn=1",
        "trace deleted a record entity=User urn=2",
      ])
  }

  private static func logged(
    _ server: TestServer, _ level: Logger.Level = .info, cache: RecordCache? = nil,
    _ use: (PersistentContainer, ManagedObjectContext) async throws -> Void
  ) async throws -> [String] {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in Handler(lines: lines, logLevel: level) }
    let container = try PersistentContainer(
      model: try Fixture.model(), configuration: .init(server: server, cache: cache, logger: logger))
    try? await use(container, container.makeContext())
    return lines.all
  }

  /// The reasons are listed in the article on caching.
  @Test(
    arguments: [
      ([:], [:], "the response is stale and has no ETag or Last-Modified to revalidate it"),
      ([:], ["Cache-Control": "no-store"], "the response has Cache-Control: no-store"),
      (["If-None-Match": "1"], [:], "the request has its own condition, If-None-Match"),
      (["Range": "items=0-9"], [:], "the request has a Range header"),
      (["Cache-Control": "no-store"], [:], "the request has Cache-Control: no-store"),
    ] as [([String: String], [String: String], String)])
  func whyAResponseIsNotCached(asked: [String: String], answered: [String: String], reason: String)
    async throws
  {
    let server = TestServer { _ in
      ServerResponse(.json(["data": [["id": "1"]]]), headers: answered)
    }
    let lines = try await Self.logged(server, .debug, cache: RecordCache()) { container, context in
      var options = RequestOptions()
      options.isRecordLevelCachingEnabled = true
      options.headers = asked
      _ = try await container.request("Post", urn: "posts", options: options, context: context)
    }
    #expect(
      lines.filter { $0.contains("cached") } == ["debug not cached entity=Post reason=\(reason) urn=posts"])
  }

  @Test func hooksAreAReasonNotToCache() async throws {
    let server = TestServer { _ in ServerResponse(.json(["data": [["id": "1"]]])) }
    let lines = try await Self.logged(server, .debug, cache: RecordCache()) { container, context in
      var options = RequestOptions()
      options.isRecordLevelCachingEnabled = true
      options.mergeHook = { _ in .standard }
      _ = try await container.request("Post", urn: "posts", options: options, context: context)
    }
    #expect(
      lines.filter { $0.hasPrefix("debug not cached") } == [
        "debug not cached entity=Post reason=the request has hooks (mergeHook) urn=posts"
      ])
  }

  /// A failed fetch of stored records fails the request, in a batch too.
  @Test func aFetchFirstThatFailsIsTold() async throws {
    let server = TestServer([:])
    let lines = try await Self.logged(server) { container, context in
      let request = RecordRequest(entity: "Post", urn: "posts?token=secret")
      let fetch = RecordFetchRequest("Post", predicate: "txt == nil")
      let failure = await Fixture.failure {
        _ = try await container.perform(request, fetchFirst: fetch, context: context) { _ in }
      }
      #expect(failure?.initialEntity == "Post")
      #expect(failure?.server == "TestServer")
      await container.batch(context: context) { batch in
        batch.request(request, fetchFirst: fetch, stored: { _ in }) { result in
          #expect(throws: RequestFailure.self) { try result.get() }
        }
      }
    }
    let line = "error invalid-entity entity=Post property=txt reason="
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix(line) && $0.hasSuffix(" urn=posts?token=…") }, "\(lines)")
    #expect(server.requests.isEmpty)
  }

  @Test func detailsOfADeletedRecordFail() async throws {
    let lines = try await Self.logged(TestServer([:])) { container, context in
      let post = try context.insert("Post")
      context.delete(post)
      let code = await Fixture.code { _ = try await container.requestDetail(of: post) }
      #expect(code == .undefinedDetailURN)
    }
    #expect(lines == ["error undefined-detail-urn reason=the record is deleted"])
  }

  /// Addresses can contain keys and tokens. The log contains the names of parameters, but not their values.
  @Test(arguments: [
    ("posts?token=secret&page=2", "posts?token=…&page=…"),
    ("https://me:secret@api.test/posts?key=secret", "https://api.test/posts?key=…"),
    ("https://api.test/posts", "https://api.test/posts"), ("posts?secret", "posts?…"),
    ("posts#token=secret", "posts"), ("posts?page=2&secret#secret", "posts?page=…&…"),
    ("posts?q='secret secret'", "posts?q=…"), ("posts", "posts"),
  ])
  func valuesOfParametersAreNotTold(urn: String, told: String) async throws {
    struct Broken: Error, CustomStringConvertible {
      let urn: String
      var description: String { "no server for '\(urn)', asked with X?key=secret and sent to Y#key=secret" }
    }
    let server = TestServer { request in
      switch request.method {
      case "GET": throw Broken(urn: request.urn)
      case "PUT":
        throw URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: "https://a/b?key=secret"])
      case "POST": return ServerResponse(.bytes([]), status: 500)
      default: return ServerResponse(.json(["data": [["id": "1"], nil]]))
      }
    }
    let lines = try await Self.logged(server, .trace) { container, context in
      for method in ["GET", "PUT", "POST", "DELETE"] {
        _ = try? await container.perform(
          RecordRequest(entity: "Post", method: method, urn: urn), context: context)
      }
    }
    #expect(lines.count == 10, "\(lines)")
    #expect(lines.filter { $0.contains("secret") } == [])
    #expect(lines.allSatisfy { $0.contains("urn=\(told)") || $0.contains("response=\(told)") }, "\(lines)")
    #expect(
      lines.contains { $0.contains("no server for '\(told)', asked with X?key=… and sent to Y#key=…") },
      "\(lines)")
    #expect(lines.contains { $0.contains("reason=URLError -1001") })
  }

  @Test func nothingIsLoggedWithoutALogger() async throws {
    let container = try Fixture.container(TestServer(["posts": ["data": [nil]]]))
    let result = try await container.request("Post", urn: "posts", context: container.makeContext())
    #expect(result.diagnostics.map(\.code) == [.nullElement])
  }
}
