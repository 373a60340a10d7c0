import AdapterConnection
import Foundation
import JSONTree
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The server of a scenario, for requests over HTTP. It chooses the response to each request in the same way as in a run,
/// except that its delays pass in real time.
// Unchecked: all mutable state is read and written only under `lock`.
final class ServedScenario: @unchecked Sendable {
  /// An event to report.
  struct Event: Sendable {
    /// The request and its response on one line, without a line break and control characters.
    let text: String
    /// The advice for a request without a response; nil if there is a response.
    let advice: String?

    /// Creates an event. A client decides what a request contains, so that control characters are replaced.
    fileprivate init(text: String, advice: String?) {
      self.text = DisplayText.oneLine(text)
      self.advice = advice.map { DisplayText.oneLine($0) }
    }
  }

  /// The servers. The first one has the scenario's base URL.
  let sites: [ServedSite]
  private let baseURL: String
  private let keepsLinks: Bool
  private let lock = NSLock()
  private var responses: CannedResponses
  /// The local URLs of the sites; nil until all of them are served.
  private var localURLs: [String]?
  private var links = ServedLinks([])
  /// The number of received requests, and of those without a response.
  var counts: (requests: Int, unanswered: Int) { lock.withLock { (requestCount, unansweredCount) } }
  private var requestCount = 0
  private var unansweredCount = 0

  /// The time after which a response with `error: timeout` closes the connection. Apps usually give up earlier.
  static let timeout: Duration = .seconds(300)

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - startsOver: a Boolean value that indicates whether an address serves its first response again after its last.
  ///   - keepsLinks: a Boolean value that indicates whether links are served unchanged. They may lead to a real server.
  init(_ scenario: Scenario, startsOver: Bool, keepsLinks: Bool) {
    baseURL = Self.normalized(scenario.baseURL)
    self.keepsLinks = keepsLinks
    // Over HTTP, characters that an address must not contain are percent-encoded.
    let addresses = scenario.responses.map { canned in
      var canned = canned
      canned.address.path = PercentEncoding.address(Self.normalized(canned.address.path))
      return canned
    }
    responses = CannedResponses(addresses, startsOver: startsOver)
    sites = ServedSite.all(of: scenario)
  }

  /// Returns an address with its origin in normalized form, in which the origins of requests are; a relative one unchanged.
  private static func normalized(_ url: String) -> String {
    let address = WebAddress(url)
    return address.scheme == nil ? url : address.origin + address.path
  }

  /// The addresses whose responses have not been requested, with the locations of these responses.
  var unused: [(address: String, places: [String])] {
    lock.withLock {
      responses.unusedByAddress.map { ($0.address.text, $0.responses.map { Self.place(of: $0.span) }) }
    }
  }

  /// Tells the server at which local URLs its sites are served, such as `http://127.0.0.1:8080`.
  func listen(at urls: [String]) {
    lock.withLock {
      localURLs = urls
      links = ServedLinks(keepsLinks ? [] : zip(sites, urls).map { ($0.origin, $1) })
    }
  }

  /// Waits until all sites are served, because links may lead to any of them.
  func waitUntilListening() async {
    while lock.withLock({ localURLs == nil }), !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Returns the local base URL of a site; its own URL if the site is not served.
  func localURL(of site: Int) -> String {
    (lock.withLock { localURLs?[site] } ?? sites[site].origin) + sites[site].path
  }

  /// Returns the response to a request, and what to report about it.
  ///
  /// - Parameter site: the index of the site that received the request.
  func response(to request: ReceivedRequest, at site: Int) -> (ServedResponse, Event) {
    let line = "\(request.method) \(request.target)"
    lock.withLock { requestCount += 1 }
    do throws(UnansweredRequest) {
      let url = sites[site].origin + PercentEncoding.address(request.target)
      let asked = try address(method: request.method, url)
      let body = StatedBody(
        AppRequest(method: request.method, url: url, headers: request.headers, body: request.body))
      let canned = try lock.withLock {
        Result<CannedResponse, UnansweredRequest> { () throws(UnansweredRequest) in
          try responses.next(for: asked, headers: request.headers, body: body).response
        }
      }.get()
      return response(canned, line)
    } catch {
      lock.withLock { unansweredCount += 1 }
      let hint = baseHint(of: request, at: site)
      let advice = hint ?? (error.isUsedUp ? Self.restartAdvice : error.advice)
      let answer = error.answer(advice: advice)
      return (
        ServedResponse(
          content: .message(status: answer.status, headers: answer.headers, body: answer.body),
          delay: .zero),
        Event(text: "\(line): 404, \(error.message)", advice: advice)
      )
    }
  }

  /// The advice for a request of an address whose responses have been served.
  private static let restartAdvice =
    "restart the command to serve them again; with '--start-over', an address starts over by itself"

  private func address(method: String, _ url: String) throws(UnansweredRequest) -> RequestAddress {
    do {
      return try RequestAddress(method: method, urn: url, baseURL: baseURL)
    } catch {
      throw UnansweredRequest(message: error.message, nearest: [])
    }
  }

  /// Returns an advice for a request outside the path of the base URL; nil for other requests.
  private func baseHint(of request: ReceivedRequest, at site: Int) -> String? {
    guard sites[site].baseURL != nil, !request.target.hasPrefix(sites[site].path) else { return nil }
    return "the base URL of the app must be \(localURL(of: site))"
  }

  private func response(_ canned: CannedResponse, _ line: String) -> (ServedResponse, Event) {
    let place = Self.place(of: canned.span)
    let delay = canned.delay == .zero ? "" : " after \(canned.delay.goldenForm)"
    if let failure = canned.failure {
      let waiting = failure == .timeout ? max(canned.delay, Self.timeout) : canned.delay
      return (
        ServedResponse(content: .closedConnection, delay: waiting),
        Event(text: "\(line): \(failure.rawValue)\(delay) (\(place))", advice: nil)
      )
    }
    let links = lock.withLock { self.links }
    let message = canned.message
    let bytes = links.localized(message.body)
    return (
      ServedResponse(
        content: .message(status: canned.status, headers: links.localized(message.headers), body: bytes),
        delay: canned.delay),
      Event(
        text: "\(line): \(canned.status), \(counted(bytes.count, "byte"))\(delay) (\(place))", advice: nil)
    )
  }

  private static func place(of span: SourceSpan) -> String { "\(span.file.path):\(span.start.line)" }
}
