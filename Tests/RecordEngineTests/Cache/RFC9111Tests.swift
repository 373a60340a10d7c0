import Foundation
import RecordEngine
import Testing

/// Tests for the requirements of RFC 9111 on a private cache. Each is checked by the client's result and by the
/// requests to the server.
///
/// `RFC9111Requirements` contains the table. It omits requirements on shared caches only, on partial content (section
/// 3.4), which is not stored, and on the registration of directives (sections 5.2.3 and 8).
@Suite struct RFC9111Tests {
  @Test(arguments: RFC9111Requirement.all) func requirement(_ requirement: RFC9111Requirement) async throws {
    let clock = TestClock()
    let server = ExchangeServer(clock)
    let container = try PersistentContainer(
      model: try RequestFixture.model(),
      configuration: .init(server: server, cache: RecordCache(now: clock.now)))
    let context = container.makeContext()
    for (number, exchange) in requirement.exchanges.enumerated() {
      server.begin(exchange)
      var options = RequestOptions()
      options.isRecordLevelCachingEnabled = true
      options.headers = exchange.request.headers
      var request = RecordRequest<Record>(entity: "Post", urn: exchange.request.urn, options: options)
      request.serverRequest.method = exchange.request.method
      var outcome: CacheExchange.Outcome
      do {
        let result = try await container.perform(request, context: context)
        outcome = .answer(result.served)
        for (name, value) in exchange.has { #expect(result.header(name) == value, "\(number): \(name)") }
      } catch let failure as RequestFailure {
        outcome = .failure(failure.status)
      }
      #expect(outcome == exchange.outcome, "\(number)")
      let isAsked = ![.answer(.cache), .failure(504)].contains(exchange.outcome)
      #expect(server.asked.count == (isAsked ? 1 : 0), "\(number)")
      for (name, value) in exchange.sends {
        #expect(server.asked.first?.header(name) == value, "\(number): \(name)")
      }
    }
  }

  @Test func eachRowIsOfASection() {
    let sections = RFC9111Requirement.all.map(\.section)
    #expect(sections == sections.sorted { $0.compare($1, options: .numeric) == .orderedAscending })
    #expect(Set(RFC9111Requirement.all.map(\.testDescription)).count == sections.count)
  }
}

/// A row of the table.
struct RFC9111Requirement: CustomTestStringConvertible, Sendable {
  var section: String
  /// The behavior of the cache, as a phrase that starts with a verb.
  var text: String
  var exchanges: [CacheExchange]

  init(_ section: String, _ text: String, _ exchanges: CacheExchange...) {
    (self.section, self.text, self.exchanges) = (section, text, exchanges)
  }

  var testDescription: String { "§\(section) \(text)" }
}

/// A request, the response of the server, and the expected outcome.
struct CacheExchange: Sendable {
  enum Outcome: Hashable, Sendable {
    case answer(Served)
    case failure(Int?)
  }

  var request = ServerRequest(urn: "https://a.test/posts")
  /// The seconds since the previous exchange.
  var after = 0.0
  /// The seconds that the server takes to respond.
  var takes = 0.0
  var status = 200
  var answer: [String: String] = [:]
  var outcome = Outcome.answer(.network)
  /// The expected headers of the request to the server, with nil for an absent header.
  var sends: [String: String?] = [:]
  /// The expected headers of the result, with nil for an absent header.
  var has: [String: String?] = [:]
}

extension CacheExchange {
  /// Returns an exchange in which the server responds.
  static func asks(
    _ answer: [String: String] = [:], status: Int = 200, by method: String = "GET", at urn: String = "posts",
    with headers: [String: String] = [:], after: Double = 0, takes: Double = 0,
    sends: [String: String?] = [:],
    has: [String: String?] = [:]
  ) -> CacheExchange {
    CacheExchange(
      request: ServerRequest(method: method, urn: "https://a.test/\(urn)", headers: headers), after: after,
      takes: takes, status: status, answer: answer,
      outcome: status < 300 ? .answer(.network) : .failure(status), sends: sends, has: has)
  }

  /// Returns an exchange in which the cached response is used.
  static func hits(
    at urn: String = "posts", with headers: [String: String] = [:], after: Double = 0,
    has: [String: String?] = [:]
  ) -> CacheExchange {
    CacheExchange(
      request: ServerRequest(urn: "https://a.test/\(urn)", headers: headers), after: after,
      outcome: .answer(.cache), has: has)
  }

  /// Returns an exchange in which the server confirms the cached response.
  static func confirms(
    _ answer: [String: String] = [:], with headers: [String: String] = [:], after: Double = 0,
    sends: [String: String?] = [:], has: [String: String?] = [:]
  ) -> CacheExchange {
    CacheExchange(
      request: ServerRequest(urn: "https://a.test/posts", headers: headers), after: after, status: 304,
      answer: answer, outcome: .answer(.revalidated), sends: sends, has: has)
  }

  /// Returns an exchange that fails without a request to the server.
  static func unavailable(with headers: [String: String], after: Double = 0) -> CacheExchange {
    CacheExchange(
      request: ServerRequest(urn: "https://a.test/posts", headers: headers), after: after,
      outcome: .failure(504))
  }
}

/// A server that responds to each request as its exchange specifies.
// Unchecked: all mutable state is accessed only under `lock`.
private final class ExchangeServer: Server, @unchecked Sendable {
  private let lock = NSLock()
  private let clock: TestClock
  private var seconds = 0.0
  private var exchange = CacheExchange()
  private var requests: [ServerRequest] = []

  init(_ clock: TestClock) { self.clock = clock }

  var asked: [ServerRequest] { lock.withLock { requests } }

  func begin(_ exchange: CacheExchange) {
    lock.withLock {
      (self.exchange, requests) = (exchange, [])
      seconds += exchange.after
      clock.set(seconds)
    }
  }

  func description(of request: ServerRequest) -> ServerRequest? { request.normalized }

  func response(to request: ServerRequest) -> ServerResponse {
    lock.withLock {
      requests.append(request)
      seconds += exchange.takes
      clock.set(seconds)
      let isEmpty = [204, 304].contains(exchange.status) || request.method == "HEAD"
      return ServerResponse(
        isEmpty ? .bytes([]) : .json(["data": [["id": "1"]]]), status: exchange.status,
        headers: exchange.answer)
    }
  }
}
