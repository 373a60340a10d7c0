import Foundation
import JSONTree
import Testing

@testable import RecordEngine

/// Tests for the responses that are stored, and for the stored parts.
@Suite struct CacheKeepingTests {
  private func kept(_ response: ServerResponse, to request: ServerRequest = asking()) -> Result<
    CachedResponse, CacheObstacle
  > {
    CachedResponse.kept(of: response, to: request, sent: moment(-2), received: moment(0))
  }

  private func obstacle(_ response: ServerResponse, to request: ServerRequest = asking()) -> CacheObstacle? {
    if let obstacle = request.cacheObstacle { return obstacle }
    return if case .failure(let obstacle) = kept(response, to: request) { obstacle } else { nil }
  }

  private let fresh = ["Cache-Control": "max-age=60"]

  @Test func whatIsKept() throws {
    let response = answering([
      "CACHE-CONTROL": "max-age=60", "ETag": "\"a\"", "X-Count": "5", "Vary": "accept , X-None,ACCEPT",
    ])
    let request = asking(["accept": "a,  b", "authorization": "Bearer secret"])
    let kept = try kept(response, to: request).get()
    #expect(
      kept
        == CachedResponse(
          status: 200,
          headers: [
            "cache-control": "max-age=60", "etag": "\"a\"", "x-count": "5", "vary": "accept , X-None,ACCEPT",
          ],
          requestTime: moment(-2), responseTime: moment(0),
          selectingHeaders: ["accept": "a,b", "x-none": ScalarString?.none]))
  }

  @Test(arguments: [200, 203, 204, 100, 201, 206, 301, 304, 404, 500])
  func status(status: Int) {
    let expected: CacheObstacle? = [200, 203, 204].contains(status) ? nil : .status(status)
    #expect(obstacle(answering(fresh, status: status)) == expected)
    // With must-understand, the result is the same, even with no-store.
    let understood = ["Cache-Control": "no-store, must-understand, public, max-age=60"]
    #expect(obstacle(answering(understood, status: status)) == expected)
  }

  @Test(arguments: ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", ""])
  func method(method: String) {
    #expect(obstacle(answering(fresh), to: asking(method: method)) == .method(method))
  }

  @Test(
    arguments: [
      (["range": "bytes=0-5"], .range), (["IF-none-match": "\"a\""], .condition("If-None-Match")),
      (["If-Modified-Since": "x"], .condition("If-Modified-Since")),
      (["If-Match": "*"], .condition("If-Match")),
      (["If-Unmodified-Since": ""], .condition("If-Unmodified-Since")),
      (["If-Range": "x"], .condition("If-Range")),
      (["Cache-Control": "no-store"], .requestForbidsStoring), (["Authorization": "x", "Cookie": "y"], nil),
      (["Cache-Control": "no-cache, max-age=0, only-if-cached", "Pragma": "no-cache"], nil),
      (["Pragma": "no-store"], nil),
    ] as [([String: String], CacheObstacle?)])
  func requests(headers: [String: String], expected: CacheObstacle?) {
    #expect(obstacle(answering(fresh), to: asking(headers)) == expected)
  }

  @Test(
    arguments: [
      (["Cache-Control": "no-store, max-age=60"], .responseForbidsStoring),
      (["Cache-Control": "max-age=60", "cache-control": "no-store"], .responseForbidsStoring),
      (
        ["Connection": "cache-control", "Cache-Control": "no-store", "Expires": httpText(60)],
        .responseForbidsStoring
      ),
      (["Cache-Control": "no-store, must-understand, max-age=60"], nil),
      (["Cache-Control": "max-age=60", "Vary": "*"], .variesWithEverything),
      (["Cache-Control": "max-age=60", "Vary": "accept, *"], .variesWithEverything),
      (["Cache-Control": "max-age=60", "Vary": "accept"], nil),
      (["Cache-Control": "private=\"x\", max-age=60"], nil),
      // A response is stored only if it can be fresh, revalidated, or served when the server fails.
      ([:], .ofNoUse), (["Cache-Control": "public"], .ofNoUse), (["Cache-Control": "private"], .ofNoUse),
      (["Cache-Control": "s-maxage=60"], .ofNoUse), (["Cache-Control": "max-age=0"], .ofNoUse),
      (["Cache-Control": "max-age=60, no-cache"], .ofNoUse),
      (["Cache-Control": "max-age=60", "Age": "60"], nil),
      (["Cache-Control": "max-age=60, must-revalidate", "Age": "60"], .ofNoUse),
      (["Expires": httpText(60), "Age": "60"], nil), (["Expires": "0"], .ofNoUse),
      (["Expires": httpText(-1)], .ofNoUse), (["Expires": httpText(60)], nil),
      (["ETag": "x"], nil), (["ETag": "*"], .ofNoUse), (["Cache-Control": "no-cache", "ETag": "x"], nil),
      (["Cache-Control": "max-age=0", "Last-Modified": httpText(-5)], nil),
      (["Last-Modified": "x"], .ofNoUse),
      (["Cache-Control": "max-age=0, stale-if-error=60"], nil),
      (["Cache-Control": "max-age=0, stale-if-error=60, must-revalidate"], .ofNoUse),
      (["Cache-Control": "no-cache, stale-if-error=60"], .ofNoUse),
    ] as [([String: String], CacheObstacle?)])
  func responses(headers: [String: String], expected: CacheObstacle?) {
    #expect(obstacle(answering(headers)) == expected)
  }

  /// A response is stored only if the sent request equals its description in the headers that the response varies with.
  @Test func whatWasSentOtherwiseIsNotKept() {
    var response = answering(["Cache-Control": "max-age=60", "Vary": "Cookie, Accept"])
    let described = asking(["Cookie": "a=b", "X-Nonce": "1"])
    func obstacle(_ sent: ServerRequest) -> CacheObstacle? {
      response.sentRequest = sent
      return self.obstacle(response, to: described)
    }
    #expect(obstacle(described) == nil)
    #expect(obstacle(asking(["cookie": "a=b", "X-Nonce": "2", "If-None-Match": "x"])) == nil)
    #expect(obstacle(asking(["Cookie": "a=c"])) == .sentOtherwise("cookie"))
    #expect(obstacle(asking()) == .sentOtherwise("cookie"))
    #expect(obstacle(asking(["Cookie": "a=b", "Accept": "x"])) == .sentOtherwise("accept"))
    var elsewhere = described
    elsewhere.urn += "/latest"
    #expect(obstacle(elsewhere) == .redirected)
    #expect(obstacle(asking(["Cookie": "a=b"], method: "HEAD")) == .redirected)
  }

  /// Headers of the connection, of a proxy or of a single client are not stored.
  @Test func headers() {
    let kept = CachedResponse.keptHeaders([
      "Connection": "close, X-Hop ,Cache-Control,vary", "X-HOP": "1", "Keep-Alive": "5", "TE": "x",
      "Trailer": "x",
      "Transfer-Encoding": "chunked", "Upgrade": "h2", "Proxy-Authenticate": "x", "proxy-authorization": "x",
      "Proxy-Authentication-Info": "x", "Proxy-Connection": "x", "Set-Cookie": "a=b", "set-cookie2": "a=b",
      "Cache-Control": "max-age=60", "Vary": "accept", "X-Kept": "1", "Link": "<a>", "LINK": "<b>",
    ])
    #expect(
      kept == ["cache-control": "max-age=60", "vary": "accept", "x-kept": "1", "link": "<b>, <a>"])
  }

  @Test func everyObstacleHasItsWords() {
    let obstacles: [CacheObstacle] = [
      .method("HEAD"), .method("POST"), .condition("If-Match"), .range, .requestForbidsStoring, .status(404),
      .responseForbidsStoring, .variesWithEverything, .ofNoUse, .redirected, .sentOtherwise("cookie"),
    ]
    #expect(Set(obstacles.map(\.description)).count == obstacles.count)
    #expect(obstacles[1].description == "a response to POST is only valid for one request")
    #expect(obstacles[5].description == "the status is 404; only 200, 203 and 204 are cached")
  }
}
