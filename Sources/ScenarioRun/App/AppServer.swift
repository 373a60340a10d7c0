import Foundation
import JSONTree
import RecordEngine
import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// A request of an app, as it is sent over HTTP.
package struct AppRequest: Sendable {
  package var method: String
  /// The absolute URL, in terms of the scenario's servers.
  package var url: String
  package var headers: [String: String]
  package var body: [UInt8]

  package init(method: String, url: String, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }
}

/// The response to a request of an app.
package enum AppResponse: Sendable {
  case message(HTTPMessage)
  case failure(ServerFailure)
}

/// A response as it is sent over HTTP.
package struct HTTPMessage: Sendable {
  package var status: Int
  package var headers: [String: String]
  package var body: [UInt8]
}

/// The server of a scenario that runs an app. It answers from the canned responses and records the requests.
///
/// A response with a delay is held until the app sends no other request and waits for nothing else. The delays thus order the
/// responses, and no time passes.
// Unchecked: all mutable state is read and written only under `lock`.
package final class AppServer: @unchecked Sendable {
  package let baseURL: String
  private let lock = NSLock()
  private var responses: CannedResponses
  /// The addresses of canned responses by their form in a URL.
  private let paths: [String: String]
  private var requests: [RequestSnapshot] = []
  private var answers: [Int?] = []
  private var unanswered: [UnansweredRequest] = []
  /// The requests that arrived between two steps.
  private var late: [RequestSnapshot] = []
  private var isBetweenSteps = false
  /// The responses that wait for their time.
  private var held: [HeldResponse] = []
  /// The number of requests that were received, and of responses that were released.
  private var activity = 0

  private struct HeldResponse {
    let delay: Duration
    let continuation: CheckedContinuation<Void, Never>
  }

  /// The time without activity after which an app only waits for responses that are held.
  private static let quietTime = Duration.milliseconds(25)

  /// The requests of one step, with their answers.
  package struct Journal: Sendable {
    package var requests: [RequestSnapshot]
    /// The index of the response to each request; nil for a request without a response.
    package var answers: [Int?]
    package var unanswered: [UnansweredRequest]
    /// The requests that arrived after the step before had ended.
    package var late: [RequestSnapshot]
  }

  package init(_ scenario: Scenario) {
    baseURL = scenario.baseURL
    var paths: [String: String] = [:]
    for canned in scenario.responses {
      paths[PercentEncoding.address(canned.address.path)] = canned.address.path
    }
    self.paths = paths
    responses = CannedResponses(scenario.responses)
  }

  /// Returns the response to a request, after its delay.
  package func response(to request: AppRequest) async -> AppResponse {
    switch lock.withLock({ answer(to: request) }) {
    case .failure(let error):
      return .message(error.answer(advice: error.advice))
    case .success(let canned):
      if canned.delay > .zero || canned.failure == .timeout { await hold(canned.delay) }
      return canned.failure.map(AppResponse.failure) ?? .message(canned.message)
    }
  }

  /// The response after all redirects, with its URL.
  package enum FinalResponse: Sendable {
    case message(HTTPMessage, url: String)
    case failure(ServerFailure)
  }

  /// Returns the response to a request, and to the requests that redirects lead to (RFC 9110, section 15.4).
  package func finalResponse(to request: AppRequest) async -> FinalResponse {
    var request = request
    for _ in 0...Redirect.limit {
      switch await response(to: request) {
      case .failure(let failure): return .failure(failure)
      case .message(let message):
        guard let location = message.headers.header("Location"),
          let redirect = Redirect(
            status: message.status, location: location, method: request.method, from: request.url)
        else { return .message(message, url: request.url) }
        let next = redirect.address.text
        let isTrusted = WebAddress(next).origin == WebAddress(request.url).origin
        request.headers = request.headers.filter { redirect.keepsHeader($0.key, staysTrusted: isTrusted) }
        if redirect.becomesGet { request.body = [] }
        (request.method, request.url) = (redirect.method, next)
      }
    }
    return .failure(.connectionLost)
  }

  /// Begins a step. Requests that have arrived since the step before are late.
  package func beginStep() { lock.withLock { isBetweenSteps = false } }

  /// Ends a step, and returns what happened since it began.
  package func endStep() -> Journal {
    lock.withLock {
      defer {
        (requests, answers, unanswered, late) = ([], [], [], [])
        isBetweenSteps = true
      }
      return Journal(requests: requests, answers: answers, unanswered: unanswered, late: late)
    }
  }

  /// The responses that have not been served and are not optional.
  package var unused: [CannedResponse] { lock.withLock { responses.unused } }
}

