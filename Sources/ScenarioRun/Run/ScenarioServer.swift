import Foundation
import JSONTree
package import RecordEngine
import ScenarioComparison
package import ScenarioFormat

/// The server of a scenario, which answers from the canned responses and records the requests.
///
/// The number of answered requests is limited, so that a scenario cannot send requests forever.
// Unchecked: all mutable state is read and written only under `lock`.
package final class ScenarioServer: QueueingServer, @unchecked Sendable {
  package let baseURL: String
  package let paging: Paging?
  private let lock = NSLock()
  private let requestLimit: Int
  /// The number of received requests.
  private var requestCount = 0
  private var responses: CannedResponses
  /// The received requests, in the order of arrival.
  private var journal: [JournalEntry] = []
  /// The addresses of the requests whose response is an array.
  private var arrays: [RequestAddress] = []
  /// The requests without a response.
  private var unanswered: [UnansweredRequest] = []
  package let clock: VirtualClock
  /// The requests that wait for their answers.
  let held: HeldRequests
  /// The requests of a batch, which wait for one another.
  package let batch: BatchSchedule

  /// Creates a server.
  ///
  /// - Parameter requestLimit: the maximum number of requests that are answered. The default equals the default maximum
  ///   number of pages in a run.
  package init(_ scenario: Scenario, requestLimit: Int = 10_000) {
    self.requestLimit = requestLimit
    baseURL = scenario.baseURL
    paging = scenario.paging.map(Paging.init)
    responses = CannedResponses(scenario.responses)
    clock = VirtualClock(start: scenario.now)
    held = HeldRequests(clock: clock)
    batch = BatchSchedule(held)
  }

  /// A received request.
  struct JournalEntry {
    var request: RequestSnapshot
    /// The index of its response among all canned responses; nil if there is none.
    var answer: Int?
  }

  /// The response that was chosen for a request.
  package struct Answer {
    package var response: CannedResponse
    /// The index of the response among all canned responses.
    package var index: Int
    /// The time at which the response arrives, since the scenario began.
    var due: Duration
    package var failure: ServerFailure?
  }

  package func response(to request: ServerRequest) async throws -> ServerResponse {
    try await response(to: request, relativeTo: baseURL)
  }

  package func description(of request: ServerRequest) async throws -> ServerRequest? {
    try await description(of: request, relativeTo: baseURL)
  }

  fileprivate func description(
    of request: ServerRequest, relativeTo base: String
  ) async throws -> ServerRequest {
    let sent = try sent(request, relativeTo: base)
    // The order of two identical requests must not depend on their tasks.
    if let tag = request.tag { try await batch.arrival(of: tag) }
    return sent
  }

  /// Returns a request as it is sent, with an absolute address.
  package func sent(_ request: ServerRequest, relativeTo base: String) throws(UnansweredRequest)
    -> ServerRequest
  {
    let url = (try address(of: request, relativeTo: base) as RequestAddress).url(relativeTo: baseURL)
    // As over HTTP: another origin gets no secrets.
    let isTrusted = WebAddress(url).origin == WebAddress(base).origin
    return ServerRequest(
      method: request.method, urn: url, body: request.body,
      headers: request.headers.filter { isTrusted || Redirect.isHarmless($0.key) })
  }

  /// Records that a request is coalesced with another one, so that it is not expected to arrive.
  package func isHeldBack(_ request: ServerRequest, behind other: ServerRequest) {
    if let tag = request.tag, batch.includes(tag) {
      batch.holdBack(tag, behind: other.tag)
    } else {
      held.holdBack(request.tag, domain: request.domain, behind: other.tag)
    }
  }

  package func goesOn(_ request: ServerRequest) {
    guard let tag = request.tag else { return }
    if batch.includes(tag) { batch.expect(tag) } else { held.goesOn(tag) }
  }

  package func waitForTurn(of request: ServerRequest) async { await held.waitForTurn(of: request.tag) }

  /// Returns the response to a request that is not redirected any further.
  ///
  /// - Parameter former: the address that redirected to this request; nil if there is none.
  func ownResponse(
    to request: ServerRequest, relativeTo base: String, redirectedFrom former: RequestAddress? = nil
  ) async throws -> ServerResponse {
    let choose = {
      self.lock.withLock {
        Result<Answer, any Error> {
          do throws(UnansweredRequest) {
            return try self.answer(to: request, relativeTo: base, redirectedFrom: former)
          } catch {
            self.unanswered.append(error)
            throw error
          }
        }
      }
    }
    let answer: Answer
    if let tag = request.tag, batch.includes(tag) {
      answer = try await batch.answer(of: tag, choose)
      await held.pass(nil, until: answer.due)
    } else {
      answer = try choose().get()
      await held.pass(request.tag, domain: request.domain, until: answer.due)
    }
    if let failure = answer.failure { throw failure.error }
    let canned = answer.response
    var response = ServerResponse(
      .bytes(canned.body?.bytes ?? []), status: canned.status, headers: canned.headers)
    response.mark = answer.index
    return response
  }

  package func address(of request: ServerRequest) -> String { Self.address(of: request, relativeTo: baseURL) }

  /// Returns the relative address of a request, even if the request states an absolute one.
  private static func address(of request: ServerRequest, relativeTo base: String) -> String {
    let urn = request.urn
    let address = (urn.hasPrefix(base) ? urn.dropFirst(base.count) : urn[...]).drop { $0 == "/" }
    return address.isEmpty ? "/" : String(address)
  }

  /// Returns the responses that have not been served and are not optional.
  package func unused() -> [CannedResponse] { lock.withLock { responses.unused } }

  /// Returns the requests since the last call.
  func takeJournal() -> [JournalEntry] {
    lock.withLock {
      defer { journal = [] }
      return journal
    }
  }

  /// Returns the addresses of the requests since the last call whose response is an array.
  func takeArrays() -> [RequestAddress] {
    lock.withLock {
      defer { arrays = [] }
      return arrays
    }
  }

  /// Returns the requests without a response since the last call.
  func takeUnanswered() -> [UnansweredRequest] {
    lock.withLock {
      defer { unanswered = [] }
      return unanswered
    }
  }

  /// Returns a server with another base URL that answers from the same responses.
  package func at(_ baseURL: String) -> any Server { Elsewhere(server: self, baseURL: baseURL) }

  private struct Elsewhere: QueueingServer {
    let server: ScenarioServer
    let baseURL: String
    var paging: Paging? { server.paging }

    func response(to request: ServerRequest) async throws -> ServerResponse {
      try await server.response(to: request, relativeTo: baseURL)
    }

    func description(of request: ServerRequest) async throws -> ServerRequest? {
      try await server.description(of: request, relativeTo: baseURL)
    }

    func isHeldBack(_ request: ServerRequest, behind other: ServerRequest) {
      server.isHeldBack(request, behind: other)
    }
    func goesOn(_ request: ServerRequest) { server.goesOn(request) }
    func waitForTurn(of request: ServerRequest) async { await server.waitForTurn(of: request) }
    func address(of request: ServerRequest) -> String {
      ScenarioServer.address(of: request, relativeTo: baseURL)
    }
  }
}

