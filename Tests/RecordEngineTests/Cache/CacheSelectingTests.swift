import Foundation
import Testing

@testable import RecordEngine

/// Tests for selecting the cached response that matches a request.
@Suite struct CacheSelectingTests {
  @Test(
    arguments: [
      ("", [:], ["Accept": "b"], true), ("Accept", ["Accept": "a"], ["Accept": "a"], true),
      ("Accept", ["Accept": "a"], ["Accept": "b"], false), ("ACCEPT", ["accept": "a"], ["Accept": "a"], true),
      ("Accept", ["Accept": "a"], ["Accept": "A"], false),
      ("Accept, X-A", ["Accept": "a", "X-A": "1"], ["Accept": "a", "X-A": "2"], false),
      (" accept ,,\tx-a,", ["Accept": "a", "X-A": "1"], ["Accept": "a", "X-A": "1", "X-B": "2"], true),
      // An absent header matches only an absent header.
      ("Accept", [:], [:], true), ("Accept", [:], ["Accept": ""], false),
      ("Accept", ["Accept": ""], [:], false),
      ("Accept", ["Accept": "a"], [:], false), ("Accept", ["Accept": ""], ["Accept": "  "], true),
      // Spaces around separators are ignored, except in quoted strings.
      ("Accept", ["Accept": " a,b ;\t q=1"], ["Accept": "a ,  b ; q=1 "], true),
      ("Accept", ["Accept": "a b"], ["Accept": "ab"], false),
      ("Accept", ["Accept": "\"a  b\""], ["Accept": "\"a b\""], false),
      ("Accept", ["Accept": #""\"a , b""#], ["Accept": #""\"a,b""#], false),
      ("Accept", ["Accept": #""a" , b"#], ["Accept": #""a",b"#], true),
      ("*", [:], [:], false), ("Accept, *", ["Accept": "a"], ["Accept": "a"], false),
    ] as [(String, [String: String], [String: String], Bool)])
  func vary(vary: String, first: [String: String], second: [String: String], fits: Bool) {
    let response = cached(["Vary": vary], to: asking(first))
    #expect(response.fits(asking(second)) == fits)
  }

  @Test func withoutVaryEverythingFits() {
    #expect(cached([:], to: asking(["Accept": "a"])).fits(asking(["Accept": "b"])))
  }

  /// The most recent response has the latest `Date` header. If these dates are equal, the time of receipt decides.
  @Test func theMostRecent() {
    let first = cached(["Date": httpText(-10), "x": "1"], at: 0)
    let second = cached(["Date": httpText(-20), "x": "2"], at: 5)
    let third = cached(["Date": httpText(-10), "x": "3"], at: 1)
    let other = cached(["Date": httpText(50), "Vary": "Accept", "x": "4"], to: asking(["Accept": "a"]))
    let dateless = cached(["x": "5"], at: -15)
    func selected(_ candidates: [CachedResponse], _ headers: [String: String] = [:]) -> String? {
      CachedResponse.selected(from: candidates, for: asking(headers)) { $0 }?.headers["x"]
    }
    #expect(selected([]) == nil)
    #expect(selected([second, first]) == "1")
    #expect(selected([first, third, second]) == "3")
    #expect(selected([other, second]) == "2")
    #expect(selected([other, second], ["Accept": "a"]) == "4")
    #expect(selected([other]) == nil)
    #expect(selected([second, dateless]) == "5")
    #expect(selected([first, dateless]) == "1")
    var equal = first
    equal.headers["x"] = "6"
    #expect(selected([first, equal]) == "1")
  }
}
