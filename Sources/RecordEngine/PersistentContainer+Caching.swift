extension PersistentContainer {
  /// Forgets what the cache keeps of the address of a request, parameters included: of all its headers, methods and
  /// entities. Of the same request under way nothing is kept either.
  ///
  /// For what the cache cannot know of, such as a change that the server has told by another way. Requests that change
  /// something need none of it: see `cache.invalidation`. For everything there is ``RecordCache/removeAll()``.
  ///
  /// ```swift
  /// try await container.removeCachedResponses(for: RecordRequest<Post>(urn: "feed"))
  /// ```
  ///
  /// Does nothing where there is no cache.
  ///
  /// - Throws: ``RequestFailure`` if the request could not be made; what ``Server/description(of:)`` throws, since nobody
  ///   knows the address then; ``RecordCacheError`` if the file cannot be written, and something may be left in it.
  /// - Complexity: linear in what goes.
  public func removeCachedResponses<Element: Record>(for request: RecordRequest<Element>) async throws {
    try await pipeline.source.forget(pipeline.prepare(request))
  }
}
