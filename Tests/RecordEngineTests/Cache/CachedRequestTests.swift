import Foundation
import RecordEngine
import Testing

/// Tests for requests with a cache. Rules: `cache.store`, `cache.concurrent`.
@Suite struct CachedRequestTests {
  private static let body: JSONValue = [
    "data": [["id": "1", "text": "First"], ["id": "2", "text": "Second"]]
  ]

  private static func fresh(_ body: JSONValue = body) -> ServerResponse {
    ServerResponse(.json(body), headers: ["Cache-Control": "max-age=60"])
  }

  private static func container(
    _ server: any Server, cache: RecordCache? = RecordCache(now: { moment(0) })
  ) throws -> PersistentContainer {
    try PersistentContainer(
      model: try RequestFixture.model(), configuration: .init(server: server, cache: cache))
  }

  private static var request: RecordRequest<Record> {
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    return RecordRequest(entity: "Post", urn: "posts", options: options)
  }

  /// A server that does not describe its requests.
  private struct SilentServer: Server {
    func response(to request: ServerRequest) -> ServerResponse { CachedRequestTests.fresh() }
  }

  @Test func aServerThatDoesNotSayWhatItSendsIsAskedEveryTime() async throws {
    let container = try Self.container(SilentServer())
    let context = container.makeContext()
    for _ in 1...2 {
      let result = try await container.perform(Self.request, context: context)
      #expect(result.served == .network)
      #expect(result.diagnostics.map(\.code) == [.undescribedRequest])
    }
  }

  @Test func withoutACacheTheServerIsAskedAndTheResultSaysSo() async throws {
    let container = try Self.container(TestServer { _ in Self.fresh() }, cache: nil)
    let result = try await container.perform(Self.request, context: container.makeContext())
    #expect(result.served == .network)
    #expect(result.diagnostics.map(\.code) == [.cacheUnavailable])
  }

