import Foundation

@testable import RecordEngine

/// HTTP headers and their effect on the cache: no response is fresh forever, and a stale response does not become fresh
/// again.
///
/// The first line has three numbers: the time when a response is received, its duration, and the time that passes after
/// it. Up to four groups of headers follow, separated by empty lines: those of the request, its response, another
/// request, and the response that validates the first one.
struct HeadersTarget: FuzzTarget {
  private static let bound = 0...Double(CacheDirectives.maximumSeconds)

  func check(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let numbers = (lines.first ?? "").split(separator: " ").map {
      Double(min(max(Int($0) ?? 0, -4_000_000_000), 4_000_000_000))
    }
    func number(_ index: Int) -> Double { numbers.indices.contains(index) ? numbers[index] : 0 }
    let groups = lines.dropFirst().split(separator: "", omittingEmptySubsequences: false).map(headers)
    func group(_ index: Int) -> [String: String] { groups.indices.contains(index) ? groups[index] : [:] }

    for value in groups.flatMap(\.values) { check(date: value) }
    let request = ServerRequest(urn: "https://api.test/posts", headers: group(0))
    let (received, now) = (number(0), number(0) + abs(number(2)))
    check(
      Exchange(
        request: request, headers: group(1), sent: moment(received - number(1)), received: moment(received)),
      now: moment(now), other: ServerRequest(urn: request.urn, headers: group(2)), validation: group(3))
    checkInvalidation(by: group(1))
  }

  private struct Exchange {
    var request: ServerRequest
    var headers: [String: String]
    var sent: Date
    var received: Date
  }

  private func moment(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 946_684_800 + seconds) }

  private func headers(_ lines: ArraySlice<String>) -> [String: String] {
    var headers: [String: String] = [:]
    for line in lines {
      let parts = line.unicodeScalars.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      headers[String(parts[0])] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    return headers
  }

  private func check(date text: String) {
    guard let date = HTTPDate.date(text, now: moment(0)) else { return }
    expect(
      (-62_167_219_200...253_402_300_799).contains(date.timeIntervalSince1970),
      "'\(text)' is the date \(date)")
    expect(HTTPDate.date(" \t" + text + "\t", now: moment(0)) == date, "blanks around '\(text)' change it")
  }

  private func check(_ exchange: Exchange, now: Date, other: ServerRequest, validation: [String: String]) {
    let answer = ServerResponse(.bytes([]), headers: exchange.headers)
    let kept = CachedResponse.keptHeaders(exchange.headers)
    let response = CachedResponse(
      status: 200, headers: kept, requestTime: exchange.sent, responseTime: exchange.received,
      selectingHeaders: CachedResponse.selectingHeaders(of: exchange.request, for: kept))
    check(response, exchange, now: now)
    if case .success(let kept) = CachedResponse.kept(
      of: answer, to: exchange.request, sent: exchange.sent, received: exchange.received)
    {
      expect(kept.fits(exchange.request), "what was kept does not fit its own request")
      expect(
        CacheDecision(kept, for: ServerRequest(urn: exchange.request.urn), now: exchange.received) != .useless
          || kept.mayAnswerStale, "what was kept is of no use")
    }
    // Of two decisions, the later is not fresh if the earlier is stale, unless the server was asked in between.
    if CacheDecision(response, for: other, now: now.addingTimeInterval(1000)) == .fresh,
      now >= exchange.received
    {
      expect(CacheDecision(response, for: other, now: now) == .fresh, "it is fresh later, and not before")
    }
    let confirmation = ServerResponse(.bytes([]), status: 304, headers: validation)
    if case .holds(let response) = response.validated(
      by: confirmation, to: other, sent: now, received: now.addingTimeInterval(1))
    {
      expect(Self.bound.contains(response.lifetime), "the lifetime is \(response.lifetime)")
      expect(response.headers.keys.allSatisfy { $0 == $0.lowercased() }, "a name is not in lower case")
    }
  }

  private func check(_ response: CachedResponse, _ exchange: Exchange, now: Date) {
    expect(Self.bound.contains(response.lifetime), "the lifetime is \(response.lifetime)")
    let end = exchange.received.addingTimeInterval(Self.bound.upperBound)
    expect(!response.isFresh(end), "it is fresh for ever")
    expect(!response.isFresh(exchange.received.addingTimeInterval(-1)), "it is fresh before it came")
    if let age = response.age(now) {
      let least = min(now.timeIntervalSince(exchange.received), Self.bound.upperBound)
      expect(Self.bound.contains(age) && age >= least, "the age is \(age), and at least \(least)")
      _ = response.answeredHeaders(now)
    }
    for value in response.conditions.values {
      expect(
        !value.isEmpty && value != "*" && value.utf8.allSatisfy { (0x20...0x7E).contains($0) },
        "the server is asked with '\(value)'")
    }
    expect(CachedResponse.headers(response.headersText) == response.headers, "the headers are read otherwise")
    expect(
      CachedResponse.selectingHeaders(response.selectingHeadersText) == response.selectingHeaders,
      "the selecting headers are read otherwise")
  }

  private func checkInvalidation(by headers: [String: String]) {
    let request = ServerRequest(method: "POST", urn: "https://api.test/posts")
    let urls = request.invalidatedURLs(by: ServerResponse(.bytes([]), headers: headers))
    expect(urls.allSatisfy { $0.hasPrefix("https://api.test/") }, "something else is invalidated: \(urls)")
  }
}
