extension PersistentContainer {
  /// Removes the cached responses for the address of a request, including its parameters. This applies to all headers,
  /// methods and entities. The responses to in-flight requests for the address are not cached either.
  ///
  /// Use this method for changes that the cache cannot detect, such as a change that the server has announced in
  /// another way. Requests that change something on the server do not need it: see `cache.invalidation`. To remove all
  /// responses, call ``RecordCache/removeAll()``.
  ///
  /// ```swift
  /// try await container.removeCachedResponses(for: RecordRequest<Post>(urn: "feed"))
  /// ```
  ///
  /// Does nothing if there is no cache.
  ///
  /// - Throws: ``RequestFailure`` if the request cannot be prepared; the error of ``Server/description(of:)``, because
  ///   the address is unknown then; ``RecordCacheError`` if the file cannot be written, in which case responses may
  ///   remain in it.
  /// - Complexity: linear in the number of removed responses.
  public func removeCachedResponses<Element: Record>(for request: RecordRequest<Element>) async throws {
    try await pipeline.source.forget(pipeline.prepare(request))
  }
}
