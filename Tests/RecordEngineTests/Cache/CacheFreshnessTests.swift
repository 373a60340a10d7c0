import Foundation
import Testing

@testable import RecordEngine

/// Tests for the age and the freshness lifetime of responses.
@Suite struct CacheFreshnessTests {
  @Test(
    arguments: [
      ([:], 0.0, 0.0, 0.0), ([:], 0, 10, 10), ([:], 3, 10, 13), (["Age": "7"], 0, 10, 17),
      (["Age": "7"], 3, 10, 20),
      (["Age": "7, 9"], 0, 0, 7), (["Age": "x, 9"], 0, 0, 0), (["Age": ", 9"], 0, 0, 0),
      (["Age": " 7 "], 0, 0, 7),
      (["Age": "-7"], 0, 0, 0), (["Age": "1.5"], 0, 0, 0), (["Age": ""], 0, 0, 0),
      (["Age": "\"7\""], 0, 0, 0),
      (["Age": "99999999999999999999"], 5, 10, 2_147_483_648), (["Date": httpText(-30)], 0, 10, 40),
      (["Date": httpText(-30)], 50, 10, 60), (["Date": httpText(-30), "Age": "100"], 5, 10, 115),
      (["Date": httpText(30)], 0, 10, 10), (["Date": "x"], 0, 10, 10), ([:], -5, 10, 10),
      (["Date": "Mon, 01 Jan 0001 00:00:00 GMT"], 0, 0, 2_147_483_648),
      ([:], 0, 9e18, 2_147_483_648), ([:], .infinity, 0, 2_147_483_648),
    ] as [([String: String], Double, Double, Double)])
  func age(headers: [String: String], delay: Double, now: Double, expected: Double) {
    #expect(cached(headers, delay: delay).age(moment(now)) == expected)
  }

  @Test(
    arguments: [
      ([:], 0.0), (["Cache-Control": "max-age=60"], 60),
      (["Cache-Control": "max-age=60", "Expires": "0"], 60),
      (["Cache-Control": "max-age=x", "Expires": httpText(60)], 0),
      (["Cache-Control": "max-age=60,max-age=10"], 0),
      (["Cache-Control": "max-age=9999999999"], 2_147_483_648), (["Cache-Control": "s-maxage=60"], 0),
      (["Expires": httpText(60)], 60), (["Expires": httpText(60), "Date": httpText(-30)], 90),
      (["Expires": httpText(60), "Date": "x"], 60), (["Expires": httpText(60), "Date": httpText(90)], 0),
      (["Expires": "0"], 0), (["Expires": "-1"], 0), (["Expires": ""], 0),
      (["Expires": httpText(60) + ", " + httpText(60)], 0),
      (["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"], 2_147_483_648),
      (["Expires": "Saturday, 01-Jan-00 00:01:00 GMT"], 60),
      // Heuristic lifetimes, without an explicit one.
      (["Last-Modified": httpText(-1000)], 100),
      (["Last-Modified": httpText(-1000), "Date": httpText(-500)], 50),
      (["Last-Modified": httpText(-864_000)], 86_400), (["Last-Modified": httpText(-8_640_000)], 86_400),
      (["Last-Modified": httpText(5)], 0), (["Last-Modified": httpText(0)], 0), (["Last-Modified": "x"], 0),
      (["Last-Modified": httpText(-1000), "Cache-Control": "max-age=5"], 5),
      (["Last-Modified": httpText(-1000), "Cache-Control": "max-age=x"], 0),
      (["Last-Modified": httpText(-1000), "Expires": "0"], 0),
      (["Last-Modified": httpText(-1000), "Cache-Control": "public, private, s-maxage=5"], 100),
    ] as [([String: String], Double)])
  func lifetime(headers: [String: String], expected: Double) {
    #expect(cached(headers).lifetime == expected)
  }

  /// A response without a date has the date at which it was received, and not the date of the request.
  @Test(arguments: [[:], ["Date": "x"]])
  func withoutADate(headers: [String: String]) {
    let response = cached(headers.merging(["Expires": httpText(60)]) { old, _ in old }, delay: 5)
    #expect(response.date == moment(0))
    #expect(response.lifetime == 60)
  }

  /// A response is fresh while its age is less than its lifetime.
  @Test func untilItsTime() {
    let response = cached(["Cache-Control": "max-age=60"])
    #expect(response.isFresh(moment(0)))
    #expect(response.isFresh(moment(59.9)))
    #expect(!response.isFresh(moment(60)))
    #expect(!response.isFresh(moment(1e12)))
  }

  /// After a wrong clock is set back, a response does not stay fresh until the clock reaches its date.
  @Test func aClockThatHasGoneBack() {
    let response = cached(["Cache-Control": "max-age=60"], at: 1_000_000)
    #expect(response.age(moment(999_999)) == nil)
    #expect(!response.isFresh(moment(999_999)))
    #expect(!response.isFresh(moment(0)))
    #expect(response.isFresh(moment(1_000_000)))
  }

  /// A date in a header is read once, when the response is received.
  @Test func aYearOfTwoDigitsIsReadOnce() {
    let expires = ["Expires": "Saturday, 01-Jan-50 00:00:00 GMT"]
    #expect(cached(expires, at: 0).lifetime == 1_577_923_200)
    // One second before the year 2000, the year 50 means 1950. It keeps this meaning.
    #expect(cached(expires, at: -1).lifetime == 0)
    #expect(!cached(expires, at: -1).isFresh(moment(86_400)))
  }
}
