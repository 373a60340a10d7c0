import Foundation
import Testing

@testable import RecordEngine

/// Tests for the conditions of a revalidation request, and for the result of a 304 response.
@Suite struct CacheValidationTests {
  @Test(
    arguments: [
      ([:], [:]), (["ETag": "\"a\""], ["If-None-Match": "\"a\""]),
      (["ETag": " W/\"a\" "], ["If-None-Match": "W/\"a\""]),
      (["Last-Modified": httpText(-5)], ["If-Modified-Since": httpText(-5)]),
      (
        ["Last-Modified": " Friday, 31-Dec-99 23:59:59 GMT "],
        ["If-Modified-Since": "Friday, 31-Dec-99 23:59:59 GMT"]
      ),
      (
        ["ETag": "\"a\"", "Last-Modified": httpText(-5)],
        ["If-None-Match": "\"a\"", "If-Modified-Since": httpText(-5)]
      ),
      // Invalid entity tags that can be sent back.
      (["ETag": "a"], ["If-None-Match": "a"]), (["ETag": "W/a"], ["If-None-Match": "W/a"]),
      (["ETag": "!~"], ["If-None-Match": "!~"]), (["ETag": "\"\""], ["If-None-Match": "\"\""]),
      (["ETag": "\"a, b\""], ["If-None-Match": "\"a, b\""]),
      (["ETag": "\"*\""], ["If-None-Match": "\"*\""]),
      // Invalid entity tags that would have another meaning if they were sent back.
      (["ETag": ""], [:]), (["ETag": " "], [:]), (["ETag": "*"], [:]), (["ETag": "W/*"], [:]),
      (["ETag": "W/"], [:]),
      (["ETag": "a,b"], [:]), (["ETag": "a b"], [:]), (["ETag": "\"a"], [:]), (["ETag": "\""], [:]),
      (["ETag": "a\""], [:]), (["ETag": "\"a\", \"b\""], [:]), (["ETag": "\"a\r\nX: y\""], [:]),
      (["ETag": "\"a\0\""], [:]),
      (["ETag": "\"ä\""], [:]), (["ETag": "\"a\u{7F}\""], [:]), (["Last-Modified": "yesterday"], [:]),
      (["Last-Modified": "0"], [:]), (["Last-Modified": httpText(-5) + "\r\nX: y"], [:]),
      (["ETag": "*", "Last-Modified": httpText(-5)], ["If-Modified-Since": httpText(-5)]),
    ] as [([String: String], [String: String])])
  func conditions(headers: [String: String], expected: [String: String]) {
    #expect(cached(headers).conditions == expected)
  }

  private func validated(
    _ response: CachedResponse, by headers: [String: String], to asked: ServerRequest = asking()
  ) -> CacheValidation {
    response.validated(
      by: answering(headers, status: 304), to: asked, sent: moment(99), received: moment(100))
  }

