import Foundation
import RecordEngine
import TestSupport
import Testing

/// Tests for cached requests that run at the same time or are canceled. Rules: `cache.concurrent`,
/// `cache.invalidation`, `request.cancel`.
@Suite(.timeLimit(.minutes(5))) struct CoalescedRequestsTests {
  private static let fresh = ServerResponse(
    .json(["data": [["id": "1", "text": "First"]]]), headers: ["Cache-Control": "max-age=86400"])

  private static func request(
    _ urn: String = "posts", method: String = "GET", domain: String? = nil
  ) -> RecordRequest<Record> {
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    options.domain = domain
    var request = RecordRequest<Record>(entity: "Post", urn: urn, options: options)
    request.serverRequest.method = method
    return request
  }

  private static func container(_ server: any Server) throws -> PersistentContainer {
    try PersistentContainer(
      model: try RequestFixture.model(), configuration: .init(server: server, cache: RecordCache()))
  }

  /// Returns a task that records an issue and calls `letGo` after two minutes, so that a test that hangs fails instead.
  private static func withoutHanging(_ letGo: @escaping @Sendable () async -> Void) -> Task<Void, any Error> {
    Task {
      try await Task.sleep(for: .seconds(120))
      Issue.record("the request has not continued by itself")
      await letGo()
    }
  }

  // MARK: Descriptions of requests

  @Test func aRequestThatIsStillDescribedIsCancelledAtOnce() async throws {
    let gate = Gate()
    let server = DescribingServer({ request, _ in
      await gate.pass()
      return request
    })
    let container = try Self.container(server)
    let watch = Self.withoutHanging { await gate.open() }
    defer { watch.cancel() }
    let task = Task {
      try await container.perform(Self.request(domain: "list"), context: container.makeContext()).records
        .count
    }
    await server.descriptions.wait()
    container.cancelRequests(domain: "list")
    let code = await RequestFixture.code { _ = try await task.value }
    #expect(code == .cancelled)
    watch.cancel()
    await gate.open()
  }

  /// The session expires before the request can be described. The handler is called as without a cache.
  @Test(arguments: ["GET", "POST"]) func aSessionThatTimesOutBeforeIsRenewed(method: String) async throws {
    let isRenewed = Flag()
    let server = DescribingServer(
      { request, _ in
        if !isRenewed.value { throw SessionTimeout() }
        return request
      },
      { _ in
        if !isRenewed.value { throw SessionTimeout() }
        return Self.fresh
      })
    let container = try Self.container(server)
    let asked = Flag()
    container.registerSessionTimeoutHandler { _, _ in
      #expect(!asked.value)
      asked.value = true
      isRenewed.value = true
      return true
    }
    let result = try await container.perform(
      Self.request(method: method), context: container.makeContext())
    #expect(result.records.count == 1 && result.served == .network && asked.value)
  }

  @Test func whatTheServerHasDoneIsNoFailureBecauseItCannotBeDescribed() async throws {
    let server = DescribingServer({ request, answered in
      struct NoToken: Error {}
      if answered > 0 { throw NoToken() }
      return request
    })
    let container = try Self.container(server)
    let result = try await container.perform(
      Self.request(method: "POST"), context: container.makeContext())
    #expect(result.records.count == 1)
  }

  // MARK: Waiting requests

  /// After an unusable response, the waiting requests are sent at the same time and not one after another.
  @Test func afterAResponseThatIsNoneTheOthersAskAtOnce() async throws {
    let (first, all) = (Gate(), Gate())
    let server = HoldingServer { number in
      if number == 1 { await first.pass() }
      if number == 5 { await all.open() }
      if number > 1 { await all.pass() }
      return ServerResponse(.bytes(Array("[".utf8)), headers: ["Cache-Control": "max-age=86400"])
    }
    let container = try Self.container(server)
    let watch = Self.withoutHanging { await all.open() }
    defer { watch.cancel() }
    await withTaskGroup(of: DiagnosticCode?.self) { group in
      for _ in 1...5 {
        group.addTask {
          await RequestFixture.code {
            _ = try await container.perform(Self.request(), context: container.makeContext())
          }
        }
      }
      await server.heldBack.wait(for: 4)
      await first.open()
      for await code in group { #expect(code == .invalidResponseFormat) }
    }
    #expect(server.asked.count == 5)
  }

  @Test func whoWaitsIsCancelledAloneAndAtOnce() async throws {
    let gate = Gate()
    let server = HoldingServer { _ in
      await gate.pass()
      return Self.fresh
    }
    let container = try Self.container(server)
    let watch = Self.withoutHanging { await gate.open() }
    defer { watch.cancel() }
    async let leading = container.perform(Self.request(), context: container.makeContext()).served
    await server.asked.wait()
    let waiting = Task {
      try await container.perform(Self.request(domain: "list"), context: container.makeContext()).served
    }
    await server.heldBack.wait()
    container.cancelRequests(domain: "list")
    let code = await RequestFixture.code { _ = try await waiting.value }
    #expect(code == .cancelled)
    watch.cancel()
    await gate.open()
    #expect(try await leading == .network)
    #expect(server.asked.count == 1 && container.inFlightDomains.isEmpty)
  }

  /// In a batch, a response waits until the earlier ones are populated, and other requests wait for the response.
  @Test func batchesAndOthersOfOneContextDoNotWaitForEachOther() async throws {
    let server = HoldingServer { _ in
      await Task.yield()
      return Self.fresh
    }
    let container = try Self.container(server)
    await Self.inOneContext(container)
    #expect(server.asked.count == 3)
  }

  @MainActor private static func inOneContext(_ container: PersistentContainer) async {
    let context = container.makeContext()
    let batches = (1...2).map { _ in
      Task {
        await container.batch(context: context) { batch in
          for urn in ["posts/1", "posts/2", "posts/3", "posts/1", "posts/2", "posts/3"] {
            batch.request(request(urn)) { #expect((try? $0.get().records.count) == 1) }
          }
        }
      }
    }
    for number in [3, 2, 1] {
      let result = try? await container.perform(request("posts/\(number)"), context: context)
      #expect(result?.records.count == 1)
    }
    for batch in batches { await batch.value }
  }

  /// The response to a request that was sent before a change may be out of date.
  @Test func whatIsUnderWayWhileItIsChangedIsNotKept() async throws {
    let gate = Gate()
    let server = HoldingServer { number in
      if number == 1 { await gate.pass() }
      return Self.fresh
    }
    let container = try Self.container(server)
    let watch = Self.withoutHanging { await gate.open() }
    defer { watch.cancel() }
    async let before = container.perform(Self.request(), context: container.makeContext()).served
    await server.asked.wait()
    _ = try await container.perform(Self.request(method: "POST"), context: container.makeContext())
    // This request does not wait for a response that may be out of date.
    let during = try await container.perform(Self.request(), context: container.makeContext())
    #expect(during.served == .network)
    await gate.open()
    #expect(try await before == .network)
    #expect(server.asked.count == 3)
  }

  @Test func whatWasUnderWayDoesNotAnswerAfterwards() async throws {
    let gate = Gate()
    let server = HoldingServer { number in
      if number == 1 { await gate.pass() }
      return Self.fresh
    }
    let container = try Self.container(server)
    async let before = container.perform(Self.request(), context: container.makeContext()).served
    await server.asked.wait()
    _ = try await container.perform(Self.request(method: "POST"), context: container.makeContext())
    await gate.open()
    #expect(try await before == .network)
    let after = try await container.perform(Self.request(), context: container.makeContext())
    #expect(after.served == .network)
  }

  /// The session timeout handler sends the same request as the request that waits for the handler.
  @Test func whatIsAskedFromWithinARequestDoesNotWaitForIt() async throws {
    let isRenewed = Flag()
    let server = DescribingServer(
      { request, _ in request },
      { _ in
        if !isRenewed.value { throw SessionTimeout() }
        return Self.fresh
      })
    let container = try Self.container(server)
    container.registerSessionTimeoutHandler { [weak container] _, _ in
      isRenewed.value = true
      guard let container else { return false }
      let result = try? await container.perform(
        Self.request(domain: "within"), context: container.makeContext())
      return result?.records.count == 1
    }
    let watch = Self.withoutHanging { container.cancelRequests(domain: "within") }
    defer { watch.cancel() }
    let result = try await container.perform(Self.request(), context: container.makeContext())
    #expect(result.records.count == 1)
  }

  // MARK: Concurrent saves

  /// Concurrent saves do not invalidate each other's cached responses.
  @Test(arguments: 1...10) func manyListsAtOnceAreAllKept(round: Int) async throws {
    let folder = try TemporaryFolder()
    let server = TestServer { request in
      ServerResponse(
        .json(["data": [["id": .string(request.urn), "text": "First"]]]),
        headers: ["Cache-Control": "max-age=86400"])
    }
    let cache = try RecordCache(url: folder.file("cache"))
    func open() throws -> PersistentContainer {
      try PersistentContainer(
        model: try RequestFixture.model(),
        configuration: .init(store: .file(folder.file()), server: server, cache: cache))
    }
    var container: PersistentContainer? = try open()
    for urns in [(1...20).map { "a/\($0)" }, (1...20).map { "b/\($0)" }] {
      let container = try #require(container)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for urn in urns {
          group.addTask {
            _ = try await container.perform(Self.request(urn), context: container.makeContext())
          }
        }
        try await group.waitForAll()
      }
    }
    container = nil
    // Cached responses stay valid when several requests write to the reopened store at the same time.
    container = try open()
    let reopened = try #require(container)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for urn in (1...10).map({ "c/\($0)" }) {
        group.addTask {
          _ = try await reopened.perform(Self.request(urn), context: reopened.makeContext())
        }
      }
      try await group.waitForAll()
    }
    for urn in (1...20).flatMap({ ["a/\($0)", "b/\($0)"] }) {
      let result = try await reopened.perform(Self.request(urn), context: reopened.makeContext())
      #expect(result.served == .cache, "\(urn)")
    }
  }

  @Test func aContainerMayGoWhileItsRequestsRun() async throws {
    let gate = Gate()
    let server = HoldingServer { _ in
      await gate.pass()
      return Self.fresh
    }
    var container: PersistentContainer? = try Self.container(server)
    let ends = EventCounter()
    container?.registerSessionTimeoutHandler { [held = Held(ends)] _, _ in
      withExtendedLifetime(held) { false }
    }
    let tasks = try (1...3).map { _ in
      let container = try #require(container)
      return Task {
        try await container.perform(Self.request(), context: container.makeContext()).records.count
      }
    }
    await server.heldBack.wait(for: 2)
    container = nil
    await gate.open()
    for task in tasks { #expect(try await task.value == 1) }
    await ends.wait()
    #expect(server.asked.count == 1)
  }

  /// Two containers with separate stores share a cache. The cache never uses an entry of one store for the other.
  @Test func oneCacheOfTwoStoresIsNeverWrong() async throws {
    let cache = RecordCache()
    let server = TestServer { request in
      ServerResponse(
        .json(["data": [["id": .string(request.urn), "text": .string(request.urn)]]]),
        headers: ["Cache-Control": "max-age=86400"])
    }
    let containers: [PersistentContainer] = try (1...2).map { _ in
      try PersistentContainer(
        model: try RequestFixture.model(), configuration: .init(server: server, cache: cache))
    }
    var random = RandomNumbers(seed: 7)
    for _ in 1...200 {
      let (container, urn) = (containers[random.number(0...1)], "\(random.number(1...3))")
      let result = try await container.perform(Self.request(urn), context: container.makeContext())
      #expect(result.records.map { $0["text"] as String? } == [urn])
    }
  }
}

