/// The `Cache-Control` directives of a response that apply to a private cache. Rule: `cache.directives`.
///
/// These directives are ignored:
///
/// - `s-maxage`, `proxy-revalidate`, `private` and `no-transform`, which apply to other caches
/// - `public`, because every status that is cached can be cached without it
/// - `stale-while-revalidate`, which is optional
struct ResponseCacheControl: Hashable, Sendable {
  /// A Boolean value that indicates whether the response must not be cached. `must-understand` overrides `no-store` if
  /// the cache knows the meaning of the status (RFC 9111, section 5.2.2.3). This cache knows all statuses that it
  /// stores.
  var forbidsStoring: Bool
  /// A Boolean value that indicates whether the response must be revalidated before each use. `no-cache="…"`, which
  /// applies to some headers only, has the same effect.
  var noCache: Bool
  var mustRevalidate: Bool
  /// A Boolean value that indicates whether the response does not change while it is fresh (RFC 8246).
  var isImmutable: Bool
  /// The lifetime in seconds, or 0 if it is invalid.
  var maxAge: Int?
  /// The number of seconds for which the response may be used after its lifetime if the server fails (RFC 5861), or nil
  /// if it must not be used.
  var staleIfError: Int?

  init(_ headers: [String: String]) {
    let directives = CacheDirectives(headers.header("Cache-Control") ?? "")
    forbidsStoring = directives.contains("no-store") && !directives.contains("must-understand")
    noCache = directives.contains("no-cache")
    mustRevalidate = directives.contains("must-revalidate")
    isImmutable = directives.contains("immutable")
    maxAge = directives.seconds("max-age", orIfInvalid: 0)
    staleIfError = directives.seconds("stale-if-error", orIfInvalid: nil)
  }
}
