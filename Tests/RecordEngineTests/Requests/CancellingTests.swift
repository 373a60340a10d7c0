import Dispatch
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for canceled requests. Rules: `request.cancel`, `request.once`.
@Suite struct CancellingTests {
  typealias Fixture = RequestFixture

  /// A server that never responds, even if the request is canceled, and signals each request.
  struct SilentServer: Server {
    let arrival = Gate()
    private let never = Gate()

    func response(to request: ServerRequest) async throws -> ServerResponse {
      await arrival.open()
      await never.pass()
      return ServerResponse(.json(["id": .string(request.urn)]))
    }

    /// Lets the abandoned requests end.
    func end() async { await never.open() }
  }

  /// Canceling a domain does not affect requests of other domains or without one.
  @Test func aDomainIsCancelled() async throws {
    let (silent, others) = (SilentServer(), [SilentServer(), SilentServer()])
    let server = TestServer { request in
      switch request.domain {
      case "screen": try await silent.response(to: request)
      case "another screen": try await others[0].response(to: request)
      default: try await others[1].response(to: request)
      }
    }
    let container = try Fixture.container(server)
    @Sendable func code(_ domain: String?) async -> DiagnosticCode? {
      await Fixture.code {
        var options = RequestOptions()
        options.domain = domain
        let context = container.makeContext()
        _ = try await container.request("User", urn: domain ?? "none", options: options, context: context)
      }
    }
    async let cancelled = code("screen")
    async let other = code("another screen")
    async let free = code(nil)
    for server in [silent] + others { await server.arrival.pass() }
    container.cancelRequests(domain: "screen")
    #expect(await cancelled == .cancelled)
    // The response to the canceled request is ignored. The other responses are not.
    for server in [silent] + others { await server.end() }
    #expect(await other == nil)
    #expect(await free == nil)
    let users = try container.makeContext().fetch(RecordFetchRequest("User"))
    #expect(users.compactMap { $0["id"] as String? }.sorted() == ["another screen", "none"])
  }

  /// Canceling a request does not wait until the session is renewed.
  @Test func aRequestIsCancelledWhileTheSessionIsRenewed() async throws {
    let (arrival, never) = (Gate(), Gate())
    let server = TestServer { _ in throw SessionTimeout() }
    let container = try Fixture.container(server)
    container.registerSessionTimeoutHandler { _, _ in
      await arrival.open()
      await never.pass()
      return true
    }
    async let code = Fixture.code {
      var options = RequestOptions()
      options.domain = "screen"
      _ = try await container.request("User", urn: "a", options: options, context: container.makeContext())
    }
    await arrival.pass()
    container.cancelRequests(domain: "screen")
    #expect(await code == .cancelled)
    await never.open()
    #expect(server.requests.count == 1)
  }

  @Test func aTaskIsCancelled() async throws {
    let server = SilentServer()
    let container = try Fixture.container(server)
    let task = Task {
      await Fixture.code {
        _ = try await container.request("User", urn: "a", context: container.makeContext())
      }
    }
    await server.arrival.pass()
    task.cancel()
    #expect(await task.value == .cancelled)
    await server.end()
  }

  /// A debugger that performs an action for each diagnostic.
  private struct ActingDebugger: Debugger {
    let action: @Sendable () -> Void

    func severity(of diagnostic: Diagnostic) -> DiagnosticSeverity {
      action()
      return diagnostic.code.severity
    }
  }

