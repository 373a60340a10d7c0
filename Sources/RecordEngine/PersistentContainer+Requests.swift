public import RecordModel

// MARK: - One request

extension PersistentContainer {
  /// Requests records of a record type. The response is populated, saved, and visible in the context.
  ///
  /// ```swift
  /// let posts = try await container.request(Post.self, urn: "stream/global", context: context).records
  /// ```
  ///
  /// - Parameters:
  ///   - type: a record type that the container was created with.
  ///   - urn: the address, relative to the server.
  ///   - query: the parameters that are added to the address, by name.
  ///   - options: the options of this request; nil for the defaults of the record type.
  ///   - context: the context of the records in the result.
  ///   - isolation: the isolation in which the context is used, by default that of the caller.
  /// - Throws: ``RequestFailure`` if the request cannot be prepared, if the response cannot become records or cannot be
  ///   saved, or if the request is canceled; the errors of the server, unchanged. Nothing is saved in these cases.
  public func request<Element: Record>(
    _ type: Element.Type, urn: String, query: [String: String] = [:], options: RequestOptions? = nil,
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    try await perform(RecordRequest(type, urn: urn, query: query, options: options), context: context)
  }

  /// Requests records of an entity with any record type. Otherwise the same as
  /// ``request(_:urn:query:options:context:isolation:)-(Element.Type,_,_,_,_,_)``.
  public func request(
    _ entity: EntityName, urn: String, query: [String: String] = [:], options: RequestOptions? = nil,
    context: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    try await perform(
      RecordRequest(entity: entity, urn: urn, query: query, options: options), context: context)
  }

  /// Performs a request. The response is populated, saved, and visible in the context.
  ///
  /// The request ends once, with its result or with one failure, whatever the server does. It ends immediately if its
  /// task or its domain is canceled. Rules: `request.once`, `request.cancel`, `request.failure`.
  ///
  /// - Throws: as ``request(_:urn:query:options:context:isolation:)-(Element.Type,_,_,_,_,_)``.
  public func perform<Element: Record>(
    _ request: RecordRequest<Element>, context: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    check(context)
    return try await pipeline.perform(pipeline.prepare(request), context)
  }

  /// Performs a request, and passes the matching stored records to a closure before anything is sent.
  ///
  /// ```swift
  /// let stored = RecordFetchRequest("Post", predicate: "text != nil")
  /// let result = try await container.perform(request, fetchFirst: stored, context: context) { posts in
  ///   show(posts)
  /// }
  /// ```
  ///
  /// If the request fails, the stored records stay valid. Rule: `request.fetch-first`.
  ///
  /// - Parameters:
  ///   - request: the request to perform.
  ///   - fetchFirst: the description of the stored records.
  ///   - context: the context of the records.
  ///   - isolation: the isolation in which the context is used, by default that of the caller.
  ///   - stored: a closure that receives the stored records. The result contains those of the response.
  /// - Throws: ``RequestFailure`` with `fetch-error` if the store cannot be read; the error of `stored`; otherwise as
  ///   ``request(_:urn:query:options:context:isolation:)-(Element.Type,_,_,_,_,_)``.
  public func perform<Element: Record>(
    _ request: RecordRequest<Element>, fetchFirst: RecordFetchRequest, context: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation, stored: ([Element]) throws -> Void
  ) async throws -> RequestResult<Element> {
    check(context)
    let prepared = try pipeline.prepare(request, fetchFirst: fetchFirst, context, stored: stored)
    return try await pipeline.perform(prepared, context)
  }

