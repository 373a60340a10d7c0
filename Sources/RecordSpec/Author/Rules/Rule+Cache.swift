extension Rule {
  static let cache = [
    Rule(
      "cache.off", "Unless caching is turned on, by the request or its entity, every request asks the server."
    ),
    Rule(
      "cache.store",
      """
      With caching on, the ids of a response's records are kept in their order, after the save and apart
      from them, under the request as the server describes it. What was not saved is not cached, nor what was sent
      otherwise than described, over a redirect for example. A server that describes nothing is asked every time, with
      the diagnostic `undescribed-request`.
      """),
    Rule(
      "cache.hit",
      """
      While an entry is fresh, its records come from the store in their order, as they are by now; nothing is
      asked, parsed or populated.
      """
    ),
    Rule(
      "cache.stale", .differs("It neither asks nor answers."),
      "An entry that is not fresh and has nothing to check it by is dropped, and the server asked."),
    Rule(
      "cache.revalidate", .new,
      """
      With an ETag or a date of modification the server is asked whether the entry still holds; 304 makes it
      fresh again, without parsing or populating. A 304 that speaks of another response is asked about once more,
      without conditions.
      """),
    Rule(
      "cache.head", .new,
      """
      A `HEAD` with caching on that is answered with status 200 refreshes the headers and the age of what is kept of its
      address, if the tag, the date of modification and the length that it says are those of what is kept. Otherwise that
      goes (RFC 9111, section 4.3.5).
      """),
    Rule(
      "cache.freshness",
      """
      How long a response is fresh is what `max-age` says, or else `Expires` less `Date`; its age counts from where
      it was made, by `Age` and `Date` (RFC 9111, section 4.2). What contradicts itself is stale.
      """),
    Rule(
      "cache.heuristic", .new,
      """
      A response that says nothing of how long it is fresh is so for a tenth of the time since it was modified, a day
      at most (RFC 9111, section 4.2.2).
      """),
    Rule(
      "cache.directives", .new,
      """
      `no-store` is never kept, `no-cache` never answers unchecked, `must-revalidate` never once it is stale, and
      `immutable` is not checked while it is fresh. What is for shared caches (`s-maxage`, `proxy-revalidate`) is
      not looked at, and `private` is no obstacle. `stale-while-revalidate` changes nothing (RFC 9111, section 5.2.2; RFC
      8246; RFC 5861).
      """),
    Rule(
      "cache.request", .new,
      """
      A request may want more of an answer (`no-cache`, `max-age`, `min-fresh`), less (`max-stale`, also where the answer
      was stale when it came), no trace of it (`no-store`), or none from the server (`only-if-cached`: status 504 if
      nothing answers). One with conditions or ranges of its own passes the cache by (RFC 9111, section 5.2.1).
      """),
    Rule(
      "cache.status", .new,
      """
      Kept are responses of status 200, 203 and 204 to GET. What they say of the connection, and cookies, are not kept
      with them (RFC 9111, section 3).
      """),
    Rule(
      "cache.vary", .new,
      """
      A response answers requests whose headers that it names with `Vary` are as they were; of several the most recent
      one. `Vary: *` is never kept (RFC 9111, section 4.1).
      """),
    Rule(
      "cache.clock", .new, "What came later than the clock says, because it was set back, is not fresh."),
    Rule(
      "cache.stale-if-error", .new,
      """
      With `stale-if-error` a response that is no longer fresh answers for so long if the server does not, or with
      status 500, 502, 503 or 504; the diagnostic `stale-response` tells of it (RFC 5861).
      """),
    Rule(
      "cache.metadata",
      """
      With `keyPathForMetaData` that part of the response is kept, for the custom response handler to find
      at its place; without, for pages, and where the path leads through arrays, all of it is.
      """
    ),
    Rule("cache.deleted", "Records deleted since are not among those of a hit."),
    Rule("cache.replaced", "A new response for a request takes the place of the former entry."),
    Rule(
      "cache.isolation",
      """
      Requests that differ in address, parameters, varying headers, entity, response key path, key path for metadata,
      merge strategy or tweaks have entries of their own. What a request's own hooks make of a response is neither kept
      nor answered with what is; where the options of the request turn caching on, `uncacheable-request` tells so. Nor is
      a request answered whose debugger makes a failure of what was noticed when the response came.
      """
    ),
    Rule(
      "cache.invalidation", .new,
      """
      A request that changes something on the server, as one with any method but GET, HEAD, OPTIONS and TRACE may, makes
      useless what is kept of its address, and of the addresses of the same origin that its response names, or a redirect
      (RFC 9111, section 4.4); after a redirect that has it made elsewhere, of the address there. One that was cancelled,
      or cut off, may have changed it as well. What failed has not.
      """),
    Rule(
      "cache.orphans", .new,
      """
      Requests that delete orphans ask the server, without conditions: what is to go is settled by what it says now. What
      it says is kept.
      """),
    Rule(
      "cache.concurrent", .new,
      """
      Of the same requests under way at once one asks the server, and the others are answered with what it has stored;
      if that does not answer them, or it fails, they ask. One that is cancelled takes none of the others with it, and one
      that has less time than the one under way does not wait for it.
      """),
    Rule(
      "cache.state", .new, provenBy: "CacheStateTests",
      """
      Entries are for one store as it went on from where they were kept: with one that was swapped, put back from a copy,
      or written without the cache, or that does not say how far it has come, they are of no use, and never wrong.
      """),
    Rule(
      "cache.bounds", .new,
      """
      The cache is no larger than its limit, by letting go what was used least recently, and answers with nothing older
      than its limit. Of responses to one request that vary with its headers sixteen are kept. What trims it hears what went.
      """),
    Rule(
      "cache.damaged", .new, provenBy: "CacheDamageTests",
      """
      A file that is damaged, or of another version, is made anew, with the diagnostic `cache-rebuilt`, and so is one
      that was removed or replaced while it is in use; one that cannot be used is passed by, with `cache-unavailable`.
      No request fails because of it.
      """),
    Rule(
      "cache.plain", provenBy: "CachePrivacyTests",
      "The cache is not encrypted; its file is its owner's alone to read and write (0600)."),
  ]
}
