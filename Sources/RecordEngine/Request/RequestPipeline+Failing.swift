import RecordModel

/// The details of failures. Rules: `diagnostics.all`, `diagnostics.levels`.
extension RequestPipeline {
  /// Adds the details of the request to an error, and logs it. An error that a server has thrown is returned unchanged.
  func failed(_ error: any Error, _ request: PreparedRequest) -> any Error {
    guard let failure = error as? RequestFailure else {
      log.failed(error, request.schema.entities[request.entity].name, urn: request.serverRequest.urn)
      return error
    }
    return failed(
      failure, request.entity, request.options, server: request.server, request.serverRequest,
      schema: request.schema)
  }

  /// Adds the details of the request to a failure that occurred before the request was prepared, and logs it.
  func failed<Element: Record>(
    _ failure: RequestFailure, _ request: RecordRequest<Element>
  ) -> RequestFailure {
    // An error about the entity of the request would only hide this one.
    guard let entity = try? entity(of: request) else {
      log.failed(failure, request.entity, urn: request.serverRequest.urn)
      return failure
    }
    return failed(
      failure, entity, options(of: request, entity), server: servers.server(for: entity),
      request.serverRequest)
  }

  /// Adds the details of the request to a failure, and logs it.
  ///
  /// - Parameter schema: the schema of the request; nil for that of the model.
  func failed(
    _ failure: RequestFailure, _ entity: EntityIndex, _ options: RequestOptions, server: (any Server)?,
    _ request: ServerRequest?, schema: Schema? = nil
  ) -> RequestFailure {
    let schema = schema ?? coordinator.schema
    var failure = failure
    failure.initialEntity = schema.entities[entity].name
    let subject = failure.primary.entity.flatMap { schema.indices[$0] } ?? entity
    failure.recordType = String(describing: coordinator.recordTypes[for: subject])
    failure.keyPathForResponseObject =
      options.keyPathForResponseObject ?? schema.entities[entity].responseKeyPath
    failure.server = server.map { String(describing: type(of: $0)) }
    log.failed(failure, schema.entities[entity].name, urn: request?.urn)
    return failure
  }
}
