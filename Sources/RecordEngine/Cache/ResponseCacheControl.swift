/// What the `Cache-Control` of a response says to a private cache.
/// Rule: `cache.directives`.
///
/// What it says to others is ignored: `s-maxage`, `proxy-revalidate`, `private`, `no-transform`; so is `public`, because
/// every status that is kept may be kept without it, and `stale-while-revalidate`, which is an offer.
struct ResponseCacheControl: Hashable, Sendable {
  /// Whether the response must not be kept. `must-understand` takes `no-store` back where a cache knows what the status
  /// means (RFC 9111, section 5.2.2.3), as it does for all that it keeps.
  var forbidsStoring: Bool
  /// Whether it must never answer without the server's word. `no-cache="…"`, which means some headers alone, counts too.
  var noCache: Bool
  var mustRevalidate: Bool
  /// Whether it does not change while it is fresh (RFC 8246).
  var isImmutable: Bool
  /// 0 if it is said wrongly.
  var maxAge: Int?
  /// For how many seconds beyond its time it may answer when the server fails (RFC 5861); nil if it may not.
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