  /// Requests the details of a record from its address, ``Record/recordDetailURN``, and updates the record.
  ///
  /// The response must contain this record. An item without anything that identifies it is taken for this record.
  /// Rule: `request.detail`.
  ///
  /// With a method that is not safe (RFC 9110, section 9.2.1), such as `POST`, the request changes the record on the
  /// server. The record then receives the key of its item, so that a record created here gets the key that the server has
  /// chosen. Rule: `request.detail.change`.
  ///
  /// ```swift
  /// try await container.requestDetail(
  ///   of: message, method: "POST", urn: "messages", body: .json(["text": "Hello"]))
  /// ```
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - method: the HTTP method; `POST` or another one that is not safe to change the record on the server.
  ///   - urn: the address, relative to the server; nil for the address of the record's details.
  ///   - query: the parameters that are added to the address, by name.
  ///   - body: the body, or nil for a request without one.
  ///   - options: the options of this request; nil for the defaults of the record type.
  ///   - isolation: the isolation in which the context of the record is used, by default that of the caller.
  /// - Returns: a result with this record, or with none if the response is empty.
  /// - Throws: ``RequestFailure`` with `undefined-detail-urn` if the record has no address for its details, with
  ///   `unsaved-record` if the details are to be saved and the record itself is not, or with `record-mismatch` if the
  ///   response contains another record, or a new key that another record has; otherwise as
  ///   ``request(_:urn:query:options:context:isolation:)-(Element.Type,_,_,_,_,_)``.
  public func requestDetail<Element: Record>(
    of record: Element, method: String = "GET", urn: String? = nil, query: [String: String] = [:],
    body: RequestBody? = nil, options: RequestOptions? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Element> {
    let context = record.context
    check(context)
    return try await pipeline.perform(
      pipeline.prepareDetail(
        of: record, method: method, urn: urn, query: query, body: body, options), context)
  }

  func check(_ context: ManagedObjectContext) {
    precondition(context.coordinator === coordinator, "the context belongs to another container")
  }
}

// MARK: - Several requests

extension PersistentContainer {
  /// Returns the pages of a list. Each one is requested on demand.
  ///
  /// - Parameters:
  ///   - type: a record type that the container was created with.
  ///   - urn: the address of the first page, relative to the server.
  ///   - query: the parameters that are added to the address of the first page, by name.
  ///   - options: the options of all pages; nil for the defaults of the record type.
  ///   - context: the context of the records in the pages.
  public func pages<Element: Record>(
    _ type: Element.Type, urn: String, query: [String: String] = [:], options: RequestOptions? = nil,
    context: ManagedObjectContext
  ) -> RecordPages<Element> {
    pages(RecordRequest(type, urn: urn, query: query, options: options), context: context)
  }

  /// Returns the pages of a list. Each one is requested on demand.
  public func pages<Element: Record>(
    _ request: RecordRequest<Element>, context: ManagedObjectContext
  ) -> RecordPages<Element> {
    check(context)
    return RecordPages(pipeline, request, context)
  }

  /// Runs several requests at the same time. Returns when all requests have ended and their handlers have been called.
  /// This includes further pages, and requests that the handlers have added.
  ///
  /// ```swift
  /// await container.batch(context: context) { batch in
  ///   batch.request(RecordRequest<Post>(urn: "stream/global")) { posts = try? $0.get().records }
  ///   batch.request(RecordRequest<User>(urn: "users")) { users = try? $0.get().records }
  /// }
  /// ```
  ///
  /// A request that fails or is canceled does not stop the others. Rules: `request.batch`, `request.options-batch`.
  ///
  /// - Parameters:
  ///   - options: the options of requests that have none.
  ///   - context: the context of the records in the results.
  ///   - isolation: the isolation in which the context is used, by default that of the caller.
  ///   - requests: a closure that adds the requests to the batch.
  public func batch(
    options: RequestOptions? = nil, context: ManagedObjectContext,
    isolation: isolated (any Actor)? = #isolation, _ requests: (RequestBatch) -> Void
  ) async {
    check(context)
    let batch = RequestBatch(pipeline, options, context)
    requests(batch)
    await batch.run()
  }

  /// Cancels the in-flight requests of a domain. Each one fails with `cancelled` and saves nothing.
  /// Rule: `request.cancel`.
  public func cancelRequests(domain: String) { pipeline.inFlight.cancel(domain: domain) }

