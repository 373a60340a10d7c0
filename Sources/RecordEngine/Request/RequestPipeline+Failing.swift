import RecordModel

/// What a failure says of the request that failed. Rules: `diagnostics.all`, `diagnostics.levels`.
extension RequestPipeline {
  /// The error with what is known of the request, told to the logger. What a server throws stays as it is.
  func failed(_ error: any Error, _ request: PreparedRequest) -> any Error {
    guard let failure = error as? RequestFailure else {
      log.failed(error, request.schema.entities[request.entity].name, urn: request.serverRequest.urn)
      return error
    }
    return failed(
      failure, request.entity, request.options, server: request.server, request.serverRequest,
      schema: request.schema)
  }

  /// The error of a request that has ended before it was settled.
  func failed<Element: Record>(
    _ failure: RequestFailure, _ request: RecordRequest<Element>
  ) -> RequestFailure {
    // What is wrong with its entity would only hide this.
    guard let entity = try? entity(of: request) else {
      log.failed(failure, request.entity, urn: request.serverRequest.urn)
      return failure
    }
    return failed(
      failure, entity, options(of: request, entity), server: servers.server(for: entity),
      request.serverRequest)
  }

  /// - Parameter schema: nil: the model's own.
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
