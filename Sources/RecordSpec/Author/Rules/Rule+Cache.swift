extension Rule {
  static let cache = [
    Rule(
      "cache.off", "By default, every request asks the server. The request or its entity turns caching on."),
    Rule(
      "cache.store",
      """
      With caching on, the ids of a response's records are cached in their order, after the save and separately
      from the records. The entry belongs to the request as the server describes it. A response that is not saved
      is not cached, nor one whose request was sent differently, for example over a redirect. If a server
      describes nothing, every request asks it, with the diagnostic `undescribed-request`.
      """),
    Rule(
      "cache.hit",
      """
      While an entry is fresh, its records are read from the store, in the cached order and with their current
      values. Nothing is requested, parsed or populated.
      """),
    Rule(
      "cache.stale", .differs("It neither asks the server nor returns records."),
      """
      A stale entry that cannot be revalidated is removed, and the server is asked. It is kept if `stale-if-error`
      still lets it answer.
      """),
    Rule(
      "cache.revalidate", .new,
      """
      An entry that may not answer directly is revalidated with the server, by its ETag or modification date.
      Status 304 makes it fresh again, without parsing or populating. If a 304 refers to another response, the
      server is asked again without conditions.
      """),
    Rule(
      "cache.head", .new,
      """
      A `HEAD` request with caching on and status 200 refreshes the headers and the age of the cached responses of
      its address. Their ETag, modification date and length must equal those that it states; otherwise they are
      removed (RFC 9111, section 4.3.5).
      """),
    Rule(
      "cache.freshness",
      """
      The freshness lifetime of a response is its `max-age`, or else `Expires` minus `Date`. Its age counts from
      its creation, by `Age` and `Date`. A response that contradicts itself is stale (RFC 9111, section 4.2).
      """),
    Rule(
      "cache.heuristic", .new,
      """
      A response without a stated lifetime is fresh for a tenth of the time since its modification, at most a day
      (RFC 9111, section 4.2.2).
      """),
    Rule(
      "cache.directives", .new,
      """
      A `no-store` response is not cached, and a `no-cache` response is always revalidated. A `must-revalidate`
      response never answers when stale, and an `immutable` one is not revalidated while fresh. Directives for
      shared caches (`s-maxage`, `proxy-revalidate`) are ignored, and a `private` response is cached.
      `stale-while-revalidate` has no effect (RFC 9111, section 5.2.2; RFC 8246; RFC 5861).
      """),
    Rule(
      "cache.request", .new,
      """
      A request can restrict the cached responses that it accepts (`no-cache`, `max-age`, `min-fresh`). It can
      accept stale ones (`max-stale`), even those that were stale on arrival. With `no-store` its response is not
      cached. With `only-if-cached` the server is not asked: the status is 504 if nothing cached answers. A
      request with its own conditions or ranges bypasses the cache (RFC 9111, section 5.2.1).
      """),
    Rule(
      "cache.status", .new,
      """
      Responses to GET with status 200, 203 or 204 are cached. Their connection headers and cookies are not (RFC
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
      "A response that arrived later than the current time, because the clock was set back, is not fresh."),
    Rule(
      "cache.stale-if-error", .new,
      """
      With `stale-if-error`, a stale response answers for the stated time if the server does not, or returns
      status 500, 502, 503 or 504. The engine then reports `stale-response` (RFC 5861).
      """),
    Rule(
      "cache.metadata",
      """
      With `keyPathForMetaData`, only that part of the response body is cached, where the custom response handler
      finds it at its original position. The whole body is cached without that option, for pages, and if the path
      leads through arrays.
      """),
    Rule("cache.deleted", "Records deleted since the response was cached are not in a hit."),
    Rule("cache.replaced", "A new response to a request replaces the former entry."),
    Rule(
      "cache.isolation",
      """
      Requests with a different address, parameters, varying headers, entity, response key path, metadata key
      path, merge strategy or tweaks have separate entries. A request with its own hooks bypasses the cache; if
      its options turn caching on, the engine reports `uncacheable-request`. A cached response does not answer a
      request whose debugger makes a failure of a diagnostic that was found when the response arrived.
      """),
    Rule(
      "cache.invalidation", .new,
      """
      A request with any method except GET, HEAD, OPTIONS and TRACE may change the server. It removes the cached
      responses of its address and of same-origin addresses that its response or a redirect names (RFC 9111,
      section 4.4). If a redirect made another address perform it, the responses of that address are removed. A
      request that was cancelled or cut off may have changed the server too; one that failed has not.
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
      that it caches. If that response does not answer them, or the request fails, they ask the server. Cancelling
      one request cancels no other. A request does not wait for one in flight that has a longer timeout.
      """),
    Rule(
      "cache.state", .new, provenBy: "CacheStateTests",
      """
      Entries are valid for one store and its sequence of saves. They never answer for a store that was swapped,
      restored from a copy or written without the cache, or that does not report its generation.
      """),
    Rule(
      "cache.bounds", .new,
      """
      The cache removes the least recently used entries to stay within its size limit. It returns no entry that is
      older than its age limit. For one request it keeps sixteen responses that vary with its headers. Trimming
      returns what was removed.
      """),
    Rule(
      "cache.damaged", .new, provenBy: "CacheDamageTests",
      """
      A cache file that is damaged, of another version, or removed or replaced while in use is created anew, with
      the diagnostic `cache-rebuilt`. A file that cannot be used is bypassed, with `cache-unavailable`. The cache
      never fails a request.
      """),
    Rule(
      "cache.plain", provenBy: "CachePrivacyTests",
      "The cache is not encrypted. Only its owner can read and write its file (permissions 0600)."),
  ]
}