  /// The request is canceled, or not, after the population of its response, which changes nothing.
  @Test(arguments: [false, true]) func aResponseWithoutChangesIsCachedUnlessCancelled(isCancelled: Bool)
    async throws
  {
    let server = TestServer { _ in
      ServerResponse(
        .json([["id": "1", "name": ["first": "Ann"]]]), headers: ["Cache-Control": "max-age=60"])
    }
    let cache = RecordCache()
    let container = try PersistentContainer(
      model: Fixture.model(), configuration: .init(server: server, cache: cache))
    var options = Fixture.options(domain: "screen")
    _ = try await container.request("User", urn: "a", options: options, context: container.makeContext())
    options.isRecordLevelCachingEnabled = true
    options.debugger = ActingDebugger { [weak container] in
      if isCancelled { container?.cancelRequests(domain: "screen") }
    }
    let code = await Fixture.code {
      _ = try await container.request("User", urn: "a", options: options, context: container.makeContext())
    }
    #expect(code == (isCancelled ? .cancelled : nil))
    #expect((cache.size > 0) == !isCancelled)
  }

  /// The request is canceled after the population of its response, which has not been applied to the context yet.
  @Test func aPopulatedResponseIsCancelled() async throws {
    let container = try Fixture.container(TestServer(["a": [["id": "1", "name": ["first": "Ann"]]]]))
    let context = container.makeContext()
    var options = Fixture.options(domain: "screen")
    options.automaticallyPersistsRecords = false
    options.debugger = ActingDebugger { container.cancelRequests(domain: "screen") }
    let code = await Fixture.code {
      _ = try await container.request("User", urn: "a", options: options, context: context)
    }
    #expect(code == .cancelled)
    #expect(!context.hasChanges)
  }

  /// A request can be canceled before the engine has started to process it.
  @Test func whatHasNotBegunYetIsCancelled() async throws {
    let server = TestServer(["a": ["id": "1"]])
    let container = try Fixture.container(server)
    let queue = DispatchQueue(label: "callbacks")
    let options = Fixture.options(domain: "screen")
    let request = RecordRequest<Fixture.User>(urn: "a", options: options)
    let end = await withCheckedContinuation { continuation in
      queue.async {
        container.startRequest(
          request, context: container.makeContext(), callbackQueue: queue,
          result: { _ in continuation.resume(returning: "result") },
          failure: { continuation.resume(returning: "\($0)") })
        container.cancelRequests(domain: "screen")
      }
    }
    #expect(end.hasPrefix("cancelled"))

    var ends: [String] = []
    await container.batch(context: container.makeContext()) { batch in
      batch.request(request) { ends.append((try? $0.get()) == nil ? "failed" : "result") }
      container.cancelRequests(domain: "screen")
    }
    #expect(ends == ["failed"])
    let code = await Fixture.code {
      _ = try await container.perform(
        request, fetchFirst: RecordFetchRequest("User"), context: container.makeContext()
      ) { _ in container.cancelRequests(domain: "screen") }
    }
    #expect(code == .cancelled)
    #expect(server.requests.isEmpty)
    #expect(try container.makeContext().fetch(RecordFetchRequest("User")).isEmpty)
  }

