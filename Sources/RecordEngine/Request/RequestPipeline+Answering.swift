import JSONTree
import RecordModel

/// From a request to the response object, away from the caller.
extension RequestPipeline {
  /// Ends at once when the task is cancelled, or the token.
  nonisolated func answer(
    _ request: PreparedRequest, _ token: RequestToken
  ) async throws -> ServerAnswer {
    try await withTaskCancellationHandler {
      try await read(request, token)
    } onCancel: {
      token.cancel()
    }
  }

  private func read(_ request: PreparedRequest, _ token: RequestToken) async throws -> ServerAnswer {
    try token.check()
    log.requesting(request.serverRequest, request.schema.entities[request.entity].name)
    let response = try await response(to: request, token)
    try token.check()
    let name = coordinator.schema.entities[request.entity].name
    let urn = request.serverRequest.urn
    guard response.status < 400 else {
      var failure = RequestFailure(
        Diagnostic(
          .httpStatus, entity: name, response: urn,
          message: "the server answered with status \(response.status)"))
      failure.status = response.status
      failure.headers = response.headers
      switch response.body {
      case .json(let value): failure.responseObject = JSONDocument(value).root
      case .bytes(let bytes):
        failure.responseText = bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        failure.responseObject = (try? JSONDocument(parsing: bytes))?.root
      }
      throw failure
    }
    var answer = ServerAnswer(request: request, document: nil, headers: response.headers)
    switch response.body {
    case .json(let value): answer.document = JSONDocument(value)
    case .bytes(let bytes):
      if bytes.isEmpty { break }
      do {
        answer.document = try JSONDocument(parsing: bytes)
      } catch {
        var failure = RequestFailure(
          Diagnostic(
            .invalidResponseFormat, entity: name, response: urn,
            message: "line \(error.location.line), column \(error.location.column): \(error.message)"))
        failure.responseText = String(decoding: bytes, as: UTF8.self)
        throw failure
      }
    }
    answer.pageManager = pageManager(of: answer)
    return answer
  }

  private func pageManager(of answer: ServerAnswer) -> PageManager? {
    let request = answer.request
    guard let paging = request.paging else { return nil }
    let entity = request.schema.entities[request.entity]
    let count = answer.document.map {
      Population.itemCount(
        of: $0, at: request.options.keyPathForResponseObject ?? entity.responseKeyPath,
        keyedBy: entity.responseKeyedBy)
    }
    return paging.pageManager(
      PageResponse(
        responseObject: answer.document?.root, headers: answer.headers, request: request.serverRequest,
        entity: entity.name, count: count ?? 0))
  }

  /// Asks the server, and once more if the session had timed out and the handler wants it. Rule:
  /// `request.session-timeout`.
  private func response(
    to request: PreparedRequest, _ token: RequestToken
  ) async throws -> ServerResponse {
    let (server, serverRequest) = (request.server, request.serverRequest)
    return try await ServerCall.response(token) { [sessionTimeout] in
      do {
        return try await server.response(to: serverRequest)
      } catch let timeout as SessionTimeout {
        guard let handler = sessionTimeout.handler, await handler(serverRequest, timeout) else {
          throw timeout
        }
        try token.check()
        return try await server.response(to: serverRequest)
      }
    }
  }
}
