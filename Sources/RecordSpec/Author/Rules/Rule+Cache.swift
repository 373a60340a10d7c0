extension Rule {
  static let cache = [
    planned("cache.off", "Unless caching is turned on, every request asks the server."),
    planned(
      "cache.store",
      """
      With caching on, the ids of a response's records are kept in their order, after the save and apart
      from them, under the request as the server describes it. What was not saved is not cached.
      """),
    planned(
      "cache.hit",
      """
      While an entry is fresh, its records come from the store in their order; nothing is asked, parsed or
      populated.
      """
    ),
    planned(
      "cache.stale", .differs("It neither asks nor answers."),
      "An entry that is not fresh and has nothing to check it by is dropped, and the server asked."),
    planned(
      "cache.revalidate", .new,
      """
      With an ETag or a date of modification the server is asked whether the entry still holds; 304 makes it
      fresh again, without parsing or populating.
      """),
    planned("cache.freshness", "What is fresh, what may be kept and what must be checked is as in RFC 9111."),
    planned(
      "cache.metadata",
      """
      With `keyPathForMetaData` that part of the response is kept, for the custom response handler to find
      at its place.
      """
    ),
    planned("cache.deleted", "Records deleted since are not among those of a hit."),
    planned("cache.replaced", "A new response for a request takes the place of the former entry."),
    planned(
      "cache.isolation",
      """
      Requests that differ in address, parameters, varying headers, entity or response key path have entries
      of their own.
      """
    ),
    planned("cache.plain", "The cache is not encrypted."),
  ]
}