  /// The handler of stored records fails, and with it the request.
  @Test func aRequestEndsWithItsHandlerOfStoredRecords() async throws {
    struct Refusal: Error {}
    let container = try Fixture.container(TestServer(["a": ["id": "1"]]))
    let options = Fixture.options(domain: "screen")
    let request = RecordRequest<Fixture.User>(urn: "a", options: options)
    await #expect(throws: Refusal.self) {
      _ = try await container.perform(
        request, fetchFirst: RecordFetchRequest("User"), context: container.makeContext()
      ) { _ in
        #expect(container.inFlightDomains == ["screen"])
        throw Refusal()
      }
    }
    #expect(container.inFlightDomains.isEmpty)
  }

  /// The handler of stored records can cancel the request. Requests for details belong to a domain too.
  @Test func whatIsStoredCancelsARequestOfABatch() async throws {
    let server = TestServer(["a": ["id": "1"]])
    let container = try Fixture.container(server)
    let options = Fixture.options(domain: "screen")
    let request = RecordRequest<Fixture.User>(urn: "a", options: options)
    var codes: [DiagnosticCode?] = []
    var kept: RequestBatch?
    await container.batch(context: container.makeContext()) { batch in
      kept = batch
      batch.request(request, fetchFirst: RecordFetchRequest("User")) { _ in
        container.cancelRequests(domain: "screen")
      } completion: { result in
        if case .failure(let error) = result { codes.append((error as? RequestFailure)?.primary.code) }
      }
    }
    #expect(codes == [.cancelled])
    #expect(server.requests.isEmpty)
    // A request after the end of the batch fails.
    kept?.request(request, fetchFirst: RecordFetchRequest("User")) { _ in
      Issue.record("stored records were reported after the end of the batch")
    } completion: { result in
      if case .failure(let error) = result { codes.append((error as? RequestFailure)?.primary.code) }
    }
    #expect(codes == [.cancelled, .unknown])
    #expect(container.inFlightDomains.isEmpty)
  }

  /// The domain is that of the options of the request, or else that of the default options.
  @Test(arguments: [false, true]) func detailsThatHaveNotBegunYetAreCancelled(
    hasOwnOptions: Bool
  ) async throws {
    let server = TestServer([
      "posts": ["data": [["id": "1", "user": ["id": "7"]]]], "users/7/posts/1": ["data": ["text": "full"]],
    ])
    let container = try Fixture.container(server)
    let options = Fixture.options(domain: "screen")
    if !hasOwnOptions { try container.setDefaultOptions(options, for: "Post") }
    let own = hasOwnOptions ? options : nil
    let queue = DispatchQueue(label: "callbacks")
    let end = await withCheckedContinuation { continuation in
      queue.async {
        let context = container.makeContext()
        container.startRequest(
          RecordRequest<Fixture.Post>(urn: "posts"), context: context, callbackQueue: queue,
          result: { result in
            container.startDetailRequest(
              of: result.records[0], options: own, callbackQueue: queue,
              result: { _ in continuation.resume(returning: "result") },
              failure: { continuation.resume(returning: "\($0)") })
            container.cancelRequests(domain: "screen")
          },
          failure: { continuation.resume(returning: "no posts: \($0)") })
      }
    }
    #expect(end.hasPrefix("cancelled"), "\(end)")
    #expect(server.requests.count == 1)
  }

  /// Population stops after the phase in which the request is canceled, and later hooks are not called.
  @Test func populatingEndsWithTheCancellation() async throws {
    let server = TestServer(["a": [["id": "1"]], "b": [["id": "2"]]])
    let container = try Fixture.container(server)
    _ = try await container.request("User", urn: "a", context: container.makeContext())
    var options = Fixture.options(domain: "screen")
    options.prePopulation = { _ in
      container.cancelRequests(domain: "screen")
      return nil
    }
    options.orphans = OrphanDeletion { _ in
      Issue.record("a canceled request evaluated orphans")
      return .delete
    }
    let code = await Fixture.code { [options] in
      _ = try await container.request("User", urn: "b", options: options, context: container.makeContext())
    }
    #expect(code == .cancelled)
    #expect(try container.makeContext().fetch(RecordFetchRequest("User")).map { $0["id"] } == ["1"])
  }

  @Test func aCancelledTaskSendsNoRequest() async throws {
    let server = TestServer(["a": ["id": "1"]])
    let container = try Fixture.container(server)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await Fixture.code {
        _ = try await container.request("User", urn: "a", context: container.makeContext())
      }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(server.requests.isEmpty)
  }

  // MARK: Population

  /// The handling of a populated response.
  enum Ending: CaseIterable {
    case saved, unsaved, dryRun

    var options: RequestOptions {
      var options = Fixture.options(domain: "screen")
      options.automaticallyPersistsRecords = self != .unsaved
      options.isDryRun = self == .dryRun
      return options
    }
  }

  /// A hook is called during population.
  @Test(arguments: Ending.allCases, [false, true])
  func aRequestIsCancelledWhileItsResponseIsPopulated(_ ending: Ending, inBatch: Bool) async throws {
    let container = try Fixture.container(TestServer(["a": ["id": "1", "name": "Ada"]]))
    let context = container.makeContext()
    var request = RecordRequest<Fixture.User>(urn: "a", options: ending.options)
    request.options?.prePopulation = { _ in
      container.cancelRequests(domain: "screen")
      return nil
    }
    let code: DiagnosticCode?
    if inBatch {
      var results: [Result<RequestResult<Fixture.User>, any Error>] = []
      await container.batch(context: context) { batch in batch.request(request) { results.append($0) } }
      #expect(results.count == 1)
      code = await Fixture.code { for result in results { _ = try result.get() } }
    } else {
      code = await Fixture.code { _ = try await container.perform(request, context: context) }
    }
    #expect(code == .cancelled)
    #expect(!context.hasChanges)
    #expect(try context.fetch(RecordFetchRequest("User")).isEmpty)
    #expect(container.inFlightDomains.isEmpty)
    // Other requests of the context do not wait for the canceled one.
    let later = try await container.request("User", urn: "a", context: context)
    #expect(later.changes.inserted.count == 1)
  }

  /// A request can be canceled until its save takes effect. A request that fails for another reason after its
  /// cancellation is canceled too.
  @Test(arguments: StoreKind.allCases, [false, true])
  func aRequestIsCancelledUntilItsSaveIsCommitted(_ kind: StoreKind, isCommitted: Bool) async throws {
    let model = try Fixture.model()
    let inner = try TestStore(kind, model.schema)
    let store = StoreCallCounter(inner.store)
    let container = PersistentContainer(
      model: model, store: store,
      configuration: .init(server: TestServer(["a": ["id": "1"], "bad": ["id": "2"]])))
    let cancel: @Sendable () -> Void = { container.cancelRequests(domain: "screen") }
    let nothing: @Sendable () -> Void = {}
    store.onConfirming(before: isCommitted ? nothing : cancel, after: isCommitted ? cancel : nothing)
    defer { store.onConfirming(before: nothing, after: nothing) }
    let context = container.makeContext()
    func code(_ urn: String, _ options: RequestOptions) async -> DiagnosticCode? {
      await Fixture.code {
        _ = try await container.request("User", urn: urn, options: options, context: context)
      }
    }
    #expect(await code("a", Fixture.options(domain: "screen")) == (isCommitted ? nil : .cancelled))
    #expect(try context.fetch(RecordFetchRequest("User")).count == (isCommitted ? 1 : 0))
    #expect(try container.makeContext().fetch(RecordFetchRequest("User")).count == (isCommitted ? 1 : 0))
    var options = Fixture.options(domain: "screen")
    options.prePopulation = { _ in
      cancel()
      store.fail([.commit])
      return nil
    }
    #expect(await code("bad", options) == .cancelled)
  }

  @Test func othersOfABatchGoOn() async throws {
    let gate = Gate()
    let arrival = Gate()
    let server = TestServer { request in
      if request.urn == "slow" {
        await arrival.open()
        await gate.pass()
      }
      return ServerResponse(.json(["id": .string(request.urn)]))
    }
    let container = try Fixture.container(server)
    let context = container.makeContext()
    var ends: [String] = []
    let canceller = Task {
      await arrival.pass()
      container.cancelRequests(domain: "slow")
    }
    await container.batch(context: context) { batch in
      for urn in ["slow", "fast"] {
        batch.request(RecordRequest(entity: "User", urn: urn, options: Fixture.options(domain: urn))) {
          result in
          switch result {
          case .success(let answer): ends.append("\(answer.records.count) \(urn)")
          case .failure(let error):
            ends.append("\((error as? RequestFailure)?.primary.code.rawValue ?? "?") \(urn)")
          }
        }
      }
    }
    await canceller.value
    await gate.open()
    #expect(ends.sorted() == ["1 fast", "cancelled slow"])
  }
}
