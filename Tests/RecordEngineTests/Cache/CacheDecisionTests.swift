import Foundation
import Testing

@testable import RecordEngine

/// Tests for the decision about a request with or without a cached response.
@Suite struct CacheDecisionTests {
  private let tag = ["If-None-Match": "\"a\""]

  private func decision(
    _ headers: [String: String], _ asked: [String: String] = [:], at seconds: Double
  ) -> CacheDecision {
    CacheDecision(cached(headers), for: asking(asked), now: moment(seconds))
  }

  private enum Outcome { case fresh, revalidate, useless, unavailable }

  /// The decision about a response with a validator, for the `Cache-Control` of the response, that of the request, and
  /// the age in seconds.
  @Test(
    arguments: [
      // Directives of the response.
      ("max-age=60", "", 59.0, "fresh"), ("max-age=60", "", 60, "revalidate"), ("", "", 0, "revalidate"),
      ("max-age=60, no-cache", "", 1, "revalidate"), ("max-age=60, no-cache=\"x\"", "", 1, "revalidate"),
      ("max-age=60, must-revalidate", "", 59, "fresh"), ("max-age=60, must-revalidate", "", 60, "revalidate"),
      ("max-age=60, immutable", "", 60, "revalidate"), ("max-age=60, max-age=61", "", 1, "revalidate"),
      ("max-age=60, private, public, s-maxage=0, proxy-revalidate, no-transform", "", 1, "fresh"),
      ("max-age=60, stale-while-revalidate=60", "", 61, "revalidate"),
      ("max-age=60, stale-if-error=60", "", 61, "revalidate"),
      ("no-store, must-understand, max-age=60", "", 1, "fresh"),
      // Directives of the request.
      ("max-age=60", "no-cache", 1, "revalidate"), ("max-age=60", "no-store", 1, "fresh"),
      ("max-age=60", "max-age=0", 1, "revalidate"), ("max-age=60", "max-age=0", 0, "fresh"),
      ("max-age=60", "max-age=10", 10, "fresh"), ("max-age=60", "max-age=10", 10.5, "revalidate"),
      ("max-age=60", "max-age=99", 60, "revalidate"), ("max-age=60", "max-age=x", 1, "revalidate"),
      ("max-age=60", "min-fresh=10", 50, "fresh"), ("max-age=60", "min-fresh=10", 50.5, "revalidate"),
      ("max-age=60", "min-fresh=x", 1, "revalidate"), ("max-age=60", "min-fresh=0", 60, "revalidate"),
      ("max-age=60", "max-stale", 1e9, "fresh"), ("max-age=60", "max-stale=10", 70, "fresh"),
      ("max-age=60", "max-stale=10", 70.5, "revalidate"), ("max-age=60", "max-stale=x", 61, "revalidate"),
      ("max-age=60, must-revalidate", "max-stale", 61, "revalidate"),
      ("max-age=60, no-cache", "max-stale", 61, "revalidate"),
      ("max-age=60, proxy-revalidate, s-maxage=5", "max-stale", 61, "fresh"), ("", "max-stale", 5, "fresh"),
      ("max-age=60", "max-stale, no-cache", 61, "revalidate"),
      ("max-age=60", "max-stale, max-age=60", 61, "revalidate"),
      ("max-age=60", "max-stale, max-age=70", 61, "fresh"),
      ("max-age=60", "max-stale, min-fresh=1", 61, "revalidate"),
      ("max-age=60", "stale-if-error=60", 61, "revalidate"),
      // An immutable response is not revalidated while it is fresh, except with no-cache.
      ("max-age=60, immutable", "max-age=0", 1, "fresh"),
      ("max-age=60, immutable", "no-cache", 1, "revalidate"),
      ("max-age=60, immutable", "max-age=0", 60, "revalidate"),
      ("max-age=60, immutable", "min-fresh=10", 55, "revalidate"),
      ("max-age=60, immutable, no-cache", "max-age=0", 1, "revalidate"),
      ("max-age=60, immutable", "max-age=0, max-stale", 61, "revalidate"),
      // The request forbids asking the server.
      ("max-age=60", "only-if-cached", 1, "fresh"), ("max-age=60", "only-if-cached", 60, "unavailable"),
      ("max-age=60", "only-if-cached, max-stale", 60, "fresh"),
      ("max-age=60", "only-if-cached, no-cache", 1, "unavailable"),
      // The clock was set back.
      ("max-age=60", "", -1, "revalidate"), ("max-age=60", "max-stale", -1, "revalidate"),
      ("max-age=60, immutable", "max-age=0", -1, "revalidate"),
    ] as [(String, String, Double, String)])
  func aResponseWithAValidator(control: String, asked: String, seconds: Double, expected: String) {
    let decision = decision(
      ["Cache-Control": control, "ETag": "\"a\""], asked.isEmpty ? [:] : ["Cache-Control": asked], at: seconds
    )
    let decisions: [String: CacheDecision] = [
      "fresh": .fresh, "revalidate": .revalidate(adding: tag), "unavailable": .unavailable,
    ]
    #expect(decision == decisions[expected])
  }

