import Foundation

extension CachedResponse {
  /// Returns the response to cache, or the reason for not caching it (RFC 9111, section 3).
  /// Rule: `cache.status`.
  ///
  /// `Authorization` does not prevent caching. Section 3.5 of RFC 9111 restricts only shared caches, and this cache
  /// belongs to one user.
  ///
  /// - Parameters:
  ///   - request: the original request, without the conditions that the cache may have added. It must not have a
  ///     ``ServerRequest/cacheObstacle``.
  ///   - sent: the time at which the request was sent.
  ///   - received: the time at which the response arrived.
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

  /// Returns the headers to cache, by name in lower case. Headers about the connection or a proxy are left out (RFC
  /// 9111, section 3.1), and so are cookies, which a cached response does not set.
  static func keptHeaders(_ headers: [String: String]) -> [String: String] {
    var result: [String: String] = [:]
    // Several spellings of a name belong to one header (RFC 9110, section 5.2), so that `no-store` counts in each of
    // them.
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      result[name.lowercased(), default: ""] += (result[name.lowercased()] == nil ? "" : ", ") + value
    }
    let connectionHeaders = HTTPText.names(result["connection"] ?? "").filter { !cachingHeaders.contains($0) }
    return result.filter { name, _ in
      !hopByHop.contains(name) && !connectionHeaders.contains(name) && !name.hasPrefix("proxy-")
        && !name.hasPrefix("set-cookie")
    }
  }

  private static let hopByHop: Set = [
    "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// The headers that control caching. They are cached even if `Connection` names them, which is not allowed (RFC 9110,
  /// section 7.6.1).
  private static let cachingHeaders: Set = ["age", "cache-control", "date", "expires", "vary"]
}