// MARK: - Answering

extension ScenarioServer {
  private func answer(
    to request: ServerRequest, relativeTo base: String, redirectedFrom former: RequestAddress?
  ) throws(UnansweredRequest) -> Answer {
    let (response, index) = try nextResponse(to: request, relativeTo: base, redirectedFrom: former)
    if let timeout = request.timeout, response.delay > timeout {
      return Answer(response: response, index: index, due: clock.elapsed + timeout, failure: .timeout)
    }
    return Answer(
      response: response, index: index, due: clock.elapsed + response.delay, failure: response.failure)
  }

  private func nextResponse(
    to request: ServerRequest, relativeTo base: String, redirectedFrom former: RequestAddress?
  ) throws(UnansweredRequest) -> (response: CannedResponse, index: Int) {
    let asked = try address(of: request, relativeTo: base)
    guard requestCount < requestLimit else {
      throw UnansweredRequest(
        message: "the scenario makes more than \(requestLimit) requests",
        advice: "request fewer pages with 'upTo' or 'maxPages', or split the scenario")
    }
    requestCount += 1
    let body = request.body.map { StatedBody($0) }
    journal.append(
      JournalEntry(
        request: RequestSnapshot(
          address: asked, body: body, headers: request.headers, redirectedFrom: former?.text)))
    let next = try responses.next(
      for: asked, headers: request.headers, body: body, redirectedFrom: former)
    journal[journal.count - 1].answer = next.index
    if next.response.isArray { arrays.append(asked) }
    return next
  }

  package func address(
    of request: ServerRequest, relativeTo base: String
  ) throws(UnansweredRequest) -> RequestAddress {
    let isWhole = request.urn.hasPrefix("https://") || request.urn.hasPrefix("http://")
    let urn = base == baseURL || isWhole ? request.urn : base + request.urn.drop { $0 == "/" }
    do {
      return try RequestAddress(method: request.method, urn: urn, query: request.query, baseURL: baseURL)
    } catch {
      throw UnansweredRequest(message: "'\(request.urn)': \(error.message)", nearest: [])
    }
  }
}

extension CannedResponse {
  /// A Boolean value that indicates whether the root of the body is an array.
  fileprivate var isArray: Bool {
    switch body {
    case .value(.array): true
    case .bytes(let bytes):
      bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[")
    case .value, nil: false
    }
  }
}
