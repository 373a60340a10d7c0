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
    let found = try await source.answer(to: request, token)
    try token.check()
    var answer = ServerAnswer(request: request, served: found.served, keeper: found.keeper)
    answer.diagnostics = try judged(found.diagnostics, request)
    switch found.content {
    case .records(let records, let body, let headers):
      (answer.storedRecords, answer.body, answer.headers) = (records, body, headers)
    case .response(let response):
      answer.headers = response.headers
      answer.address = address(of: response, to: request)
      do throws(RequestFailure) {
        answer.document = try document(of: response, to: request)
      } catch {
        throw error.following(answer.diagnostics)
      }
      answer.body = answer.document.map { ResponseBody($0) } ?? .empty
    }
    answer.pageManager = pageManager(of: answer)
    return answer
  }

  /// What the source has noticed, as the debugger sees it.
  private func judged(
    _ diagnostics: [Diagnostic], _ request: PreparedRequest
  ) throws(RequestFailure) -> [Diagnostic] {
    guard !diagnostics.isEmpty, let debugger = request.options.debugger else {
      return diagnostics
    }
    let (told, failing) = debugger.judge(diagnostics)
    guard let failing else { return told }
    var failure = RequestFailure(failing)
    failure.diagnostics = told
    throw failure
  }

  /// What the body of a response says; nil for an empty one.
  private func document(
    of response: ServerResponse, to request: PreparedRequest
  ) throws(RequestFailure) -> JSONDocument? {
    let body = ReadBody(response.body)
    let sent = response.sentRequest ?? request.serverRequest
    if let reason = Self.reason(toFail: response.status, sent) {
      var failure = failure(
        .httpStatus, request, body, "the server answered with status \(response.status)\(reason)")
      failure.status = response.status
      failure.headers = response.headers
      throw failure
    }
    if let error = body.error {
      let place = "line \(error.location.line), column \(error.location.column)"
      throw failure(.invalidResponseFormat, request, body, "\(place): \(error.message)")
    }
    return body.document
  }

  /// What there is to say of a status that fails a request; nil for one that does not. Rule: `request.failure`.
  private static func reason(toFail status: Int, _ request: ServerRequest) -> String? {
    switch status {
    case 206 where request.header("Range") == nil: ": it is a part, though the request has no Range"
    case 304: ": \(reason(unmodified: request))"
    case 300...: ""
    default: nil
    }
  }

  /// What a 304 means that reaches a request. That of a question of the cache's does not: it has answered the request then.
  private static func reason(unmodified request: ServerRequest) -> String {
    guard let condition = request.conditions.first else {
      return "nothing has been modified, though the request has no condition"
    }
    return "nothing has been modified, as the request's own \(condition) asks"
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

  /// Where a redirect has led; nil if none has.
  private func address(of response: ServerResponse, to request: PreparedRequest) -> String? {
    let sent = response.sentRequest?.urn
    return sent == request.server.address(of: request.serverRequest) ? nil : sent
  }

  private func pageManager(of answer: ServerAnswer) -> PageManager? {
    let request = answer.request
    guard let paging = request.paging else { return nil }
    let entity = request.schema.entities[request.entity]
    // Of a stored answer as well: an item may have become no record, or one that has gone.
    let root = answer.body.root
    let count = root.map {
      Population.itemCount(
        of: $0.document, at: request.options.keyPathForResponseObject ?? entity.responseKeyPath,
        keyedBy: entity.responseKeyedBy)
    }
    return paging.pageManager(
      PageResponse(
        responseObject: root, headers: answer.headers, request: request.serverRequest,
        address: answer.address,
        entity: entity.name, count: count ?? 0))
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