  /// Rule: `cache.isolation`. There is a warning only if the options of the request enable caching next to a hook.
  @Test func hooksPassTheCacheBy() async throws {
    let model = try RequestFixture.model()
    let cached = try ManagedObjectModel(
      entities: model.entities.map {
        var entity = $0
        entity.isRecordLevelCachingEnabled = true
        return entity
      })
    for (model, isAsked) in [(model, true), (cached, true), (cached, false)] {
      let container = try PersistentContainer(
        model: model,
        configuration: .init(server: TestServer { _ in Self.fresh() }, cache: RecordCache(now: { moment(0) }))
      )
      var request = Self.request
      request.options?.isRecordLevelCachingEnabled = isAsked ? true : nil
      request.options?.keyInjection = { _ in nil }
      request.options?.mergeHook = { _ in .standard }
      for _ in 1...2 {
        let result = try await container.perform(request, context: container.makeContext())
        #expect(result.served == .network)
        #expect(result.diagnostics.map(\.code) == (isAsked ? [.uncacheableRequest] : []))
        if isAsked {
          #expect(
            result.diagnostics.first?.message
              == "the request has hooks (keyInjection, mergeHook), so the cache is not used"
          )
        }
      }
    }
  }

  /// A request whose response could not be cached anyway causes no warning about a missing cache.
  @Test func whatNoCacheWouldKeepIsNotSaidToLackOne() async throws {
    let container = try Self.container(TestServer { _ in Self.fresh() }, cache: nil)
    var requests = Array(repeating: Self.request, count: 4)
    requests[0].serverRequest.method = "POST"
    requests[1].options?.keyInjection = { _ in nil }
    requests[2].options?.headers["Range"] = "items=0-5"
    for (number, request) in requests.enumerated() {
      let result = try await container.perform(request, context: container.makeContext())
      #expect(result.diagnostics.map(\.code) == (number == 3 ? [.cacheUnavailable] : []))
    }
  }

  /// A response may have been stored by a container that accepted its diagnostics.
  @Test func aContainersDebuggerDoesNotTakeWhatItWouldNotHaveSaved() async throws {
    let folder = try TemporaryFolder()
    let odd: JSONValue = ["data": [["id": "1", "text": ["First"]]]]
    let server = TestServer { _ in Self.fresh(odd) }
    func container(_ debugger: (any Debugger)?) throws -> PersistentContainer {
      try PersistentContainer(
        model: try RequestFixture.model(),
        configuration: .init(
          store: .file(folder.file()), server: server,
          cache: RecordCache(url: folder.file("cache"), now: { moment(0) }), debugger: debugger))
    }
    try await {
      let container = try container(nil)
      for served in [Served.network, .cache] {
        let result = try await container.perform(Self.request, context: container.makeContext())
        #expect(result.served == served)
      }
    }()
    try await {
      let container = try container(CodeDebugger(failOn: [.valueType]))
      let code = await RequestFixture.code {
        _ = try await container.perform(Self.request, context: container.makeContext())
      }
      #expect(code == .valueType)
      var lenient = Self.request
      lenient.options?.debugger = CodeDebugger()
      #expect(try await container.perform(lenient, context: container.makeContext()).served == .cache)
    }()
    #expect(server.requests.count == 2)
  }

  @Test func aDebuggerJudgesWhatIsNoticedOfTheCache() async throws {
    let container = try Self.container(SilentServer())
    let context = container.makeContext()
    var request = Self.request
    request.options?.debugger = CodeDebugger(ignore: [.undescribedRequest])
    #expect(try await container.perform(request, context: context).diagnostics.isEmpty)
    request.options?.debugger = CodeDebugger(failOn: [.undescribedRequest])
    let code = await RequestFixture.code { _ = try await container.perform(request, context: context) }
    #expect(code == .undescribedRequest)
  }

  @Test func aHitHasTheHeadersAndTheResponseObject() async throws {
    let server = TestServer { _ in
      ServerResponse(
        .json(Self.body), headers: ["Cache-Control": "max-age=60", "X-Total": "12", "Set-Cookie": "a=b"])
    }
    let container = try Self.container(server)
    let context = container.makeContext()
    let first = try await container.perform(Self.request, context: context)
    #expect(first.header("set-cookie") == "a=b")
    let hit = try await container.perform(Self.request, context: context)
    #expect(hit.served == .cache && server.requests.count == 1)
    #expect(hit.header("X-Total") == "12" && hit.header("Set-Cookie") == nil)
    #expect(hit.responseObject?.value == Self.body)
    #expect(hit.records.map(\.recordID) == first.records.map(\.recordID))
    #expect(hit.changes.inserted.isEmpty && hit.changes.unchanged.isEmpty)
  }

  @Test func aHitOfAContextThatKnowsNothingHasTheRecordsAsTheyAre() async throws {
    let container = try Self.container(TestServer { _ in Self.fresh() })
    _ = try await container.perform(Self.request, context: container.makeContext())
    let hit = try await container.perform(Self.request, context: container.makeContext())
    #expect(hit.served == .cache)
    #expect(hit.records.map { $0["text"] as String? } == ["First", "Second"])
  }

  @Test func responsesOfASerializerAreNotCached() async throws {
    let container = try Self.container(TestServer { _ in Self.fresh() })
    let serializer = try container.makeSerializer([("posts", "Post")])
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    let result = try await serializer.records(
      from: Array(Self.body.compactText().utf8), url: URL(string: "https://api.test/posts"),
      options: options, context: container.makeContext())
    #expect(result.served == .network && result.diagnostics.isEmpty)
  }

  @Test(arguments: StoreKind.allCases) func aHundredAtOnceAskOnce(kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let gate = Gate()
    let server = TestServer { _ in
      await gate.pass()
      return Self.fresh()
    }
    let container =
      kind == .memory
      ? try Self.container(server)
      : try PersistentContainer(
        model: try RequestFixture.model(),
        configuration: .init(
          store: .file(folder.file()), server: server, cache: RecordCache(url: folder.file("cache"))))
    try await withThrowingTaskGroup(of: Served.self) { group in
      for _ in 1...100 {
        group.addTask {
          let result = try await container.perform(Self.request, context: container.makeContext())
          #expect(result.records.count == 2)
          return result.served
        }
      }
      group.addTask {
        // The gate opens after the first request has reached the server. Later requests use the cached response.
        while server.requests.isEmpty { await Task.yield() }
        await gate.open()
        return .network
      }
      var count: [Served: Int] = [:]
      for try await served in group { count[served, default: 0] += 1 }
      #expect(count == [.network: 2, .cache: 99])
    }
    #expect(server.requests.count == 1)
  }

  /// For example, because another user signs in.
  @Test func whatIsUnderWayWhenEverythingIsForgottenIsNotKept() async throws {
    let (asked, gate) = (Gate(), Gate())
    let server = TestServer { _ in
      await asked.open()
      await gate.pass()
      return Self.fresh()
    }
    let cache = RecordCache()
    let container = try Self.container(server, cache: cache)
    async let first = container.perform(Self.request, context: container.makeContext()).served
    await asked.pass()
    try cache.removeAll()
    await gate.open()
    #expect(try await first == .network)
    #expect(try await container.perform(Self.request, context: container.makeContext()).served == .network)
    #expect(try await container.perform(Self.request, context: container.makeContext()).served == .cache)
  }

  /// A failure includes the diagnostics from before the failure. The debugger receives them too.
  @Test func whatWasNoticedIsToldWithAFailure() async throws {
    struct BrokenServer: Server {
      func response(to request: ServerRequest) -> ServerResponse { ServerResponse(.bytes(Array("[".utf8))) }
    }
    let container = try Self.container(BrokenServer())
    do {
      _ = try await container.perform(Self.request, context: container.makeContext())
      Issue.record("the request succeeded although the response is not JSON")
    } catch let failure as RequestFailure {
      #expect(failure.diagnostics.map(\.code) == [.undescribedRequest, .invalidResponseFormat])
    }
  }

  @Test func requestsOfOtherHeadersDoNotWait() async throws {
    let gate = Gate()
    let server = TestServer { request in
      if request.header("Accept-Language") == nil { await gate.pass() }
      return Self.fresh()
    }
    let container = try Self.container(server)
    async let waiting = container.perform(Self.request, context: container.makeContext()).served
    while server.requests.isEmpty { await Task.yield() }
    var other = Self.request
    other.options?.headers["Accept-Language"] = "de"
    #expect(try await container.perform(other, context: container.makeContext()).served == .network)
    await gate.open()
    #expect(try await waiting == .network)
  }

  /// If some requests are canceled, the others still succeed. The server gets at most one more request for each
  /// canceled one.
  @Test(arguments: randomSeeds(20)) func cancellingSomeLeavesTheOthers(seed: UInt64) async throws {
    var random = RandomNumbers(seed: seed)
    let server = TestServer { _ in
      for _ in 1...20 { await Task.yield() }
      return Self.fresh()
    }
    let container = try Self.container(server)
    let tasks = (0..<20).map { _ in
      Task { try await container.perform(Self.request, context: container.makeContext()).records.count }
    }
    var cancelled: Set<Int> = []
    for index in tasks.indices where random.chance(30) {
      for _ in 0..<random.number(0...30) { await Task.yield() }
      tasks[index].cancel()
      cancelled.insert(index)
    }
    for (index, task) in tasks.enumerated() {
      let result = await task.result
      if case .failure(let error) = result {
        #expect(cancelled.contains(index), "\(error)")
        #expect((error as? RequestFailure)?.primary.code == .cancelled)
      } else {
        #expect(try result.get() == 2)
      }
    }
    #expect(server.requests.count <= cancelled.count + 1)
  }

  @Test func aResponseThatCannotBeSavedLetsTheOthersGoOn() async throws {
    let server = TestServer { request in
      for _ in 1...50 { await Task.yield() }
      return ServerResponse(.bytes(Array("[".utf8)), headers: ["Cache-Control": "max-age=60"])
    }
    let container = try Self.container(server)
    await withTaskGroup(of: DiagnosticCode?.self) { group in
      for _ in 1...8 {
        group.addTask {
          await RequestFixture.code {
            _ = try await container.perform(Self.request, context: container.makeContext())
          }
        }
      }
      for await code in group { #expect(code == .invalidResponseFormat) }
    }
    #expect(server.requests.count == 8)
  }

  /// A response that answers a request from the cache counts as used.
  @Test func anAnswerIsAUse() async throws {
    let server = TestServer { request in
      ServerResponse(
        .json(["data": [["id": .string(request.urn), "text": .string(String(repeating: "b", count: 2000))]]]),
        headers: ["Cache-Control": "max-age=60"])
    }
    // Two responses fit.
    let container = try Self.container(
      server, cache: RecordCache(limits: .init(maximumSize: 5200), now: { moment(0) }))
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    let context = container.makeContext()
    for urn in ["a", "b", "a", "c", "a", "b"] {
      _ = try await container.request("Post", urn: urn, options: options, context: context)
    }
    #expect(server.requests.map(\.urn) == ["a", "b", "c", "b"])
  }

  /// The result has the headers that the server sent with the confirmation.
  @Test func aConfirmedResponseHasNewHeaders() async throws {
    let server = TestServer { request in
      let isConfirmed = request.headers.contains { $0.key.lowercased() == "if-none-match" }
      return ServerResponse(
        isConfirmed ? .bytes([]) : .json(Self.body), status: isConfirmed ? 304 : 200,
        headers: ["ETag": "\"1\"", "X-Answer": isConfirmed ? "second" : "first"])
    }
    let container = try Self.container(server)
    let context = container.makeContext()
    var answers: [String?] = []
    for _ in 0..<2 {
      let result = try await container.perform(Self.request, context: context)
      answers.append(result.headers.first { $0.key.lowercased() == "x-answer" }?.value)
    }
    #expect(answers == ["first", "second"])
  }

  /// Only the metadata of a response are cached, unless their path leads into a list.
  @Test(arguments: ["meta", "meta[0].n"] as [MappingPath]) func metaDataOfACachedResponse(path: MappingPath)
    async throws
  {
    let server = TestServer { _ in
      Self.fresh(["data": [["id": "1", "text": "First"]], "meta": [["n": 7]]])
    }
    let container = try Self.container(server)
    let context = container.makeContext()
    var request = Self.request
    request.options?.keyPathForMetaData = path
    var found: [JSONValue?] = []
    for _ in 0..<2 {
      found.append(try await container.perform(request, context: context).metaData?.value)
    }
    #expect(server.requests.count == 1)
    #expect(found[0] != nil && found[0] == found[1])
  }
}
