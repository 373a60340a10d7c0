import RecordModel

/// What is settled before anything is sent.
extension RequestPipeline {
  /// - Throws: `invalid-entity`, `undefined-server`, `undefined-page-manager`, or what is wrong with the options.
  func prepare<Element: Record>(
    _ request: RecordRequest<Element>, isPaged: Bool = false
  ) throws(RequestFailure) -> PreparedRequest {
    let entity = try entity(of: request)
    return try prepare(
      request.serverRequest, entity, request.options ?? defaults.options(of: entity), isPaged: isPaged)
  }

  func prepare(
    _ serverRequest: ServerRequest, _ entity: Int, _ options: RequestOptions, isPaged: Bool,
    record: RecordID? = nil
  ) throws(RequestFailure) -> PreparedRequest {
    let name = coordinator.schema.entities[entity].name
    if let error = options.keyPathForResponseObject?.syntaxError {
      throw RequestFailure(
        Diagnostic(.unknown, entity: name, message: "'\(error.text)' is no key path: \(error.message)"))
    }
    guard let server = servers.server(for: entity) else {
      throw RequestFailure(
        Diagnostic(.undefinedServer, entity: name, message: "no server is registered for '\(name)'"))
    }
    var paging: Paging?
    if isPaged {
      paging = options.paging ?? server.paging
      guard paging != nil else {
        throw RequestFailure(
          Diagnostic(
            .undefinedPageManager, entity: name,
            message: "neither the options of the request nor the server of '\(name)' say how there are pages")
        )
      }
    }
    var serverRequest = serverRequest
    serverRequest.headers.merge(options.headers) { _, header in header }
    serverRequest.timeout = options.timeout ?? serverRequest.timeout
    serverRequest.isPaged = isPaged
    serverRequest.domain = options.domain
    return PreparedRequest(
      entity: entity, serverRequest: serverRequest, options: options, server: server, paging: paging,
      record: record)
  }

  /// Rule: `request.detail`.
  func prepareDetail(
    of record: Record, data: [String: String], _ options: RequestOptions?
  ) throws(RequestFailure) -> PreparedRequest {
    guard let name = record.entityName else {
      throw RequestFailure(Diagnostic(.undefinedDetailURN, message: "the record is deleted"))
    }
    guard let urn = record.recordDetailURN, !urn.isEmpty else {
      throw RequestFailure(
        Diagnostic(
          .undefinedDetailURN, entity: name,
          message: "the record has no address for its details; declare a detailURN for '\(name)'"))
    }
    let entity = try coordinator.entity(name).index
    return try prepare(
      ServerRequest(urn: urn, data: data), entity, options ?? defaults.options(of: entity), isPaged: false,
      record: record.recordID)
  }

  private func entity<Element: Record>(of request: RecordRequest<Element>) throws(RequestFailure) -> Int {
    if let name = request.entity { return try coordinator.entity(name).index }
    guard let entity = coordinator.entity(of: Element.self) else {
      throw RequestFailure(
        Diagnostic(
          .invalidEntity, message: "no entity of the model has records of the type '\(Element.self)'"))
    }
    return entity
  }
}
