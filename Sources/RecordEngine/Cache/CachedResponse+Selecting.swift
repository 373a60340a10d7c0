import Foundation
import JSONTree

extension CachedResponse {
  /// Whether the request has the headers that the response depends on as the request has them that it answered (RFC 9111,
  /// section 4.1). That the address is the same, the cache's key says.
  /// Rule: `cache.vary`.
  func fits(_ request: ServerRequest) -> Bool {
    !variesWithEverything && selectingHeaders == Self.selectingHeaders(of: request, for: headers)
  }

  /// Of the candidates whose responses fit the request, that with the most recent response; the first of several.
  static func selected<Candidate>(
    from candidates: [Candidate], for request: ServerRequest, response: (Candidate) -> CachedResponse
  ) -> Candidate? {
    candidates.filter { response($0).fits(request) }.max { response($0).isOlder(than: response($1)) }
  }

  private func isOlder(than other: CachedResponse) -> Bool {
    (date, responseTime) < (other.date, other.responseTime)
  }

  /// Whether it says that no two requests are alike.
  var variesWithEverything: Bool { HTTPText.names(headers["vary"] ?? "").contains("*") }

  /// The headers of a request that a response with these headers depends on, written in one way.
  static func selectingHeaders(
    of request: ServerRequest, for headers: [String: String]
  ) -> [String: ScalarString?] {
    let names = HTTPText.names(headers["vary"] ?? "").filter { $0 != "*" }
    let values = names.map { ($0, request.header($0).map { ScalarString(HTTPText.normalised($0)) }) }
    return Dictionary(values) { first, _ in first }
  }
}

extension ServerResponse {
  /// Why it is not the answer to a request as it was described; nil if it is.
  ///
  /// - Parameter headers: Those of the response that is to be kept, by name in lower case.
  func obstacle(asAnswerTo described: ServerRequest, headers: [String: String]) -> CacheObstacle? {
    guard let sentRequest else { return nil }
    guard sentRequest.method == described.method, sentRequest.urn == described.urn else { return .redirected }
    let sent = CachedResponse.selectingHeaders(of: sentRequest, for: headers)
    let said = CachedResponse.selectingHeaders(of: described, for: headers)
    return said.keys.sorted().first { said[$0] != sent[$0] }.map { .sentOtherwise($0) }
  }
}
