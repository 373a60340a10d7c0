public import RecordModel

// MARK: - One request

extension PersistentContainer {
  /// Requests records of a record type: the response is populated, saved, and visible in the context.
  ///
  /// ```swift
  /// let posts = try await container.request(Post.self, urn: "stream/global", context: context).records
  /// ```
  ///
  /// - Parameters:
  ///   - type: a record type that the container was made with.
  ///   - urn: the address, relative to the server.
  ///   - data: the parameters.
  ///   - options: what this request does otherwise than its record type; nil: the record type's own options.
  ///   - context: whose records the result holds.
  ///   - isolation: where the context is used; the caller's, if nothing else is said.
  /// - Throws: ``RequestFailure`` if the request could not be made, if the response could not be records or could not be
  ///   saved, or if the request was cancelled; whatever the server throws. Nothing has been saved then.
  public func request<Element: Record>(
    _ type: Element.Type, urn: String, data: [String: String] = [:], options: RequestOptions? = nil,
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    try await perform(RecordRequest(type, urn: urn, data: data, options: options), context: context)
  }

  /// Requests records of an entity, whatever their type; otherwise as
  /// ``request(_:urn:data:options:context:isolation:)-(Element.Type,_,_,_,_,_)``.
  public func request(
    _ entity: EntityName, urn: String, data: [String: String] = [:], options: RequestOptions? = nil,
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    try await perform(
      RecordRequest(entity: entity, urn: urn, data: data, options: options), context: context)
  }

  /// Performs a request: the response is populated, saved, and visible in the context.
  ///
  /// It ends once, whatever the server does: with its result or with one failure. It ends at once when its task or its
  /// domain is cancelled. Rules: `request.once`, `request.cancel`, `request.failure`.
  ///
  /// - Throws: as ``request(_:urn:data:options:context:isolation:)-(Element.Type,_,_,_,_,_)``.
  public func perform<Element: Record>(
    _ request: RecordRequest<Element>, context: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    check(context)
    return try await pipeline.perform(pipeline.prepare(request), context)
  }

  /// Performs a request, and hands over what is stored already before anything is sent.
  ///
  /// ```swift
  /// let stored = RecordFetchRequest("Post", predicate: "text != nil")
  /// let result = try await container.perform(request, fetchFirst: stored, context: context) { posts in
  ///   show(posts)
  /// }
  /// ```
  ///
  /// If the request fails, what was handed over stands. Rule: `request.fetch-first`.
  ///
  /// - Parameters:
  ///   - request: what to ask, and what to make of the answer.
  ///   - fetchFirst: what is looked for in the store.
  ///   - context: whose records are handed over.
  ///   - isolation: where the context is used; the caller's, if nothing else is said.
  ///   - stored: gets the records that match now. The response's are the result.
  /// - Throws: ``RequestFailure`` with `fetch-error` if the store cannot be read; otherwise as
  ///   ``request(_:urn:data:options:context:isolation:)-(Element.Type,_,_,_,_,_)``.
  public func perform<Element: Record>(
    _ request: RecordRequest<Element>, fetchFirst: RecordFetchRequest, context: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation, stored: ([Element]) throws -> Void
  ) async throws -> RequestResult<Element> {
    check(context)
    let prepared = try pipeline.prepare(request, fetchFirst: fetchFirst, context, stored: stored)
    return try await pipeline.perform(prepared, context)
  }

  /// Brings a record up to date from the address that it has for its details, ``Record/recordDetailURN``.
  ///
  /// The response has to be of that record: an item that nothing identifies is taken for it. Rule: `request.detail`.
  ///
  /// - Returns: a result whose record is this one; it has none if the response is empty.
  /// - Throws: ``RequestFailure`` with `undefined-detail-urn` if the record has no such address, with `unsaved-record` if the
  ///   details are to be saved and the record is not, with `record-mismatch` if the response is of another record; otherwise as
  ///   ``request(_:urn:data:options:context:isolation:)-(Element.Type,_,_,_,_,_)``.
  public func requestDetail<Element: Record>(
    of record: Element, data: [String: String] = [:], options: RequestOptions? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    let context = record.context
    check(context)
    return try await pipeline.perform(
      pipeline.prepareDetail(of: record, data: data, options), context)
  }

  func check(_ context: ManagedObjectContext) {
    precondition(context.coordinator === coordinator, "the context is one of another container")
  }
}

// MARK: - Several requests

extension PersistentContainer {
  /// The pages of an answer, each requested when it is asked for.
  ///
  /// - Parameters:
  ///   - type: a record type that the container was made with.
  ///   - urn: the address of the first page, relative to the server.
  ///   - data: the parameters of the first page.
  ///   - options: those of every page.
  ///   - context: whose records the pages hold.
  public func pages<Element: Record>(
    _ type: Element.Type, urn: String, data: [String: String] = [:], options: RequestOptions? = nil,
    context: ManagedObjectContext
  ) -> RecordPages<Element> {
    pages(RecordRequest(type, urn: urn, data: data, options: options), context: context)
  }

