import JSONTree
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The exchanges of a recording that a scenario can contain, in the order of their requests.
struct RecordedSession: Sendable {
  /// An exchange whose response has JSON or no content.
  struct Exchange: Sendable {
    var method: String
    /// The absolute URL.
    var url: String
    var requestHeaders: RecordedHeaders
    var requestBody: RecordedExchange.Body?
    /// The status; nil if there was no response.
    var status: Int?
    var failure: ServerFailure?
    var headers = RecordedHeaders()
    var json: JSONValue?
    var hasGuessedURL: Bool
    /// The path of an existing file with the body, relative to the scenario; nil if the scenario gets a new file.
    var bodyFile: String?
    /// The index of the exchange to which this one redirects.
    var redirect: Int?
    /// A Boolean value that indicates whether the server has confirmed the body in the client's cache with status 304. Like
    /// the client, the scenario then has a response with status 200 and this body.
    var isConfirmed = false
  }

  private(set) var exchanges: [Exchange] = []
  private(set) var leftOut: [LeftOut: Int] = [:]

  /// Creates the session of recorded exchanges. They are sorted by time if all times are known.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the size of the recording.
  init(_ recorded: [RecordedExchange]) {
    var recorded = recorded
    if recorded.allSatisfy({ $0.time != nil }) {
      let order = recorded.indices.sorted { left, right in
        let (first, second) = (recorded[left].time ?? 0, recorded[right].time ?? 0)
        return first == second ? left < right : first < second
      }
      recorded = order.map { recorded[$0] }
    }
    var kept: [Exchange] = []
    var uncertain: Set<Int> = []
    for exchange in recorded {
      switch Self.choice(exchange) {
      case .keep(let exchange): kept.append(exchange)
      case .keepIfKnown(let exchange):
        uncertain.insert(kept.count)
        kept.append(exchange)
      case .leaveOut(let reason): leftOut[reason, default: 0] += 1
      }
    }
    keep(kept, uncertain)
  }

  /// Keeps the exchanges, except redirects whose target was not recorded, and uncertain exchanges if no other response
  /// with their path is JSON.
  private mutating func keep(_ candidates: [Exchange], _ uncertain: Set<Int>) {
    let known = Set(candidates.filter { $0.json != nil }.map { Self.path(of: $0.url) })
    var targets: [Int: Int] = [:]
    var isKept = Array(repeating: false, count: candidates.count)
    var isTarget = isKept
    for index in candidates.indices.reversed() {
      let candidate = candidates[index]
      if let next = Self.redirect(of: candidate) {
        let target = candidates.indices.dropFirst(index + 1).prefix(Self.redirectDistance).first {
          isKept[$0] && !isTarget[$0] && candidates[$0].method == next.method
            && WebAddress(candidates[$0].url).text == next.address.text
        }
        guard let target else {
          leftOut[.redirect, default: 0] += 1
          continue
        }
        isTarget[target] = true
        targets[index] = target
        isKept[index] = true
      } else if uncertain.contains(index), !known.contains(Self.path(of: candidate.url)) {
        leftOut[.otherContent, default: 0] += 1
      } else {
        isKept[index] = true
      }
    }
    var positions: [Int: Int] = [:]
    for index in candidates.indices where isKept[index] {
      positions[index] = exchanges.count
      exchanges.append(candidates[index])
    }
    for (index, target) in targets {
      if let position = positions[index] { exchanges[position].redirect = positions[target] }
    }
  }

  /// The number of exchanges after a redirect among which its target is searched for.
  private static let redirectDistance = 50

  private static func path(of url: String) -> String {
    var address = WebAddress(url)
    address.query = nil
    return address.text
  }

  /// Returns the request that follows a redirect; nil for another response.
  private static func redirect(of exchange: Exchange) -> Redirect? {
    guard let status = exchange.status, let location = exchange.headers["Location"] else { return nil }
    return Redirect(status: status, location: location, method: exchange.method, from: exchange.url)
  }

  /// Returns the absolute URL that a reference means in a response.
  static func resolved(_ reference: String, against url: String) -> String {
    WebAddress(url).resolving(WebAddress(reference)).text
  }

  // MARK: Choosing

  private enum Choice {
    case keep(Exchange)
    /// A response without content, which belongs to the session if there is JSON at its path.
    case keepIfKnown(Exchange)
    case leaveOut(LeftOut)
  }

