import Foundation
import RecordEngine
import Testing

/// Tests for concurrent requests whose session has expired. Rule: `request.session-timeout`.
@Suite(.timeLimit(.minutes(5))) struct SessionTimeoutTests {
  typealias Fixture = RequestFixture

  /// The renewed sessions, and the requests for which the handler was called.
  private actor Sessions {
    private(set) var asked: [String] = []
    private var renewed: Set<String> = []

    func ask(_ urn: String) { asked.append(urn) }
    func renew(_ name: String) { renewed.insert(name) }
    func isRenewed(_ name: String) -> Bool { renewed.contains(name) }
  }

  /// A gate that opens after a number of arrivals.
  private actor Arrivals {
    private var left: Int
    private let gate = Gate()

    init(_ count: Int) { left = count }

    func come() async {
      left -= 1
      if left == 0 { await gate.open() }
    }

    func all() async { await gate.pass() }
  }

  /// Returns a server that responds after its session is renewed.
  private static func server(_ name: String, _ sessions: Sessions, _ arrivals: Arrivals) -> TestServer {
    TestServer { request in
      guard await sessions.isRenewed(name) else {
        await arrivals.come()
        throw SessionTimeout(request.urn)
      }
      return ServerResponse(.json(["id": .string(request.urn)]))
    }
  }

  /// Performs requests concurrently, and returns the number of results.
  private static func results(_ container: PersistentContainer, _ requests: [(EntityName, String)]) async
    -> Int
  {
    await withTaskGroup(of: Bool.self) { group in
      for (entity, urn) in requests {
        group.addTask {
          (try? await container.request(entity, urn: urn, context: container.makeContext())) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  @Test(arguments: [true, false]) func oneIsAskedForAll(isRenewed: Bool) async throws {
    let (sessions, arrivals) = (Sessions(), Arrivals(20))
    let server = Self.server("one", sessions, arrivals)
    let container = try Fixture.container(server)
    container.registerSessionTimeoutHandler { request, _ in
      await sessions.ask(request.urn)
      await arrivals.all()
      // All requests have reached the handler, or are about to.
      for _ in 0..<1000 { await Task.yield() }
      if isRenewed { await sessions.renew("one") }
      return isRenewed
    }
    let requests: [(EntityName, String)] = (0..<20).map { ("User", "\($0)") }
    #expect(await Self.results(container, requests) == (isRenewed ? 20 : 0))
    if isRenewed {
      #expect(await sessions.asked.count == 1)
      #expect(server.requests.count == 40)
    } else {
      #expect(server.requests.count == 20)
    }
  }

  /// If the session has been renewed since a request was sent, the handler is not called for this request.
  @Test func whoComesLateIsMadeAgain() async throws {
    let (sessions, slowIsSent, isRenewed) = (Sessions(), Gate(), Gate())
    let server = TestServer { request in
      if await sessions.isRenewed("one") { return ServerResponse(.json(["id": .string(request.urn)])) }
      if request.urn == "slow" {
        await slowIsSent.open()
        await isRenewed.pass()
      }
      throw SessionTimeout()
    }
    let container = try Fixture.container(server)
    container.registerSessionTimeoutHandler { request, _ in
      await sessions.ask(request.urn)
      await sessions.renew("one")
      return true
    }
    async let slow = Self.results(container, [("User", "slow")])
    await slowIsSent.pass()
    #expect(await Self.results(container, [("User", "quick")]) == 1)
    await isRenewed.open()
    #expect(await slow == 1)
    #expect(await sessions.asked == ["quick"])
    #expect(server.requests.map(\.urn) == ["slow", "quick", "quick", "slow"])
  }

  /// Each server has its own session. If renewing one session does not help a request, the handler is called for that
  /// request too.
  @Test func eachServerHasItsSession() async throws {
    let (sessions, arrivals) = (Sessions(), Arrivals(2))
    let container = try Fixture.container(Self.server("User", sessions, arrivals))
    try container.register(Self.server("Draft", sessions, arrivals), for: "Draft")
    container.registerSessionTimeoutHandler { request, _ in
      await sessions.ask(request.urn)
      await arrivals.all()
      for _ in 0..<1000 { await Task.yield() }
      await sessions.renew(request.urn)
      return true
    }
    #expect(await Self.results(container, [("User", "User"), ("Draft", "Draft")]) == 2)
    #expect(await sessions.asked.sorted() == ["Draft", "User"])
  }

  /// Requests that the handler makes, for example to sign in, do not wait for the handler.
  @Test func aHandlerThatMeetsATimeoutItself() async throws {
    let sessions = Sessions()
    let container = try Fixture.container(TestServer { _ in throw SessionTimeout() })
    container.registerSessionTimeoutHandler { [weak container] request, _ in
      await sessions.ask(request.urn)
      guard let container else { return false }
      return await Self.results(container, [("User", "sign-in")]) == 1
    }
    #expect(await Self.results(container, [("User", "users")]) == 0)
    #expect(await sessions.asked == ["users"])
  }

  /// If a request is canceled, its handler continues for the requests that wait for it.
  @Test func whoHasAskedMayBeCancelled() async throws {
    let (sessions, arrivals, goOn) = (Sessions(), Arrivals(2), Gate())
    let server = Self.server("one", sessions, arrivals)
    let container = try Fixture.container(server)
    let isAsked = Gate()
    container.registerSessionTimeoutHandler { request, _ in
      await sessions.ask(request.urn)
      await isAsked.open()
      await goOn.pass()
      guard !Task.isCancelled else { return false }
      await sessions.renew("one")
      return true
    }
    var options = RequestOptions()
    options.domain = "first"
    async let first = Fixture.code { [options] in
      _ = try await container.request("User", urn: "1", options: options, context: container.makeContext())
    }
    await isAsked.pass()
    async let second = Self.results(container, [("User", "2")])
    await arrivals.all()
    for _ in 0..<1000 { await Task.yield() }
    container.cancelRequests(domain: "first")
    #expect(await first == .cancelled)
    await goOn.open()
    #expect(await second == 1)
    #expect(await sessions.asked == ["1"])
    #expect(server.requests.map(\.urn) == ["1", "2", "2"])
  }
}