  /// The domains of the in-flight requests that have not been canceled.
  package var inFlightDomains: [String] { pipeline.inFlight.domains }
}

// MARK: - Responses fetched by other code

extension PersistentContainer {
  /// Returns a serializer that creates records from responses that other code has fetched.
  ///
  /// - Parameter entities: fragments of URLs, each with the entity of the responses whose URL contains the fragment.
  /// - Throws: ``RequestFailure`` with `invalid-entity` if the model does not have an entity.
  public func makeSerializer(
    _ entities: [(fragment: String, entity: EntityName)]
  ) throws(RequestFailure) -> ResponseSerializer {
    try ResponseSerializer(pipeline, entities)
  }
}

// MARK: - Servers and defaults

extension PersistentContainer {
  /// Registers a server for an entity and its sub-entities, unless they have a server of their own.
  ///
  /// Rule: `request.server`.
  ///
  /// - Parameters:
  ///   - server: the server; nil to let requests fail with `undefined-server`.
  ///   - entity: the entity of the requested records.
  /// - Throws: ``RequestFailure`` with `invalid-entity` if the model does not have the entity.
  public func register(_ server: (any Server)?, for entity: EntityName) throws(RequestFailure) {
    try pipeline.servers.register(server, for: coordinator.entity(entity).index)
  }

  /// Registers a server for a record type and its subclasses, unless they or their entities have a server of their own.
  public func register<Element: Record>(_ server: (any Server)?, for type: Element.Type) {
    pipeline.servers.register(server, for: type)
  }

  /// Removes the server registered for an entity. The server of its record type or of the nearest ancestor applies
  /// again.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` if the model does not have the entity.
  public func unregisterServer(for entity: EntityName) throws(RequestFailure) {
    try pipeline.servers.unregister(coordinator.entity(entity).index)
  }

  /// Removes the server registered for a record type. The server of the nearest superclass applies again.
  public func unregisterServer(for type: Record.Type) { pipeline.servers.unregister(type) }

  /// Sets the options of requests for an entity or its sub-entities that have none. Rule: `request.defaults`.
  ///
  /// - Parameters:
  ///   - options: the options; nil to restore those of the record type, as described in ``RequestDefaults``.
  ///   - entity: the entity of the requested records.
  /// - Throws: ``RequestFailure`` with `invalid-entity` if the model does not have the entity.
  public func setDefaultOptions(_ options: RequestOptions?, for entity: EntityName) throws(RequestFailure) {
    try pipeline.defaults.set(options, for: coordinator.entity(entity).index)
  }

  /// Returns the default options of requests for an entity, as a starting point for other options.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` if the model does not have the entity.
  public func defaultOptions(for entity: EntityName) throws(RequestFailure) -> RequestOptions {
    try pipeline.defaults.options(of: coordinator.entity(entity).index)
  }

  /// Returns the default options of requests for a record type. Options that you pass to a request replace all
  /// defaults, so start from these to change only some of them.
  ///
  /// ```swift
  /// var options = container.defaultOptions(for: Post.self)
  /// options.timeout = .seconds(5)
  /// ```
  ///
  /// - Parameter type: a record type that the container was created with. For another type, the result contains only
  ///   the options that the type declares itself, and requests for it fail.
  public func defaultOptions<Element: Record>(for type: Element.Type) -> RequestOptions {
    if let entity = coordinator.registeredEntity(of: type) { return pipeline.defaults.options(of: entity) }
    return (type as? any RequestDefaults.Type)?.defaultOptions ?? RequestOptions()
  }

  /// Registers the handler that is called when a server reports that the session has timed out.
  /// Rule: `request.session-timeout`.
  ///
  /// - Parameter handler: the handler; nil to remove it.
  public func registerSessionTimeoutHandler(_ handler: SessionTimeoutHandler?) {
    pipeline.sessionTimeout.handler = handler
  }
}