  private static func choice(_ recorded: RecordedExchange) -> Choice {
    if case .pattern = recorded.outcome { return .leaveOut(.address) }
    guard ["http", "https"].contains(WebAddress(recorded.url).scheme) else { return .leaveOut(.notHTTP) }
    if ["OPTIONS", "CONNECT", "TRACE"].contains(recorded.method) { return .leaveOut(.preflight) }
    var exchange = Exchange(
      method: recorded.method, url: withoutDefaultPort(recorded.url), requestHeaders: recorded.requestHeaders,
      requestBody: recorded.requestBody, hasGuessedURL: recorded.hasGuessedURL, bodyFile: recorded.bodyFile)
    guard (try? RequestAddress(method: "GET", urn: recorded.url, baseURL: "")) != nil else {
      return .leaveOut(.address)
    }
    switch recorded.outcome {
    case .aborted, .pattern: return .leaveOut(.aborted)
    case .undecodable(let mediaType):
      return .leaveOut(
        isJSON(mediaType) || mediaType.isEmpty ? .undecodableBody : LeftOut(mediaType: mediaType))
    case .failure(let failure):
      exchange.failure = failure
      return isOfApp(recorded) ?? true ? .keep(exchange) : .leaveOut(.aborted)
    case .response(let response):
      guard (100...599).contains(response.status) else { return .leaveOut(.invalidStatus) }
      exchange.status = response.status
      exchange.headers = response.headers
      let mediaType =
        [response.body?.mediaType, response.mediaType, response.headers["Content-Type"]].compactMap(\.self)
        .first { !$0.isEmpty } ?? ""
      if let document = response.body.flatMap(json) {
        exchange.json = document.root.value
        if response.status == 304 { (exchange.status, exchange.isConfirmed) = (200, true) }
        return .keep(exchange)
      }
      if redirect(of: exchange) != nil { return .keep(exchange) }
      guard let body = response.body else {
        return .leaveOut(
          isJSON(mediaType) || mediaType.isEmpty ? .withoutBody : LeftOut(mediaType: mediaType))
      }
      if response.status < 400, !body.bytes.isEmpty || isUnread(recorded, response.status, mediaType) {
        return .leaveOut(isJSON(mediaType) ? .invalidJSON : LeftOut(mediaType: mediaType))
      }
      switch isOfApp(recorded) {
      case true: return .keep(exchange)
      case false: return .leaveOut(LeftOut(mediaType: mediaType))
      case nil: return .keepIfKnown(exchange)
      }
    }
  }

  private static func withoutDefaultPort(_ url: String) -> String {
    var address = WebAddress(url)
    let port = address.scheme == "https" ? ":443" : ":80"
    if let authority = address.authority, authority.hasSuffix(port) {
      address.authority = String(authority.dropLast(port.count))
    }
    return address.text
  }

  /// Returns a Boolean value that indicates whether a response with an empty body is one that the app does not read as
  /// data, such as an image, or a page whose text was not recorded.
  private static func isUnread(_ exchange: RecordedExchange, _ status: Int, _ mediaType: String) -> Bool {
    guard !mediaType.isEmpty, !isJSON(mediaType) else { return false }
    switch LeftOut(mediaType: mediaType) {
    case .image, .font, .styleSheet, .script: return true
    default:
      if RecordedExchange.hasNoContent(status, to: exchange.method) { return false }
      // Servers answer requests of an app that change data with empty texts. Other headers and the kind of the resource
      // tell more than the media type.
      return exchange.method == "GET" && exchange.resourceType == nil
        && exchange.requestHeaders["Accept"] == nil
    }
  }

  /// Returns a Boolean value that indicates whether a request is one for data; nil if this is unknown.
  private static func isOfApp(_ exchange: RecordedExchange) -> Bool? {
    if let type = exchange.resourceType { return type == "xhr" || type == "fetch" }
    guard let accept = exchange.requestHeaders["Accept"]?.lowercased() else { return true }
    if accept.contains("json") || exchange.method != "GET" { return true }
    return accept.contains("text/html") || accept.contains("image/") ? false : nil
  }

  private static func isJSON(_ mediaType: String) -> Bool {
    let type = mediaType.split { "; ".contains($0) }.first?.lowercased() ?? ""
    return type.hasSuffix("/json") || type.hasSuffix("+json")
  }

  /// Returns a body as JSON. A body of another media type is JSON only if it is an object or an array; many servers send JSON
  /// as HTML or as a script.
  private static func json(_ body: RecordedExchange.Body) -> JSONDocument? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let first = body.bytes.dropFirst(body.bytes.starts(with: mark) ? 3 : 0).first { $0 > 0x20 }
    guard isJSON(body.mediaType) || first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    return try? JSONDocument(parsing: body.bytes)
  }
}

extension RecordedSession {
  /// Returns the session with the URLs, headers and bodies that a closure returns for each exchange.
  func mapped(_ change: (Exchange) -> Exchange) -> RecordedSession {
    var session = self
    session.exchanges = exchanges.map(change)
    return session
  }
}

extension RecordedSession.Exchange {
  /// Returns the address of the request; nil if a scenario cannot express it.
  func address(relativeTo baseURL: String) -> RequestAddress? {
    var address = WebAddress(url)
    address.authority = String(address.origin.drop { $0 != "/" }.dropFirst(2))
    return try? RequestAddress(method: method, urn: address.text, baseURL: baseURL)
  }
}
