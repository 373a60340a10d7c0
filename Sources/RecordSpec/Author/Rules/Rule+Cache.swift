extension Rule {
  static let cache = [
    Rule(
      "cache.off", "By default, every request asks the server. The request or its entity turns caching on."),
    Rule(
      "cache.store",
      """
      With caching on, the ids of a response's records are cached in their order, after the save and separately
      from the records. The cached response is identified by the server's description of the request. A response
      is not cached if it is not saved, or if its request was sent differently, for example over a redirect. If a
      server does not describe its requests, every request asks the server, and the engine reports
      `undescribed-request`.
      """),
    Rule(
      "cache.hit",
      """
      While a cached response is fresh, its records are read from the store, in the cached order and with their
      current values. Nothing is requested, parsed or populated.
      """),
    Rule(
      "cache.stale",
      .differs(
        "If `NSURLCache` has removed the response, MMRecord neither asks the server nor returns records."
      ),
      """
      A stale response that cannot be revalidated is removed from the cache, and the server is asked. The response
      is kept if `stale-if-error` still allows using it.
      """),
    Rule(
      "cache.revalidate", .new,
      """
      A cached response that cannot answer a request directly is revalidated with the server, by its ETag or
      modification date. Status 304 makes it fresh again, without parsing or populating. If a 304 refers to
      another response, the server is asked again without conditions.
      """),
    Rule(
      "cache.head", .new,
      """
      If a `HEAD` request with caching on gets a response with status 200, this response refreshes the headers and
      the age of the cached responses of its address. Cached responses with another ETag, modification date or
      length are removed instead (RFC 9111, section 4.3.5).
      """),
    Rule(
      "cache.freshness",
      """
      The freshness lifetime of a response is its `max-age`, or else `Expires` minus `Date`. Its age is computed
      from `Age`, `Date` and the time of arrival. A response with contradictory values, such as two lifetimes, is
      stale (RFC 9111, section 4.2).
      """),
    Rule(
      "cache.heuristic", .new,
      """
      A response without an explicit lifetime is fresh for a tenth of the time since its modification, at most a
      day (RFC 9111, section 4.2.2).
      """),
    Rule(
      "cache.directives", .new,
      """
      A `no-store` response is not cached, and a `no-cache` response is revalidated before each use. A stale
      `must-revalidate` response is never used, and a fresh `immutable` response is not revalidated. Directives
      for shared caches (`s-maxage`, `proxy-revalidate`) are ignored, and a `private` response is cached.
      `stale-while-revalidate` has no effect (RFC 9111, section 5.2.2; RFC 8246; RFC 5861).
      """),
    Rule(
      "cache.request", .new,
      """
      A request can restrict the cached responses that it accepts (`no-cache`, `max-age`, `min-fresh`). It can
      accept stale ones (`max-stale`), even those that were stale on arrival. With `no-store`, its response is not
      cached. With `only-if-cached`, the server is not asked: if no cached response answers, the status is 504. A
      request with its own conditions or ranges bypasses the cache (RFC 9111, section 5.2.1).
      """),
    Rule(
      "cache.status", .new,
      """
      Responses to GET with status 200, 203 or 204 are cached, without their connection headers and cookies (RFC
      9111, section 3).
      """),
    Rule(
      "cache.vary", .new,
      """
      A cached response answers requests with the same values for the headers that its `Vary` names. Of several
      matching responses, the most recent one answers. A response with `Vary: *` is not cached (RFC 9111, section
      4.1).
      """),
    Rule(
      "cache.clock", .new,
      "If the clock was set back, a response that arrived later than the current time is not fresh."),
    Rule(
      "cache.stale-if-error", .new,
      """
      With `stale-if-error`, a stale response can be used for the specified time if the server does not respond,
      or responds with status 500, 502, 503 or 504. The engine then reports `stale-response` (RFC 5861).
      """),
    Rule(
      "cache.metadata",
      """
      With `keyPathForMetaData`, only that part of the response body is cached, at its original position. The
      whole body is cached if the option is not set, if the response is a page, or if the path leads through
      arrays.
      """),
    Rule(
      "cache.deleted", "Records that were deleted since the response was cached are omitted from its result."),
    Rule("cache.replaced", "A new response to a request replaces the cached one."),
    Rule(
      "cache.isolation",
      """
      Responses are cached separately if their requests differ in address, parameters, varying headers, entity,
      response key path, metadata key path, merge strategy or tweaks. A request with its own hooks bypasses the
      cache, and if its options turn caching on, the engine reports `uncacheable-request`. If a request's debugger
      turns a diagnostic of the cached response into a failure, the server is asked instead.
      """),
    Rule(
      "cache.invalidation", .new,
      """
      A request with any method except GET, HEAD, OPTIONS and TRACE may change the server. It therefore removes
      the cached responses of its address, and of same-origin addresses in its response or a redirect (RFC 9111,
      section 4.4). If it was performed at another address after a redirect, the responses of that address are
      removed too. A request that was canceled or interrupted also removes them, because it may have taken effect.
      A request that failed does not.
      """),
    Rule(
      "cache.orphans", .new,
      """
      A request that deletes orphans asks the server without conditions, because the current response decides
      which records are deleted. Its response is cached.
      """),
    Rule(
      "cache.concurrent", .new,
      """
      Of identical in-flight requests, one asks the server, and the others are coalesced: they use the response
      that it caches. If that response does not answer them, or the request fails, they ask the server. Canceling
      one request does not cancel the others. A request does not wait for an in-flight request with a longer
      timeout.
      """),
    Rule(
      "cache.state", .new, provenBy: "CacheStateTests",
      """
      A cached response is valid for one store and its sequence of saves. It is not used with a store that was
      replaced, restored from a copy or written without the cache, or that does not report its generation.
      """),
    Rule(
      "cache.bounds", .new,
      """
      The cache removes the least recently used responses to stay within its size limit. It never uses a response
      that is older than its age limit. If the responses to a request vary with its headers, the cache keeps
      sixteen of them. Trimming the cache returns what was removed.
      """),
    Rule(
      "cache.damaged", .new, provenBy: "CacheDamageTests",
      """
      A cache file is created again if it is damaged, has another version, or was removed or replaced while in
      use. The engine then reports `cache-rebuilt`. If the file cannot be used, the cache is bypassed, and the
      engine reports `cache-unavailable`. The cache never fails a request.
      """),
    Rule(
      "cache.plain", provenBy: "CachePrivacyTests",
      "The cache is not encrypted. Only its owner can read and write its file (permissions 0600)."),
  ]
}
