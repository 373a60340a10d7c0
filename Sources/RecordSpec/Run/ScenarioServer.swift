import Foundation
internal import JSONTree
import RecordEngine

/// The server of a scenario, which answers from the canned responses and records the requests.
///
/// The parameters of a request form one set, which is compared as text. A canned address matches if the request has all
/// its parameters. The matching address with the most parameters answers, and a tie is an error. It serves its first
/// response whose required headers and body match and that has not been served or is repeated. The number of answered
/// requests is limited, so that a scenario cannot send requests forever.
// Unchecked: all mutable state is read and written only under `lock`.
final class ScenarioServer: QueueingServer, @unchecked Sendable {
  let baseURL: String
  let paging: Paging?
  private let addresses: [CannedAddress]
  /// The index of each address.
  private let exact: [RequestAddress: Int]
  /// The indices of the addresses with each path.
  private let positions: [String: [Int]]
  /// For each address, the index of its first response among all canned responses.
  private let firstIndices: [Int]
  private let lock = NSLock()
  private let requestLimit: Int
  /// The number of received requests.
  private var requestCount = 0
  /// For each response of each address, a Boolean value that indicates whether it has been served.
  private var served: [[Bool]]
  /// The received requests, in the order of arrival.
  private var journal: [RequestSnapshot] = []
  /// The addresses of the requests whose response is an array.
  private var arrays: [RequestAddress] = []
  /// The requests without a response.
  private var unanswered: [UnansweredRequest] = []
  let clock: VirtualClock
  /// The requests that wait for their answers.
  let held: HeldRequests
  /// The requests of a batch, which wait for one another.
  let batch: BatchSchedule

