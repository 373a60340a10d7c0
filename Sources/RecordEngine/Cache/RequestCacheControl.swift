/// What a request asks of the cache. Where it says something wrongly, the strictest that it can have meant counts.
struct RequestCacheControl: Hashable, Sendable {
  var noStore: Bool
  /// Whether nothing but the server's word will do.
  var noCache: Bool
  /// Whether the server is not to be asked at all.
  var onlyIfCached: Bool
  /// How old an answer may be, in seconds.
  var maxAge: Int?
  /// For how many seconds more an answer has to be fresh.
  var minFresh: Int?
  /// For how many seconds beyond its time an answer will do.
  var maxStale: Int?
  /// The same where the server fails (RFC 5861).
  var staleIfError: Int?

  init(_ headers: [String: String]) {
    let header = headers.header("Cache-Control")
    let directives = CacheDirectives(header ?? "")
    let maximum = CacheDirectives.maximumSeconds
    noStore = directives.contains("no-store")
    // Pragma is from before Cache-Control, and counts where that is not there (RFC 9111, section 5.4).
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
