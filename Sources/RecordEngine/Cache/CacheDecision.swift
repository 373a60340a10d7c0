import Foundation

/// The action that the cache takes for a request.
enum CacheDecision: Hashable, Sendable {
  /// The cached response answers the request. Rule: `cache.hit`.
  case fresh
  /// The server is asked with these headers in addition to those of the request, so that it can respond with 304. The
  /// dictionary is empty if the response has no validators. The cached response stays until the server has responded.
  /// It can be used if the server fails (``CachedResponse/standsIn(for:failedWith:_:)``). Rule: `cache.revalidate`.
  case revalidate(adding: [String: String])
  /// The cached response, if there is one, can no longer be used. It is removed, and the server is asked.
  /// Rule: `cache.stale`.
  case useless
  /// No cached response answers the request, and the request does not allow asking the server (`only-if-cached`). The
  /// status is 504.
  case unavailable

  /// Creates the decision for a request.
  ///
  /// - Parameter response: the cached response that was selected for the request, or nil if none fits.
  init(_ response: CachedResponse?, for request: ServerRequest, now: Date) {
    let control = RequestCacheControl(request.headers)
    if let response, response.answers(control, now) {
      self = .fresh
    } else if control.onlyIfCached {
      self = .unavailable
    } else if let response, !response.conditions.isEmpty || response.mayYetAnswer(control, now) {
      self = .revalidate(adding: response.conditions)
    } else {
      self = .useless
    }
  }
}
