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

  private func read(_ prepared: PreparedRequest, _ token: RequestToken) async throws -> ServerAnswer {
    try token.check()
    var request = prepared
    request.schema = try schema()
    log.requesting(request.serverRequest, request.schema.entities[request.entity].name)
    let response = try await response(to: request, token)
    try token.check()
    let body = ReadBody(response.body)
    guard response.status < 400 else {
      var failure = failure(.httpStatus, request, body, "the server answered with status \(response.status)")
      failure.status = response.status
      failure.headers = response.headers
      throw failure
    }
    if let error = body.error {
      let place = "line \(error.location.line), column \(error.location.column)"
      throw failure(.invalidResponseFormat, request, body, "\(place): \(error.message)")
    }
    var answer = ServerAnswer(request: request, document: body.document, headers: response.headers)
    answer.pageManager = pageManager(of: answer)
    return answer
  }

  private func failure(
    _ code: DiagnosticCode, _ request: PreparedRequest, _ body: ReadBody, _ message: String
  ) -> RequestFailure {
    var failure = RequestFailure(
      Diagnostic(
        code, entity: coordinator.schema.entities[request.entity].name, response: request.serverRequest.urn,
        message: message))
    failure.responseObject = body.document?.root
    failure.responseText = body.text
    return failure
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
      var hasWaited = false
      while true {
        let renewals = sessionTimeout.renewals
        do {
          return try await server.response(to: serverRequest)
        } catch let timeout as SessionTimeout {
          let renewal = await sessionTimeout.renew(
            serverRequest, timeout, since: renewals, hasWaited: hasWaited)
          try token.check()
          switch renewal {
          case .refused: throw timeout
          case .byAnother: hasWaited = true
          case .forThis: return try await server.response(to: serverRequest)
          }
        }
      }
    }
  }
}

/// The body of a response, as far as it is JSON.
private struct ReadBody {
  /// Nil for an empty body, and for one that is no JSON.
  let document: JSONDocument?
  /// Why it is no JSON.
  let error: JSONSyntaxError?
  private let bytes: [UInt8]

  init(_ body: ServerResponse.Body) {
    switch body {
    case .json(let value): (document, error, bytes) = (JSONDocument(value), nil, [])
    case .bytes(let bytes) where bytes.isEmpty: (document, error, self.bytes) = (nil, nil, [])
    case .bytes(let bytes):
      self.bytes = bytes
      do {
        document = try JSONDocument(parsing: bytes)
        error = nil
      } catch {
        document = nil
        self.error = error
      }
    }
  }

  /// Nil for an empty body, and for a value made in Swift. What is not UTF-8 has U+FFFD in its place.
  var text: String? { bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
}
