import RecordModel

/// The preparation of requests, before anything is sent.
extension RequestPipeline {
  /// Prepares a request.
  ///
  /// - Parameters:
  ///   - run: the run of pages that the request continues; nil if it is not paged.
  ///   - token: the token of the request, if it has already begun.
  /// - Throws: `invalid-entity`, `undefined-server`, `undefined-page-manager`, `page-loop`, `page-limit`, or an error
  ///   in the options.
  func prepare<Element: Record>(
    _ request: RecordRequest<Element>, run: PageRun? = nil,
    token: RequestToken = RequestToken()
  ) throws(RequestFailure) -> PreparedRequest {
    let entity: EntityIndex
    do throws(RequestFailure) {
      entity = try self.entity(of: request)
    } catch {
      log.failed(error, request.entity, urn: request.serverRequest.urn)
      throw error
    }
    return try prepare(
      request.serverRequest, entity, options(of: request, entity), run: run, token: token)
  }

  func prepare(
    _ serverRequest: ServerRequest, _ entity: EntityIndex, _ options: RequestOptions,
    run: PageRun? = nil, server: (any Server)? = nil,
    record: RecordID? = nil, token: RequestToken = RequestToken()
  ) throws(RequestFailure) -> PreparedRequest {
    let server = server ?? servers.server(for: entity)
    do throws(RequestFailure) {
      var prepared = try resolve(serverRequest, entity, options, run: run, server, record: record, token)
      if record == nil, prepared.options.orphans != nil, !prepared.run.collectsNewRecords {
        prepared.run.collect(coordinator.newRecords(of: entity))
      }
      try run?.check(prepared)
      return prepared
    } catch {
      throw failed(error, entity, options, server: server, serverRequest)
    }
  }

  private func resolve(
    _ serverRequest: ServerRequest, _ entity: EntityIndex, _ options: RequestOptions, run: PageRun?,
    _ server: (any Server)?, record: RecordID?, _ token: RequestToken
  ) throws(RequestFailure) -> PreparedRequest {
    let name = coordinator.schema.entities[entity].name
    for path in [options.keyPathForResponseObject, options.keyPathForMetaData] {
      guard let error = path?.syntaxError else { continue }
      throw RequestFailure(
        Diagnostic(.unknown, entity: name, message: "'\(error.text)' is not a key path: \(error.message)"))
    }
    guard let server else {
      throw RequestFailure(
        Diagnostic(.undefinedServer, entity: name, message: "no server is registered for '\(name)'"))
    }
    // The response to a single request may be one page of several. Then the records of the other pages are not orphans.
    var paging: Paging?
    if run != nil || options.orphans != nil { paging = options.paging ?? server.paging }
    guard run == nil || paging != nil else {
      throw RequestFailure(
        Diagnostic(
          .undefinedPageManager, entity: name,
          message: "neither the request options nor the server of '\(name)' define paging"))
    }
    var serverRequest = serverRequest
    for (name, value) in options.headers { serverRequest.headers.setHeader(name, to: value) }
    serverRequest.timeout = options.timeout ?? serverRequest.timeout
    serverRequest.isPaged = run != nil
    serverRequest.domain = options.domain ?? serverRequest.domain
    var options = options
    options.debugger = options.debugger ?? debugger
    let isCached =
      options.isRecordLevelCachingEnabled
      ?? coordinator.schema.entities[entity].isRecordLevelCachingEnabled
    return PreparedRequest(
      schema: coordinator.schema, entity: entity, serverRequest: serverRequest, options: options,
      server: server, paging: paging, record: record, run: run?.state ?? PageRunState(),
      isCached: isCached && options.automaticallyPersistsRecords && !options.isDryRun, token: token)
  }

