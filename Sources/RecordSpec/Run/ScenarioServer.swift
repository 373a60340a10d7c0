import Foundation
internal import JSONTree
import RecordEngine

/// The server of a scenario: it answers from the canned responses, and keeps account of what was asked.
///
/// The parameters of a request and its data are one set, compared as text. Every parameter of an address must be there;
/// the address with most parameters answers, and a tie is nobody's guess but an error. Of its responses the first one
/// answers that is for the headers of the request and has not been served, or may be served again. Of a
/// scenario that makes requests without end, no more than a limit are answered.
// Unchecked: everything that changes is read and written under `lock` alone.
final class ScenarioServer: QueueingServer, @unchecked Sendable {
  private let baseURL: String
  let paging: Paging?
  private let addresses: [CannedAddress]
  /// The positions of the addresses.
  private let exact: [RequestAddress: Int]
  /// By path the positions of its addresses.
  private let positions: [String: [Int]]
  private let lock = NSLock()
  private let requestLimit: Int
  /// The number of requests that have come.
  private var requestCount = 0
  /// For each response of each address, whether it has been served.
  private var served: [[Bool]]
  /// What was asked, in the order in which it arrived.
  private var journal: [RequestSnapshot] = []
  /// What nobody has answered.
  private var unanswered: [UnansweredRequest] = []
  let clock: VirtualClock
  /// Requests that wait for their answers.
  let held: HeldRequests
  /// Requests of a batch, which wait for one another.
  let batch: BatchSchedule

  /// - Parameter requestLimit: how many requests are answered; by default as many as a run of pages may have pages.
  init(_ scenario: Scenario, requestLimit: Int = 10_000) {
    self.requestLimit = requestLimit
    baseURL = scenario.baseURL
    paging = scenario.paging.map(Paging.init)
    addresses = scenario.responses
    exact = Dictionary(
      addresses.enumerated().map { ($1.address, $0) }, uniquingKeysWith: { first, _ in first })
    positions = Dictionary(grouping: addresses.indices) { [addresses] in addresses[$0].address.path }
    served = addresses.map { $0.responses.map { _ in false } }
    clock = VirtualClock(start: scenario.now)
    held = HeldRequests(clock: clock)
    batch = BatchSchedule(held)
  }

  /// A request that no canned response answers, and what would have come near.
  struct UnansweredRequest: Error, Hashable {
    var message: String
    var advice: String
  }

  /// A response that has been chosen for a request.
  struct Answer {
    var response: CannedResponse
    /// When it arrives, by the clock.
    var due: Duration
    var failure: ServerFailure?
  }

  func response(to request: ServerRequest) async throws -> ServerResponse {
    try await response(to: request, relativeTo: baseURL)
  }

  func description(of request: ServerRequest) async throws -> ServerRequest? {
    try await description(of: request, relativeTo: baseURL)
  }

  fileprivate func description(
    of request: ServerRequest, relativeTo base: String
  ) async throws -> ServerRequest {
    var sent = request
    if !request.sendsDataInAddress { sent.data = [:] }
    let address = try address(of: sent, relativeTo: base) as RequestAddress
    // Which of two that are the same comes first is not for their tasks to settle.
    if let tag = request.tag { try await batch.arrival(of: tag) }
    return ServerRequest(
      method: request.method, urn: address.url(relativeTo: baseURL), headers: request.headers)
  }

  /// A request that waits for another one is not waited for.
  func isHeldBack(_ request: ServerRequest, behind other: ServerRequest) {
    if let tag = request.tag, batch.includes(tag) {
      batch.holdBack(tag, behind: other.tag)
    } else {
      held.holdBack(request.tag, behind: other.tag)
    }
  }

  func goesOn(_ request: ServerRequest) {
    guard let tag = request.tag else { return }
    if batch.includes(tag) { batch.expect(tag) } else { held.goesOn(tag) }
  }

  func waitForTurn(of request: ServerRequest) async { await held.waitForTurn(of: request.tag) }

