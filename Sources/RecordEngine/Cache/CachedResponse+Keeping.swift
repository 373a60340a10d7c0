import Foundation

extension CachedResponse {
  /// What is kept of a response, or why nothing is (RFC 9111, section 3).
  /// Rule: `cache.status`.
  ///
  /// `Authorization` is no obstacle: section 3.5 of RFC 9111 forbids shared caches alone to keep what was answered to it,
  /// and this one is its user's own.
  ///
  /// - Parameters:
  ///   - request: The request as it was asked, without the conditions that the cache may have added; one that has no
  ///     ``ServerRequest/cacheObstacle``.
  ///   - sent: When the request was sent.
  ///   - received: When the response came.
  static func kept(
    of response: ServerResponse, to request: ServerRequest, sent: Date, received: Date
  ) -> Result<CachedResponse, CacheObstacle> {
    if RequestCacheControl(request.headers).noStore { return .failure(.requestForbidsStoring) }
    guard [200, 203, 204].contains(response.status) else { return .failure(.status(response.status)) }
    let headers = keptHeaders(response.headers)
    if let obstacle = response.obstacle(asAnswerTo: request, headers: headers) { return .failure(obstacle) }
    let kept = CachedResponse(
      status: response.status, headers: headers, requestTime: sent, responseTime: received,
      selectingHeaders: selectingHeaders(of: request, for: headers))
    let control = kept.control
    if control.forbidsStoring { return .failure(.responseForbidsStoring) }
    if kept.variesWithEverything { return .failure(.variesWithEverything) }
    guard
      !kept.conditions.isEmpty || kept.mayYetAnswer(RequestCacheControl([:]), received) || kept.mayAnswerStale
    else { return .failure(.ofNoUse) }
    return .success(kept)
  }

  var control: ResponseCacheControl { ResponseCacheControl(headers) }

  /// The headers that are kept, by name in lower case: all but those that are about the connection or a proxy (RFC 9111,
  /// section 3.1), and cookies, which an answer from the cache does not set.
  static func keptHeaders(_ headers: [String: String]) -> [String: String] {
    var result: [String: String] = [:]
    // Several spellings of a name are lines of one header (RFC 9110, section 5.2): a `no-store` counts in each.
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      result[name.lowercased(), default: ""] += (result[name.lowercased()] == nil ? "" : ", ") + value
    }
    let ofConnection = HTTPText.names(result["connection"] ?? "").filter { !governing.contains($0) }
    return result.filter { name, _ in
      !hopByHop.contains(name) && !ofConnection.contains(name) && !name.hasPrefix("proxy-")
        && !name.hasPrefix("set-cookie")
    }
  }

  private static let hopByHop: Set = [
    "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// What restrains the cache is kept even if `Connection` names it, which it must not (RFC 9110, section 7.6.1).
  private static let governing: Set = ["age", "cache-control", "date", "expires", "vary"]
}