  /// Prepares a request for the details of a record, or one that changes the record on the server. Rules: `request.detail`,
  /// `request.detail.change`.
  func prepareDetail(
    of record: Record, method: String, urn: String?, query: [String: String], body: RequestBody?,
    _ options: RequestOptions?
  ) throws(RequestFailure) -> PreparedRequest {
    guard let name = record.entityName, let entity = coordinator.schema.indices[name] else {
      let failure = RequestFailure(Diagnostic(.undefinedDetailURN, message: "the record is deleted"))
      log.failed(failure, nil, urn: nil)
      throw failure
    }
    let options = options ?? defaults.options(of: entity)
    func failure(_ code: DiagnosticCode, _ message: String) -> RequestFailure {
      failed(
        RequestFailure(Diagnostic(code, entity: name, message: message)), entity, options,
        server: servers.server(for: entity), nil)
    }
    guard let urn = urn ?? record.recordDetailURN, !urn.isEmpty else {
      let reason =
        coordinator.schema.entities[entity].detailAddress == nil
        ? "declare a 'detailURN' for '\(name)', or state the address of the request"
        : "a value that the 'detailURN' of '\(name)' contains is missing, empty, or a path segment that leads elsewhere"
      throw failure(.undefinedDetailURN, "the record has no detail address; \(reason)")
    }
    guard !options.automaticallyPersistsRecords || !record.context.isUnsaved(record.recordID) else {
      throw failure(
        .unsavedRecord,
        "the record is not saved, and the response would be saved in another one; save it first, or set "
          + "automaticallyPersistsRecords to false")
    }
    return try prepare(
      ServerRequest(method: method, urn: urn, query: query, body: body), entity, options,
      record: record.recordID)
  }

  /// Passes the matching stored records to `stored`, and then prepares the request. Rule: `request.fetch-first`.
  func prepare<Element: Record>(
    _ request: RecordRequest<Element>, fetchFirst: RecordFetchRequest, _ context: ManagedObjectContext,
    stored: ([Element]) throws -> Void
  ) throws -> PreparedRequest {
    // The request begins here, so that `stored` can already cancel it.
    let token = inFlight.begin(domain(of: request))
    do {
      let records: [Element]
      do throws(RequestFailure) {
        records = try context.fetch(fetchFirst).compactMap { $0 as? Element }
      } catch {
        throw failed(error, request)
      }
      try stored(records)
      return try prepare(request, token: token)
    } catch {
      inFlight.end(token)
      throw error
    }
  }

  /// Returns the options of a request, or else the defaults with the request's own headers, timeout and domain.
  /// Rule: `request.defaults`.
  func options<Element: Record>(of request: RecordRequest<Element>, _ entity: EntityIndex) -> RequestOptions {
    if let given = request.options { return given }
    var options = defaults.options(of: entity)
    let own = request.serverRequest
    for (name, value) in own.headers { options.headers.setHeader(name, to: value) }
    options.timeout = own.timeout ?? options.timeout
    options.domain = own.domain ?? options.domain
    return options
  }

  /// Returns the schema with the current tweaks applied. Reads a file, so do not call it in the caller's isolation.
  /// Rule: `tweaks.file`.
  func schema() throws(RequestFailure) -> Schema {
    do throws(TweakFileError) {
      return try tweaks?.schema() ?? coordinator.schema
    } catch {
      throw RequestFailure(error)
    }
  }

  /// Returns the domain that a request will have.
  func domain<Element: Record>(of request: RecordRequest<Element>) -> String? {
    let options = (try? entity(of: request)).map { self.options(of: request, $0) }
    return options?.domain ?? request.serverRequest.domain
  }

  /// Returns the domain that a request for details will have.
  func domain(ofDetailsOf record: Record, _ options: RequestOptions?) -> String? {
    if let options { return options.domain }
    let entity = record.entityName.flatMap { coordinator.schema.indices[$0] }
    return entity.flatMap { defaults.options(of: $0).domain }
  }

  func entity<Element: Record>(of request: RecordRequest<Element>) throws(RequestFailure) -> EntityIndex {
    if let name = request.entity { return try coordinator.entity(name).index }
    return try coordinator.entity(of: Element.self).index
  }
}