/// An object that a container retains, and that reports its deinitialization.
private final class Held: Sendable {
  private let ends: EventCounter
  init(_ ends: EventCounter) { self.ends = ends }
  deinit { ends.note() }
}

/// A server whose descriptions a test controls.
// Unchecked: all mutable state is accessed only under `lock`.
private final class DescribingServer: Server, @unchecked Sendable {
  private let lock = NSLock()
  private var answered = 0
  let descriptions = EventCounter()
  private let describe: @Sendable (ServerRequest, _ answered: Int) async throws -> ServerRequest
  private let answer: @Sendable (ServerRequest) async throws -> ServerResponse

  init(
    _ describe: @escaping @Sendable (ServerRequest, _ answered: Int) async throws -> ServerRequest,
    _ answer: @escaping @Sendable (ServerRequest) async throws -> ServerResponse = { _ in
      ServerResponse(.json(["data": [["id": "1"]]]), headers: ["Cache-Control": "max-age=86400"])
    }
  ) {
    (self.describe, self.answer) = (describe, answer)
  }

  func description(of request: ServerRequest) async throws -> ServerRequest? {
    let answered = lock.withLock { self.answered }
    descriptions.note()
    return try await describe(request, answered)
  }

  func response(to request: ServerRequest) async throws -> ServerResponse {
    let response = try await answer(request)
    lock.withLock { answered += 1 }
    return response
  }
}

/// A server that counts the requests that wait for other requests.
private final class HoldingServer: QueueingServer {
  let (asked, heldBack) = (EventCounter(), EventCounter())
  private let answer: @Sendable (_ number: Int) async -> ServerResponse

  init(_ answer: @escaping @Sendable (_ number: Int) async -> ServerResponse) { self.answer = answer }

  func description(of request: ServerRequest) -> ServerRequest? { request }
  func response(to request: ServerRequest) async -> ServerResponse { await answer(asked.note()) }
  func isHeldBack(_ request: ServerRequest, behind other: ServerRequest) { heldBack.note() }
  func goesOn(_ request: ServerRequest) {}
  func waitForTurn(of request: ServerRequest) {}
}
