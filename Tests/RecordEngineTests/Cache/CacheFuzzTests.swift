import Foundation
import Testing

@testable import RecordEngine

/// Tests that random headers of servers and apps are read, and that no response stays fresh forever.
@Suite struct CacheFuzzTests {
  private static let names = [
    "Age", "Cache-Control", "Connection", "Content-Location", "Content-Type", "Date", "ETag", "Expires",
    "Last-Modified", "Location", "Pragma", "Vary", "X-Any", "cache-control", "vary", "",
  ]
  private static let pieces = [
    "max-age", "no-cache", "no-store", "must-revalidate", "immutable", "must-understand", "stale-if-error",
    "min-fresh",
    "max-stale", "only-if-cached", "private", "=", "=", ",", ",", "\"", "\\", " ", "\t", ";", "*", "W/", "-",
    ":", "GMT",
    "0", "1", "60", "86400", "2147483648", "9223372036854775807", "9223372036854775808",
    "99999999999999999999999999999999999999", "-1", "1.5", "1e309", "NaN", "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Fri, 31 Dec 9999 23:59:59 GMT",
    "Sat, 01 Jan 0000 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT", "Accept", "Cookie", "\r\n", "\0",
    "\u{7F}", "ü", "é",
    "🦆", "\u{301}", "\u{FEFF}", "٣", "ſ", "K", "https://a/", "//", "?", "#", "%", "@", ":443", "../",
  ]

  private func value(_ random: inout RandomNumbers) -> String {
    let parts = (0..<random.number(0...8)).compactMap { _ in random.pick(Self.pieces) }
    var bytes = Array(parts.joined().utf8)
    // Some values have a changed byte or are cut off.
    if random.chance(20), !bytes.isEmpty {
      bytes[random.number(0...bytes.count - 1)] = UInt8(random.number(0...255))
    }
    if random.chance(10) { bytes = Array(bytes.prefix(random.number(0...bytes.count))) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func headers(_ random: inout RandomNumbers) -> [String: String] {
    var headers: [String: String] = [:]
    for _ in 0..<random.number(0...6) { headers[random.pick(Self.names) ?? ""] = value(&random) }
    return headers
  }

  @Test(arguments: randomSeeds(100))
  func nothingIsFreshForEver(seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    let bound = 0...Double(CacheDirectives.maximumSeconds)
    for _ in 0..<20 {
      let asked = asking(headers(&random))
      let received = Double(random.number(-4_000_000_000...4_000_000_000))
      let delay = Double(random.number(-100...100))
      let response = cached(headers(&random), to: asked, delay: delay, at: received)
      #expect(bound.contains(response.lifetime))
      #expect(!response.isFresh(moment(received + bound.upperBound)))
      #expect(!response.isFresh(moment(received - 1)))
      let now = received + Double(random.number(-10...4_000_000_000))
      if let age = response.age(moment(now)) {
        #expect(bound.contains(age) && age >= min(now - received, bound.upperBound))
      }
      for value in response.conditions.values {
        #expect(!value.isEmpty && value != "*" && value.utf8.allSatisfy { (0x20...0x7E).contains($0) })
      }

      let kept = CachedResponse.kept(
        of: answering(response.headers), to: asked, sent: moment(received - delay),
        received: moment(received))
      if case .success(let kept) = kept {
        #expect(kept.fits(asked))
        #expect(kept.responseTime == response.responseTime)
        // A stored response is useful for some request.
        #expect(CacheDecision(kept, for: asking(), now: moment(received)) != .useless)
      }
      // Without a request to the server, a response that was not fresh does not become fresh later.
      let other = asking(headers(&random))
      let later = CacheDecision(response, for: other, now: moment(now + Double(random.number(0...100_000))))
      if later == .fresh {
        #expect(CacheDecision(response, for: other, now: moment(max(now, received))) == .fresh)
      }
      if case .holds(let response) = response.validated(
        by: answering(headers(&random), status: 304), to: other, sent: moment(now), received: moment(now + 1))
      {
        #expect(bound.contains(response.lifetime))
        #expect(response.headers.keys.allSatisfy { $0 == $0.lowercased() })
      }
      var post = asked
      post.method = "POST"
      let urls = post.invalidatedURLs(by: answering(headers(&random)))
      #expect(urls.filter { !$0.hasPrefix("https://a/") } == [])
    }
  }

  @Test(arguments: randomSeeds(100))
  func everyTextIsReadAsADateOrNone(seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    for _ in 0..<10 {
      // A date with up to two random edits.
      let form = random.pick(HTTPDateText.allCases) ?? .fixdate
      var bytes = Array(form.text(moment(Double(random.number(-1_000_000_000...1_000_000_000)))).utf8)
      for _ in 0..<random.number(0...2) {
        bytes[random.number(0...bytes.count - 1)] = UInt8(random.number(0...255))
      }
      for text in [value(&random), String(decoding: bytes, as: UTF8.self)] {
        guard let date = HTTPDate.date(text, now: moment(0)) else { continue }
        #expect((-62_167_219_200...253_402_300_799).contains(date.timeIntervalSince1970))
        #expect(HTTPDate.date(" \t" + text.uppercased() + "\t", now: moment(0)) == date)
      }
    }
  }
}