extension AppServer {
  private func answer(to request: AppRequest) -> Result<CannedResponse, UnansweredRequest> {
    activity += 1
    let body = StatedBody(request)
    do throws(UnansweredRequest) {
      var address = try address(of: request)
      address.path = paths[address.path] ?? address.path
      var snapshot = RequestSnapshot(address: address, body: body)
      snapshot.clientHeaders = request.headers
      if isBetweenSteps {
        late.append(snapshot)
      } else {
        requests.append(snapshot)
        answers.append(nil)
      }
      let next = try responses.next(for: address, headers: request.headers, body: body)
      if !isBetweenSteps { answers[answers.count - 1] = next.index }
      return .success(next.response)
    } catch {
      if !isBetweenSteps { unanswered.append(error) }
      return .failure(error)
    }
  }

  private func address(of request: AppRequest) throws(UnansweredRequest) -> RequestAddress {
    do {
      return try RequestAddress(method: request.method, urn: request.url, baseURL: baseURL)
    } catch {
      throw UnansweredRequest(message: "'\(request.url)': \(error.message)", nearest: [])
    }
  }

  /// Holds a response until all responses with a shorter delay are sent and the app is quiet.
  private func hold(_ delay: Duration) async {
    await withCheckedContinuation { continuation in
      let isFirst = lock.withLock {
        held.append(HeldResponse(delay: delay, continuation: continuation))
        return held.count == 1
      }
      if isFirst { Task { await releaseHeldResponses() } }
    }
  }

  private func releaseHeldResponses() async {
    while true {
      let before = lock.withLock { activity }
      try? await Task.sleep(for: Self.quietTime)
      let (next, isLast) = lock.withLock { () -> (HeldResponse?, Bool) in
        guard activity == before,
          let index = held.indices.min(by: { (held[$0].delay, $0) < (held[$1].delay, $1) })
        else { return (nil, held.isEmpty) }
        activity += 1
        return (held.remove(at: index), held.isEmpty)
      }
      next?.continuation.resume()
      if isLast { return }
    }
  }
}

extension CannedResponse {
  /// The response as it is sent over HTTP. Headers that describe how a recorded body was sent do not apply.
  package var message: HTTPMessage {
    // Statuses that never have a body (RFC 9110, section 6.4.1).
    let hasBody = status >= 200 && status != 204 && status != 304
    let bytes = hasBody ? body?.bytes ?? [] : []
    var sent = headers.filter { !Self.headersOfMessages.contains($0.key.lowercased()) }
    if !bytes.isEmpty, sent.header("Content-Type") == nil {
      sent["Content-Type"] = isJSON ? "application/json" : "text/plain; charset=utf-8"
    }
    return HTTPMessage(status: status, headers: sent, body: bytes)
  }

  private static let headersOfMessages = [
    "connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding",
  ]

  private var isJSON: Bool {
    switch body {
    case .value: true
    case .bytes(let bytes): (try? JSONDocument(parsing: bytes)) != nil
    case nil: false
    }
  }
}

extension StatedBody {
  /// Creates a body from that of a request: a form, JSON, or any other bytes. Returns nil for a request without a body.
  package init?(_ request: AppRequest) {
    let type = request.headers.header("Content-Type") ?? ""
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded"),
      let fields = try? QueryParameters.parse(String(decoding: request.body, as: UTF8.self)[...]),
      fields.values.allSatisfy({ $0.count == 1 })
    {
      self = .form(fields.compactMapValues(\.first))
    } else if let document = try? JSONDocument(parsing: request.body) {
      self = .json(document.root.value)
    } else if !request.body.isEmpty {
      self = .data(Self.withoutBoundary(request.body, of: type))
    } else {
      return nil
    }
  }

  /// Returns the body of a multipart request with `boundary` in place of its boundary, which clients choose at random. Other
  /// bodies are unchanged.
  private static func withoutBoundary(_ body: [UInt8], of type: String) -> [UInt8] {
    guard type.lowercased().hasPrefix("multipart/"),
      let parameter = type.firstRange(of: /;\s*boundary\s*=\s*/.ignoresCase())
    else { return body }
    let value = type[parameter.upperBound...]
    let boundary =
      value.hasPrefix("\"")
      ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != ";" && $0 != " " }
    guard !boundary.isEmpty else { return body }
    return body.replacing(Array("--\(boundary)".utf8), with: Array("--boundary".utf8))
  }
}

extension UnansweredRequest {
  /// Returns the answer to the request: status 404 with the message and some advice.
  package func answer(advice: String) -> HTTPMessage {
    HTTPMessage(
      status: 404, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: Array("\(message)\n\(advice)\n".utf8))
  }
}