  /// Creates a server.
  ///
  /// - Parameter requestLimit: the maximum number of requests that are answered. The default equals the default maximum
  ///   number of pages in a run.
  init(_ scenario: Scenario, requestLimit: Int = 10_000) {
    self.requestLimit = requestLimit
    baseURL = scenario.baseURL
    paging = scenario.paging.map(Paging.init)
    addresses = scenario.responses
    exact = Dictionary(
      addresses.enumerated().map { ($1.address, $0) }, uniquingKeysWith: { first, _ in first })
    positions = Dictionary(grouping: addresses.indices) { [addresses] in addresses[$0].address.path }
    served = addresses.map { $0.responses.map { _ in false } }
    firstIndices = addresses.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.responses.count) }
    clock = VirtualClock(start: scenario.now)
    held = HeldRequests(clock: clock)
    batch = BatchSchedule(held)
  }

  /// An error for a request without a canned response, with the nearest addresses.
  struct UnansweredRequest: Error, Hashable {
    var message: String
    var advice: String
  }

  /// The response that was chosen for a request.
  struct Answer {
    var response: CannedResponse
    /// The index of the response among all canned responses.
    var index: Int
    /// The time at which the response arrives, since the scenario began.
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
    let sent = try sent(request, relativeTo: base)
    // The order of two identical requests must not depend on their tasks.
    if let tag = request.tag { try await batch.arrival(of: tag) }
    return sent
  }

  /// Returns a request as it is sent, with an absolute address.
  func sent(_ request: ServerRequest, relativeTo base: String) throws(UnansweredRequest) -> ServerRequest {
    let url = (try address(of: request, relativeTo: base) as RequestAddress).url(relativeTo: baseURL)
    // As over HTTP: another origin gets no secrets.
    let isTrusted = WebAddress(url).origin == WebAddress(base).origin
    return ServerRequest(
      method: request.method, urn: url, body: request.body,
      headers: request.headers.filter { isTrusted || Redirect.isHarmless($0.key) })
  }

  /// Records that a request is coalesced with another one, so that it is not expected to arrive.
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
      await held.pass(request.tag, until: answer.due)
    }
    if let failure = answer.failure { throw failure.error }
    let canned = answer.response
    var response = ServerResponse(
      .bytes(canned.body?.bytes ?? []), status: canned.status, headers: canned.headers)
    response.mark = answer.index
    return response
  }

  func address(of request: ServerRequest) -> String { Self.address(of: request, relativeTo: baseURL) }

  /// Returns the relative address of a request, even if the request states an absolute one.
  private static func address(of request: ServerRequest, relativeTo base: String) -> String {
    let urn = request.urn
    return String((urn.hasPrefix(base) ? urn.dropFirst(base.count) : urn[...]).drop { $0 == "/" })
  }

  /// Returns the responses that have not been served and are not optional.
  func unused() -> [CannedResponse] {
    lock.withLock {
      zip(addresses, served).flatMap { address, served in
        zip(address.responses, served).filter { !$0.isOptional && !$1 }.map(\.0)
      }
    }
  }

  /// Returns the requests since the last call.
  func takeJournal() -> [RequestSnapshot] {
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
    guard requestCount < requestLimit else { throw .tooMany(requestLimit) }
    requestCount += 1
    let body = request.body.flatMap(StatedBody.init)
    journal.append(
      RequestSnapshot(address: asked, body: body, headers: request.headers, redirectedFrom: former?.text))
    // No other matching address has as many parameters as an exact match.
    let matching =
      exact[asked].map { [$0] }
      ?? positions[asked.path, default: []].filter { addresses[$0].address.answers(asked) }
    let most = matching.map { addresses[$0].address.parameters.count }.max() ?? 0
    let best = matching.filter { addresses[$0].address.parameters.count == most }
    guard let index = best.first else {
      throw UnansweredRequest(
        message: "no response for '\(asked.text)'"
          + (former.map { ", to which '\($0.text)' redirects" } ?? ""),
        nearest: nearest(to: asked))
    }
    guard best.count == 1 else {
      throw UnansweredRequest(
        message: "several addresses match '\(asked.text)' with the same number of parameters",
        nearest: best.map { addresses[$0].text })
    }
    let responses = addresses[index].responses
    let fitting = responses.indices.filter { responses[$0].isFor(request, body) }
    guard let next = fitting.first(where: { !served[index][$0] || responses[$0].isRepeated }) else {
      throw UnansweredRequest(fitting.count, of: addresses[index], asked: asked, body)
    }
    served[index][next] = true
    if responses[next].isArray { arrays.append(asked) }
    return (responses[next], firstIndices[index] + next)
  }

  func address(
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

  /// Returns at most three addresses: those with the same path. If there are none, those with a similar path, and if
  /// there are none of these either, the first ones.
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

  /// Creates an error.
  ///
  /// - Parameter nearest: the nearest addresses, as written.
  fileprivate init(message: String, nearest: [String]) {
    let list = nearest.map { "'\($0)'" }.joined(separator: ", ")
    self.init(
      message: message,
      advice: list.isEmpty
        ? "add a response for it"
        : "the nearest \(nearest.count == 1 ? "address is" : "addresses are") \(list)")
  }

  /// Creates an error for an address whose responses have all been served or require other headers or another body.
  ///
  /// - Parameter fitting: the number of its responses whose conditions the request meets.
  fileprivate init(_ fitting: Int, of address: CannedAddress, asked: RequestAddress, _ body: StatedBody?) {
    let hasBodies = address.responses.contains { $0.requiredBody != nil }
    if fitting == 0 {
      let wanted = address.responses.map { response in
        let headers = response.requiredHeaders.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let parts = (response.requiredBody.map { [$0.text] } ?? []) + headers
        return ValueText.clipped(parts.joined(separator: ", "))
      }
      let sent = hasBodies ? "; the request has \(body.map { ValueText.clipped($0.text) } ?? "no body")" : ""
      self.init(
        message:
          "the request for '\(asked.text)' lacks the \(hasBodies ? "body or the headers" : "headers") that the "
          + "responses of '\(address.text)' require",
        advice: "they require \(wanted.joined(separator: ", or "))\(sent)")
      return
    }
    let isConditional = address.responses.contains { !$0.isUnconditional }
    let some = !isConditional ? "" : hasBodies ? " for its body and headers" : " for its headers"
    let (all, have) =
      fitting == 1 ? ("the only response\(some)", "has") : ("all \(fitting) responses\(some)", "have")
    self.init(
      message:
        "\(all) of '\(address.text)' \(have) already been served, and '\(asked.text)' is requested again",
      nearest: [])
  }
}

extension RequestAddress {
  /// Returns a Boolean value that indicates whether a canned address matches a request. The canned address may have
  /// fewer parameters.
  fileprivate func answers(_ asked: RequestAddress) -> Bool {
    method == asked.method && haveSameScalars(path, asked.path)
      && haveSameScalars(parameters, asked.parameters.filter { parameters.keys.contains($0.key) })
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

  fileprivate func isFor(_ request: ServerRequest, _ body: StatedBody?) -> Bool {
    (requiredBody == nil || requiredBody == body)
      && requiredHeaders.allSatisfy { name, value in
        request.header(name).map { haveSameScalars($0, value) } ?? false
      }
  }
}
