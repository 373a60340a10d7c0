import Foundation
import JSONTree

extension CachedResponse {
  /// Returns a Boolean value that indicates whether the headers that the response varies with have the same values in
  /// the request as in the request for the response (RFC 9111, section 4.1). The cache key already ensures the same
  /// address. Rule: `cache.vary`.
  func fits(_ request: ServerRequest) -> Bool {
    !variesWithEverything && selectingHeaders == Self.selectingHeaders(of: request, for: headers)
  }

  /// Returns the candidate with the most recent response that fits the request, or the first of several equally recent
  /// ones.
  static func selected<Candidate>(
    from candidates: [Candidate], for request: ServerRequest, response: (Candidate) -> CachedResponse
  ) -> Candidate? {
    candidates.filter { response($0).fits(request) }.max { response($0).isOlder(than: response($1)) }
  }

  private func isOlder(than other: CachedResponse) -> Bool {
    (date, responseTime) < (other.date, other.responseTime)
  }

  /// A Boolean value that indicates whether the response varies with everything (`Vary: *`), so that it fits no
  /// request.
  var variesWithEverything: Bool { HTTPText.names(headers["vary"] ?? "").contains("*") }

  /// Returns the normalized headers of a request that a response with the given headers varies with.
  static func selectingHeaders(
    of request: ServerRequest, for headers: [String: String]
  ) -> [String: ScalarString?] {
    let names = HTTPText.names(headers["vary"] ?? "").filter { $0 != "*" }
    let values = names.map { ($0, request.header($0).map { ScalarString(HTTPText.normalized($0)) }) }
    return Dictionary(values) { first, _ in first }
  }
}

extension ServerResponse {
  /// Returns the reason why this is not the response to a request as it was described, or nil if it is.
  ///
  /// - Parameter headers: the headers of the response to cache, by name in lower case.
  func obstacle(asAnswerTo described: ServerRequest, headers: [String: String]) -> CacheObstacle? {
    guard let sentRequest else { return nil }
    guard sentRequest.method == described.method, sentRequest.urn == described.urn else { return .redirected }
    let sent = CachedResponse.selectingHeaders(of: sentRequest, for: headers)
    let expected = CachedResponse.selectingHeaders(of: described, for: headers)
    return expected.keys.sorted().first { expected[$0] != sent[$0] }.map { .sentOtherwise($0) }
  }
}