  @Test func itIsAsTheServerSaysNow() {
    let stored = cached(
      [
        "ETag": "\"a\"", "Date": httpText(0), "Age": "7", "Cache-Control": "max-age=60", "X-Old": "1",
        "X-New": "1",
        "Content-Type": "a", "Content-Length": "5", "Content-Encoding": "gzip", "Content-Range": "x",
        "Content-Language": "en", "Vary": "Accept",
      ], to: asking(["Accept": "a", "Cookie": "b"]))
    let new = [
      "ETAG": "\"a\"", "Date": httpText(99), "Cache-Control": "max-age=30, no-cache", "x-new": "2",
      "Content-Type": "b", "Content-Length": "0", "content-encoding": "br", "Content-Range": "y",
      "Content-Language": "de", "Vary": "Cookie", "Set-Cookie": "c=d", "Connection": "X-Hop", "X-Hop": "1",
    ]
    let asked = asking(["Accept": "a", "Cookie": "c"])
    #expect(
      validated(stored, by: new, to: asked)
        == .holds(
          CachedResponse(
            status: 200,
            headers: [
              "etag": "\"a\"", "date": httpText(99), "cache-control": "max-age=30, no-cache", "x-old": "1",
              "x-new": "2", "content-type": "a", "content-length": "5", "content-encoding": "gzip",
              "content-range": "x", "content-language": "de", "vary": "Cookie",
            ],
            requestTime: moment(99), responseTime: moment(100), selectingHeaders: ["cookie": "c"])))
  }

  /// A 304 response without headers makes the cached response as fresh as it was when it was new.
  @Test func aBare304MakesItYoung() throws {
    let stored = cached([
      "ETag": "\"a\"", "Date": httpText(-20), "Age": "30", "Cache-Control": "max-age=60",
    ])
    #expect(!stored.isFresh(moment(100)))
    guard case .holds(let response) = validated(stored, by: [:]) else {
      Issue.record("the 304 response does not confirm the cached response")
      return
    }
    #expect(response.age(moment(100)) == 1)
    #expect(response.isFresh(moment(158)))
    #expect(!response.isFresh(moment(159)))
    #expect(response.conditions == ["If-None-Match": "\"a\""])
  }

  @Test(
    arguments: [
      // The stored headers, the headers of the 304 response, and whether the 304 response confirms the stored one.
      (["ETag": "\"a\""], [:], true), (["ETag": "\"a\""], ["ETag": "\"a\""], true),
      (["ETag": "\"a\""], ["ETag": " W/\"a\""], true), (["ETag": "W/\"a\""], ["ETag": "\"a\""], true),
      (["ETag": "\"a\""], ["ETag": "\"b\""], false), (["ETag": "\"a\""], ["ETag": "a"], false),
      (["ETag": "\"a\""], ["ETag": "\"A\""], false), (["ETag": "a"], ["ETag": "a"], true),
      (["ETag": "\"a\""], ["ETag": ""], false), ([:], ["ETag": "\"a\""], false),
      (["Last-Modified": httpText(-5)], ["ETag": "\"a\"", "Last-Modified": httpText(-5)], false),
      (["Last-Modified": httpText(-5)], ["Last-Modified": httpText(-5) + " "], true),
      (["Last-Modified": httpText(-5)], ["Last-Modified": httpText(-9)], false),
      (["Last-Modified": httpText(-5)], [:], true),
      (["ETag": "\"a\"", "Last-Modified": httpText(-5)], ["Last-Modified": httpText(-9)], true),
      (["ETag": "*", "Last-Modified": httpText(-5)], ["Last-Modified": httpText(-9)], false),
    ] as [([String: String], [String: String], Bool)])
  func isItTheOne(stored: [String: String], new: [String: String], expected: Bool) {
    #expect((validated(cached(stored), by: new) != .isAnother) == expected)
  }

  // MARK: HEAD

  private func refreshed(
    _ response: CachedResponse, by headers: [String: String], asked: [String: String] = [:],
    sent: ServerRequest? = nil
  ) -> CacheValidation {
    var answer = answering(headers)
    answer.sentRequest = sent
    return response.refreshed(
      by: answer, to: asking(asked, method: "HEAD"), sent: moment(99), received: moment(100))
  }

  /// Rule: `cache.head`.
  @Test(
    arguments: [
      // The stored headers, the headers of the HEAD response, and whether they match.
      ([:], [:], true), (["ETag": "\"a\""], [:], true), (["ETag": "\"a\""], ["ETag": "W/\"a\" "], true),
      (["ETag": "\"a\""], ["ETag": "\"b\""], false), ([:], ["ETag": "\"a\""], false),
      (["Last-Modified": httpText(-5)], ["Last-Modified": " " + httpText(-5)], true),
      (["Last-Modified": httpText(-5)], ["Last-Modified": httpText(-9)], false),
      ([:], ["Last-Modified": httpText(-5)], false),
      // Unlike in a 304 response, every validator must match.
      (
        ["ETag": "\"a\"", "Last-Modified": httpText(-5)], ["ETag": "\"a\"", "Last-Modified": httpText(-9)],
        false
      ),
      (["Content-Length": "5"], ["content-length": "5"], true),
      (["Content-Length": "5"], ["Content-Length": "6"], false), ([:], ["Content-Length": "5"], false),
      (["ETag": "\"a\"", "Content-Length": "5"], ["ETag": "\"a\"", "Content-Length": "6"], false),
    ] as [([String: String], [String: String], Bool)])
  func whetherAHeadMeansIt(stored: [String: String], new: [String: String], expected: Bool) {
    #expect((refreshed(cached(stored), by: new) != .isAnother) == expected)
  }

  @Test func aHeadSaysWhatTheResponseIsNow() {
    let stored = cached(["ETag": "\"a\"", "Age": "7", "Cache-Control": "max-age=60", "Content-Type": "a"])
    var expected = cached(
      ["ETag": "\"a\"", "Cache-Control": "max-age=30", "Content-Type": "a"], delay: 1, at: 100)
    #expect(
      refreshed(stored, by: ["Cache-Control": "max-age=30", "Content-Type": "b"]) == .holds(expected))
    expected.headers["cache-control"] = "max-age=60"
    #expect(refreshed(stored, by: [:]) == .holds(expected))
    #expect(refreshed(stored, by: ["Cache-Control": "no-store"]) == .holdsOnce)
    #expect(refreshed(stored, by: ["Vary": "*"]) == .holdsOnce)
    #expect(refreshed(stored, by: [:], asked: ["Cache-Control": "no-store"]) == .holds(stored))
    #expect(refreshed(stored, by: ["ETag": "\"b\""], asked: ["Cache-Control": "no-store"]) == .isAnother)
    // The response of another address does not affect this one.
    let elsewhere = ServerRequest(method: "HEAD", urn: "https://a/latest")
    #expect(refreshed(stored, by: ["ETag": "\"b\""], sent: elsewhere) == .holds(stored))
  }

  @Test func whatIsNoLongerKept() {
    let stored = cached(["ETag": "\"a\"", "Cache-Control": "max-age=60"])
    #expect(validated(stored, by: ["Cache-Control": "no-store"]) == .holdsOnce)
    #expect(validated(stored, by: ["Vary": "*"]) == .holdsOnce)
    #expect(validated(stored, by: ["Cache-Control": "no-store", "ETag": "\"b\""]) == .isAnother)
    #expect(validated(stored, by: ["Cache-Control": "no-store, must-understand"]) != .holdsOnce)
    // A request with no-store leaves the cached response unchanged.
    let silent = asking(["Cache-Control": "no-store"])
    #expect(validated(stored, by: ["Cache-Control": "max-age=5"], to: silent) == .holds(stored))
  }

  /// Another address can use the same entity tag or date for different contents.
  @Test(arguments: [["ETag": "\"a\""], ["Last-Modified": httpText(-5)]])
  func whatAnswersSomethingElseConfirmsNothing(headers: [String: String]) {
    let described = asking(["Cookie": "a=b"])
    let stored = cached(headers.merging(["Vary": "Cookie"]) { $1 }, to: described)
    func isAnother(_ sent: ServerRequest, _ new: [String: String] = [:]) -> Bool {
      var response = answering(headers.merging(new) { $1 }, status: 304)
      response.sentRequest = sent
      return stored.validated(by: response, to: described, sent: moment(99), received: moment(100))
        == .isAnother
    }
    var sent = described
    sent.headers["If-None-Match"] = "\"a\""
    #expect(!isAnother(sent))
    #expect(isAnother(asking(["Cookie": "a=c"])))
    sent.headers["Accept"] = "x"
    #expect(!isAnother(sent))
    #expect(isAnother(sent, ["Vary": "Accept"]))
    sent.urn += "/latest"
    #expect(isAnother(sent))
  }
}
