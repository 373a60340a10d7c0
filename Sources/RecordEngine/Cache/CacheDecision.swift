import Foundation

/// What is to be done about a request that the cache has to do with.
enum CacheDecision: Hashable, Sendable {
  /// The kept response answers. Rule: `cache.hit`.
  case fresh
  /// The server is asked with these headers beside the request's own, by which it may answer 304; none if the response has
  /// nothing to be asked with. It stays until the server has answered, and may answer if the server fails
  /// (``CachedResponse/standsIn(for:failedWith:_:)``). Rule: `cache.revalidate`.
  case revalidate(adding: [String: String])
  /// Nothing is kept that will ever do: it is dropped, and the server asked. Rule: `cache.stale`.
  case useless
  /// The server is not to be asked, and nothing answers: 504 (`only-if-cached`).
  case unavailable

  /// - Parameter response: What the cache has selected for the request, or nil if it has nothing that fits.
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
