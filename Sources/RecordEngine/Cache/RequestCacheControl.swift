/// The `Cache-Control` directives of a request. An invalid directive counts as its strictest possible value.
struct RequestCacheControl: Hashable, Sendable {
  /// A Boolean value that indicates whether the response must not be cached.
  var noStore: Bool
  /// A Boolean value that indicates whether a cached response must be confirmed by the server.
  var noCache: Bool
  /// A Boolean value that indicates whether the server must not be asked.
  var onlyIfCached: Bool
  /// The maximum age of a response in seconds.
  var maxAge: Int?
  /// The minimum number of seconds for which a response must stay fresh.
  var minFresh: Int?
  /// The maximum number of seconds for which a response may have been stale.
  var maxStale: Int?
  /// The maximum number of seconds for which a response may have been stale if the server fails (RFC 5861).
  var staleIfError: Int?

  init(_ headers: [String: String]) {
    let header = headers.header("Cache-Control")
    let directives = CacheDirectives(header ?? "")
    let maximum = CacheDirectives.maximumSeconds
    noStore = directives.contains("no-store")
    // `Pragma` is older than `Cache-Control`, and counts only if that header is missing (RFC 9111, section 5.4).
    let pragma = header == nil ? CacheDirectives(headers.header("Pragma") ?? "") : directives
    noCache = pragma.contains("no-cache")
    onlyIfCached = directives.contains("only-if-cached")
    maxAge = directives.seconds("max-age", orIfInvalid: 0)
    minFresh = directives.seconds("min-fresh", orIfInvalid: maximum)
    let acceptsAnyAge = directives.directives.filter { $0.name == "max-stale" }.allSatisfy {
      $0.argument == .none
    }
    maxStale =
      directives.contains("max-stale") && acceptsAnyAge
      ? maximum : directives.seconds("max-stale", orIfInvalid: nil)
    staleIfError = directives.seconds("stale-if-error", orIfInvalid: nil)
  }
}
