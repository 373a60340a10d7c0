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
    let found = try await source.answer(to: request, token)
    try token.check()
    var answer = ServerAnswer(request: request, served: found.served, keeper: found.keeper)
    answer.diagnostics = try judged(found.diagnostics, request)
    switch found.content {
    case .records(let records, let body, let headers):
      (answer.storedRecords, answer.body, answer.headers) = (records, body, headers)
    case .response(let response):
      answer.headers = response.headers
      answer.document = try document(of: response, to: request)
      answer.body = answer.document.map { ResponseBody($0) } ?? .empty
    }
    answer.pageManager = pageManager(of: answer)
    return answer
  }

  /// What the source has noticed, as the debugger sees it.
  private func judged(
    _ diagnostics: [Diagnostic], _ request: PreparedRequest
  ) throws(RequestFailure) -> [Diagnostic] {
    guard !diagnostics.isEmpty, let debugger = request.options.debugger ?? debugger else {
      return diagnostics
    }
    let (told, failing) = debugger.judge(diagnostics)
    guard let failing else { return told }
    var failure = RequestFailure(failing)
    failure.diagnostics = told
    throw failure
  }

  /// Reads the body of a response; nil for an empty one.
  private func document(
    of response: ServerResponse, to request: PreparedRequest
  ) throws(RequestFailure) -> JSONDocument? {
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
    switch response.body {
    case .json(let value): return JSONDocument(value)
    case .bytes(let bytes):
      if bytes.isEmpty { return nil }
      do {
        return try JSONDocument(parsing: bytes)
      } catch {
        var failure = RequestFailure(
          Diagnostic(
            .invalidResponseFormat, entity: name, response: urn,
            message: "line \(error.location.line), column \(error.location.column): \(error.message)"))
        failure.responseText = String(decoding: bytes, as: UTF8.self)
        throw failure
      }
    }
  }

  private func pageManager(of answer: ServerAnswer) -> PageManager? {
    let request = answer.request
    guard let paging = request.paging else { return nil }
    let entity = request.schema.entities[request.entity]
    let count =
      answer.storedRecords?.count
      ?? answer.document.map {
        Population.itemCount(
          of: $0, at: request.options.keyPathForResponseObject ?? entity.responseKeyPath,
          keyedBy: entity.responseKeyedBy)
      }
    return paging.pageManager(
      PageResponse(
        responseObject: answer.body.root, headers: answer.headers, request: request.serverRequest,
        entity: entity.name, count: count ?? 0))
  }
}