  /// The pages of an answer, each requested when it is asked for.
  public func pages<Element: Record>(
    _ request: RecordRequest<Element>, context: ManagedObjectContext
  ) -> RecordPages<Element> {
    check(context)
    return RecordPages(pipeline, request, context)
  }

  /// Runs several requests at once, and returns when all of them have ended and their handlers have been called, those
  /// of further pages and of what handlers have added included.
  ///
  /// ```swift
  /// await container.batch(context: context) { batch in
  ///   batch.request(RecordRequest<Post>(urn: "stream/global")) { posts = try? $0.get().records }
  ///   batch.request(RecordRequest<User>(urn: "users")) { users = try? $0.get().records }
  /// }
  /// ```
  ///
  /// A failure or a cancellation of one does not stop the others. Rules: `request.batch`, `request.options-batch`.
  ///
  /// - Parameters:
  ///   - options: what requests of the batch do that have no options of their own.
  ///   - context: whose records the results hold.
  ///   - isolation: where the context is used; the caller's, if nothing else is said.
  ///   - requests: adds the requests to the batch.
  public func batch(
    options: RequestOptions? = nil, context: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation, _ requests: (RequestBatch) -> Void
  ) async {
    check(context)
    let batch = RequestBatch(pipeline, options, context)
    requests(batch)
    await batch.run()
  }

  /// Cancels the requests of a domain that are under way: each ends with the failure `cancelled`, and saves nothing.
  /// Rule: `request.cancel`.
  public func cancelRequests(domain: String) { pipeline.inFlight.cancel(domain: domain) }

  /// The domains of the requests that are under way and have not been cancelled.
  package var inFlightDomains: [String] { pipeline.inFlight.domains }
}

// MARK: - Responses from elsewhere

extension PersistentContainer {
  /// What makes records of responses that somebody else has fetched.
  ///
  /// - Parameter entities: fragments of URLs, and the entity that a response's records are of if its URL has the fragment.
  /// - Throws: ``RequestFailure`` with `invalid-entity` for an entity that the model does not have.
  public func makeSerializer(
    _ entities: [(fragment: String, entity: EntityName)]
  ) throws(RequestFailure) -> ResponseSerializer {
    try ResponseSerializer(pipeline, entities)
  }
}

// MARK: - Who answers, and how

extension PersistentContainer {
  /// Registers the server of an entity and its sub-entities, as far as these have none of their own.
  ///
  /// Rule: `request.server`.
  ///
  /// - Parameters:
  ///   - server: nil says that nobody answers: requests fail with `undefined-server`.
  ///   - entity: whose records it is asked for.
  public func register(_ server: (any Server)?, for entity: EntityName) throws(RequestFailure) {
    try pipeline.servers.register(server, for: coordinator.entity(entity).index)
  }

  /// Registers the server of a record type and its subclasses, as far as these or their entities have none of their own.
  public func register<Element: Record>(_ server: (any Server)?, for type: Element.Type) {
    pipeline.servers.register(server, for: type)
  }

  /// Takes a registration back: what is registered for the nearest ancestor holds again.
  public func unregisterServer(for entity: EntityName) throws(RequestFailure) {
    try pipeline.servers.unregister(coordinator.entity(entity).index)
  }

  /// Takes a registration back: what is registered for the nearest superclass holds again.
  public func unregisterServer(for type: Record.Type) { pipeline.servers.unregister(type) }

  /// Sets the options of requests for an entity, or its sub-entities, that are given none. Rule: `request.defaults`.
  ///
  /// - Parameters:
  ///   - options: nil: those of its record type again; see ``RequestDefaults``.
  ///   - entity: whose requests have them.
  public func setDefaultOptions(_ options: RequestOptions?, for entity: EntityName) throws(RequestFailure) {
    try pipeline.defaults.set(options, for: coordinator.entity(entity).index)
  }

  /// The options of requests for an entity that are given none: where others start from.
  public func defaultOptions(for entity: EntityName) throws(RequestFailure) -> RequestOptions {
    try pipeline.defaults.options(of: coordinator.entity(entity).index)
  }

  /// The options of requests for a record type that are given none: where others start from, as options that are given take
  /// the place of all of these.
  ///
  /// ```swift
  /// var options = container.defaultOptions(for: Post.self)
  /// options.timeout = .seconds(5)
  /// ```
  ///
  /// - Parameter type: a record type that the container was made with. Of others it is what they say themselves, and their
  ///   requests fail.
  public func defaultOptions<Element: Record>(for type: Element.Type) -> RequestOptions {
    if let entity = coordinator.registeredEntity(of: type) { return pipeline.defaults.options(of: entity) }
    return (type as? any RequestDefaults.Type)?.defaultOptions ?? RequestOptions()
  }

  /// Registers who is asked when a server says that the session has timed out. Rule: `request.session-timeout`.
  ///
  /// - Parameter handler: nil: nobody is.
  public func registerSessionTimeoutHandler(_ handler: SessionTimeoutHandler?) {
    pipeline.sessionTimeout.handler = handler
  }
}
