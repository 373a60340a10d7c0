import Foundation
import JSONTree
import Testing

@testable import RecordEngine

/// Tests that addresses, parameters and headers are compared by their scalars, even if Swift's `String` considers them
/// equal.
@Suite struct RequestScalarsTests {
  private static let composed = "caf\u{E9}"
  private static let apart = "cafe\u{301}"

  @Test(arguments: [
    (ServerRequest(urn: composed), ServerRequest(urn: apart)),
    (ServerRequest(urn: "a", query: ["q": composed]), ServerRequest(urn: "a", query: ["q": apart])),
    (ServerRequest(urn: "a", query: [composed: "1"]), ServerRequest(urn: "a", query: [apart: "1"])),
    (
      ServerRequest(urn: "a", body: .form(["q": composed])),
      ServerRequest(urn: "a", body: .form(["q": apart]))
    ),
    (
      ServerRequest(urn: "a", body: .json(["q": .string(composed)])),
      ServerRequest(urn: "a", body: .json(["q": .string(apart)]))
    ),
    (ServerRequest(urn: "a", body: .form([:])), ServerRequest(urn: "a")),
    (ServerRequest(urn: "a", body: .form([:])), ServerRequest(urn: "a", body: .json([:]))),
    (
      ServerRequest(urn: "a", body: .data(Data("q".utf8), contentType: "text/plain")),
      ServerRequest(urn: "a", body: .data(Data("q".utf8), contentType: "text/html"))
    ),
    (
      ServerRequest(urn: "a", body: .data(Data("q".utf8), contentType: "text/plain")),
      ServerRequest(urn: "a", body: .data(Data("r".utf8), contentType: "text/plain"))
    ),
    (ServerRequest(urn: "a", headers: ["X": composed]), ServerRequest(urn: "a", headers: ["X": apart])),
  ])
  func requestsDiffer(left: ServerRequest, right: ServerRequest) {
    #expect(left != right && right != left)
    #expect(left == left)
    #expect(Set([left, right, left]).count == 2)
  }

  @Test func storedAnswersAreOfOneAddress() {
    #expect(CacheKey.test(Self.composed) != .test(Self.apart))
    #expect(CacheKey.test("a", responseKeyPath: Self.composed) != .test("a", responseKeyPath: Self.apart))
    let cache = RecordCache(now: { moment(0) })
    for (number, url) in [Self.composed, Self.apart].enumerated() {
      cache.keep(.test([Int64(number)]), for: .test(url), generation: .test, since: 0) { _ in true }
    }
    #expect(
      cache.rows(for: .test(Self.composed), generation: .test).map { $0.records.map(\.serial) } == [[0]])
    #expect(cache.rows(for: .test(Self.apart), generation: .test).map { $0.records.map(\.serial) } == [[1]])
  }

  /// A request does not wait for a request with other headers.
  @Test func requestsWithOtherHeadersAreNotCoalesced() {
    let keys = [Self.composed, Self.apart].map {
      CoalescedRequests.Key(key: .test("a"), headers: ["X": $0])
    }
    #expect(keys[0] != keys[1])
    #expect(keys[0] == CoalescedRequests.Key(key: .test("a"), headers: ["X": Self.composed]))
  }

  @Test func aResponseVariesWithTheScalarsOfAHeader() {
    let response = cached(["Vary": "X"], to: ServerRequest(urn: "a", headers: ["X": Self.composed]))
    #expect(response.fits(ServerRequest(urn: "a", headers: ["x": Self.composed])))
    #expect(!response.fits(ServerRequest(urn: "a", headers: ["x": Self.apart])))
    #expect(CachedResponse.selectingHeaders(response.selectingHeadersText) == response.selectingHeaders)
  }
}