  fileprivate func response(to request: ServerRequest, relativeTo base: String) async throws -> ServerResponse
  {
    let choose = {
      self.lock.withLock {
        Result<Answer, any Error> {
          do throws(UnansweredRequest) {
            return try self.answer(to: request, relativeTo: base)
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
      await held.pass(request.tag, until: answer.due)
    }
    if let failure = answer.failure { throw failure.error }
    let canned = answer.response
    return ServerResponse(
      .bytes(canned.body?.bytes ?? []), status: canned.status, headers: canned.headers)
  }

  func address(of request: ServerRequest) -> String { Self.address(of: request, relativeTo: baseURL) }

  /// Relative, however the request has written it.
  private static func address(of request: ServerRequest, relativeTo base: String) -> String {
    let urn = request.urn
    return String((urn.hasPrefix(base) ? urn.dropFirst(base.count) : urn[...]).drop { $0 == "/" })
  }

  /// The responses that nobody has asked for and that are not optional.
  func unused() -> [CannedResponse] {
    lock.withLock {
      zip(addresses, served).flatMap { address, served in
        zip(address.responses, served).filter { !$0.isOptional && !$1 }.map(\.0)
      }
    }
  }

  /// What was asked since the last time.
  func takeJournal() -> [RequestSnapshot] {
    lock.withLock {
      defer { journal = [] }
      return journal
    }
  }

  /// The requests since the last time that nobody has answered.
  func takeUnanswered() -> [UnansweredRequest] {
    lock.withLock {
      defer { unanswered = [] }
      return unanswered
    }
  }

  /// A server whose addresses are relative to another URL; it answers from the same responses.
  func at(_ baseURL: String) -> any Server { Elsewhere(server: self, baseURL: baseURL) }

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
    to request: ServerRequest, relativeTo base: String
  ) throws(UnansweredRequest) -> Answer {
    let response = try nextResponse(to: request, relativeTo: base)
    if let timeout = request.timeout, response.delay > timeout {
      return Answer(response: response, due: clock.elapsed + timeout, failure: .timeout)
    }
    return Answer(response: response, due: clock.elapsed + response.delay, failure: response.failure)
  }

  private func nextResponse(
    to request: ServerRequest, relativeTo base: String
  ) throws(UnansweredRequest) -> CannedResponse {
    let asked = try address(of: request, relativeTo: base)
    guard requestCount < requestLimit else { throw .tooMany(requestLimit) }
    requestCount += 1
    journal.append(RequestSnapshot(address: asked, headers: request.headers))
    // No other address has as many of the parameters as the one that has them all.
    let matching =
      exact[asked].map { [$0] }
      ?? positions[asked.path, default: []].filter { addresses[$0].address.answers(asked) }
    let most = matching.map { addresses[$0].address.parameters.count }.max() ?? 0
    let best = matching.filter { addresses[$0].address.parameters.count == most }
    guard let index = best.first else {
      throw UnansweredRequest(
        message: "no response is canned for '\(asked.text)'", nearest: nearest(to: asked))
    }
    guard best.count == 1 else {
      throw UnansweredRequest(
        message: "'\(asked.text)' is answered by several addresses with as many parameters",
        nearest: best.map { addresses[$0].text })
    }
    let responses = addresses[index].responses
    let fitting = responses.indices.filter { responses[$0].isFor(request) }
    guard let next = fitting.first(where: { !served[index][$0] || responses[$0].isRepeated }) else {
      throw UnansweredRequest(fitting.count, of: addresses[index], asked: asked)
    }
    served[index][next] = true
    return responses[next]
  }

  private func address(
    of request: ServerRequest, relativeTo base: String
  ) throws(UnansweredRequest) -> RequestAddress {
    let isWhole = request.urn.hasPrefix("https://") || request.urn.hasPrefix("http://")
    let urn = base == baseURL || isWhole ? request.urn : base + request.urn.drop { $0 == "/" }
    do {
      return try RequestAddress(method: request.method, urn: urn, data: request.data, baseURL: baseURL)
    } catch {
      throw UnansweredRequest(message: "'\(request.urn)': \(error.message)", nearest: [])
    }
  }

  /// The same path with other parameters or another method first, then paths that are spelt alike; three at most.
  private func nearest(to asked: RequestAddress) -> [String] {
    let samePath = addresses.filter { $0.address.path == asked.path }.map(\.text)
    if !samePath.isEmpty { return Array(samePath.prefix(3)) }
    return nearestName(to: asked.path, among: addresses.map(\.address.path)).map { near in
      Array(addresses.filter { $0.address.path == near }.map(\.text).prefix(3))
    } ?? Array(addresses.map(\.text).prefix(3))
  }
}

extension ScenarioServer.UnansweredRequest {
  fileprivate static func tooMany(_ limit: Int) -> Self {
    Self(
      message: "the scenario makes more than \(limit) requests",
      advice: "request fewer pages with 'upTo' or 'maxPages', or split the scenario")
  }

  /// - Parameter nearest: the addresses that come nearest, as written.
  fileprivate init(message: String, nearest: [String]) {
    let list = nearest.map { "'\($0)'" }.joined(separator: ", ")
    self.init(
      message: message,
      advice: list.isEmpty
        ? "add a response for it"
        : "the nearest canned \(nearest.count == 1 ? "address is" : "addresses are") \(list)")
  }

  /// An address whose responses are used up, or are all for other headers.
  ///
  /// - Parameter fitting: how many of them are for the headers of the request.
  fileprivate init(_ fitting: Int, of address: CannedAddress, asked: RequestAddress) {
    let headers = address.responses.map(\.requiredHeaders)
    if fitting == 0 {
      let wanted = headers.map { headers in
        headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
      }
      self.init(
        message:
          "'\(asked.text)' is requested without the headers that the responses of '\(address.text)' are for",
        advice: "they are for requests with \(wanted.joined(separator: ", or with "))")
      return
    }
    let some = headers.allSatisfy(\.isEmpty) ? "" : " for its headers"
    let (all, have) =
      fitting == 1 ? ("the only response\(some)", "has") : ("all \(fitting) responses\(some)", "have")
    self.init(
      message:
        "\(all) of '\(address.text)' \(have) been served, and '\(asked.text)' is requested again",
      nearest: [])
  }
}

extension RequestAddress {
  /// Whether this is a canned address for what was asked: it may name fewer parameters.
  fileprivate func answers(_ asked: RequestAddress) -> Bool {
    method == asked.method && haveSameScalars(path, asked.path)
      && haveSameScalars(parameters, asked.parameters.filter { parameters.keys.contains($0.key) })
  }
}

extension CannedResponse {
  fileprivate func isFor(_ request: ServerRequest) -> Bool {
    requiredHeaders.allSatisfy { name, value in
      request.header(name).map { haveSameScalars($0, value) } ?? false
    }
  }
}