  /// The decision about a response without a validator. It is removed when it can no longer serve any request.
  @Test(
    arguments: [
      ("max-age=60", "", 59.0, .fresh), ("max-age=60", "", 60, .useless), ("", "", 0, .useless),
      ("", "max-stale", 5, .fresh),
      ("max-age=60, must-revalidate", "", 60, .useless), ("max-age=60", "only-if-cached", 60, .unavailable),
      // Another request may accept the response.
      ("max-age=60", "no-cache", 1, .revalidate(adding: [:])),
      ("max-age=60", "max-age=0", 1, .revalidate(adding: [:])),
      ("max-age=60, no-cache", "", 1, .useless),
      // The response may be served if the server fails.
      ("max-age=60, stale-if-error=60", "", 120, .revalidate(adding: [:])),
      ("max-age=60, stale-if-error=60", "", 121, .useless),
      ("max-age=60", "stale-if-error=60", 120, .revalidate(adding: [:])),
      ("max-age=60", "stale-if-error=60", 121, .useless),
      ("max-age=60, stale-if-error=60, must-revalidate", "", 61, .useless),
      ("max-age=60", "", -1, .useless), ("max-age=60, stale-if-error=60", "", -1, .useless),
    ] as [(String, String, Double, CacheDecision)])
  func aResponseWithoutAValidator(control: String, asked: String, seconds: Double, expected: CacheDecision) {
    #expect(
      decision(["Cache-Control": control], asked.isEmpty ? [:] : ["Cache-Control": asked], at: seconds)
        == expected)
  }

  @Test func pragma() {
    #expect(
      decision(["Cache-Control": "max-age=60", "ETag": "\"a\""], ["Pragma": "no-cache"], at: 1)
        == .revalidate(adding: tag))
    let both = ["Pragma": "no-cache", "Cache-Control": "max-age=5"]
    #expect(decision(["Cache-Control": "max-age=60", "ETag": "\"a\""], both, at: 1) == .fresh)
  }

  @Test func whereNothingFits() {
    func decision(_ request: ServerRequest) -> CacheDecision {
      CacheDecision(nil, for: request, now: moment(0))
    }
    #expect(decision(asking()) == .useless)
    #expect(decision(asking(["Cache-Control": "only-if-cached"])) == .unavailable)
  }

  /// The `Age` header is the age of the response. It replaces the value of the server or of a cache on the way.
  @Test func theAgeOfAnAnswer() {
    let response = cached(["Age": "7", "X-Any": "1"], delay: 1)
    #expect(response.answeredHeaders(moment(5.9)) == ["age": "13", "x-any": "1"])
    #expect(response.answeredHeaders(moment(1e20)) == ["age": "2147483648", "x-any": "1"])
    #expect(response.answeredHeaders(moment(-1)) == ["age": "7", "x-any": "1"])
    #expect(cached([:]).answeredHeaders(moment(0)) == ["age": "0"])
  }

  // MARK: Server failures

  @Test(
    arguments: [
      ("max-age=60, stale-if-error=60", "", 500, 120.0, true),
      ("max-age=60, stale-if-error=60", "", 500, 120.5, false),
      ("max-age=60, stale-if-error=60", "", nil, 61, true),
      ("max-age=60, stale-if-error=60", "", 502, 61, true),
      ("max-age=60, stale-if-error=60", "", 503, 61, true),
      ("max-age=60, stale-if-error=60", "", 504, 61, true),
      ("max-age=60, stale-if-error=60", "", 501, 61, false),
      ("max-age=60, stale-if-error=60", "", 404, 61, false),
      ("max-age=60, stale-if-error=60", "", 200, 61, false), ("max-age=60", "", nil, 61, false),
      ("max-age=60, stale-if-error=x", "", nil, 61, false), ("stale-if-error=60", "", nil, 60, true),
      ("max-age=x, stale-if-error=60", "", nil, 61, false),
      // The directive of the request takes precedence.
      ("max-age=60", "stale-if-error=60", nil, 120, true),
      ("max-age=60", "stale-if-error=60", nil, 121, false),
      ("max-age=60, stale-if-error=600", "stale-if-error=60", nil, 121, false),
      ("max-age=60, stale-if-error=6", "stale-if-error=60", nil, 100, true),
      ("max-age=60, stale-if-error=600", "stale-if-error=x", nil, 61, true),
      // The response is fresh, but the request asked for a younger one.
      ("max-age=60, stale-if-error=60", "max-age=0", nil, 5, true),
      // The request or the response requires revalidation.
      ("max-age=60, stale-if-error=60, must-revalidate", "", nil, 61, false),
      ("max-age=60, stale-if-error=60, no-cache", "", nil, 61, false),
      ("max-age=60, stale-if-error=60", "no-cache", nil, 61, false),
      ("max-age=60, must-revalidate", "stale-if-error=60", nil, 61, false),
      ("max-age=60, stale-if-error=60, proxy-revalidate", "", nil, 61, true),
      // The clock was set back.
      ("max-age=60, stale-if-error=60", "", nil, -1, false),
    ] as [(String, String, Int?, Double, Bool)])
  func standingIn(control: String, asked: String, status: Int?, seconds: Double, expected: Bool) {
    let request = asking(asked.isEmpty ? [:] : ["Cache-Control": asked])
    let response = cached(["Cache-Control": control])
    #expect(response.standsIn(for: request, failedWith: status, moment(seconds)) == expected)
  }
}
