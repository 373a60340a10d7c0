import JSONTree
import RecordModel

/// From a request to the response object, away from the caller.
extension RequestPipeline {
  func answer(_ prepared: PreparedRequest) async throws -> AnsweredRequest {
    try prepared.token.check()
    var request = prepared
    request.schema = try schema()
    var answer = try await source.answer(to: request)
    try request.token.check()
    answer.diagnostics = try judged(answer.diagnostics, request)
    if case .response(let response) = answer.content {
      do throws(RequestFailure) {
        try check(response, answer.body, request)
      } catch {
        throw error.following(answer.diagnostics)
      }
    }
    return AnsweredRequest(
      request: request, answer: answer, pageManager: pageManager(of: answer, to: request))
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

  /// - Throws: what keeps a response from being populated. Rule: `request.failure`.
  private func check(
    _ response: ServerResponse, _ body: ResponseBody, _ request: PreparedRequest
  ) throws(RequestFailure) {
    let sent = response.sentRequest ?? request.serverRequest
    if let reason = Self.reason(toFail: response.status, sent) {
      var failure = failure(
        .httpStatus, request, response, body, "the server answered with status \(response.status)\(reason)")
      failure.status = response.status
      failure.headers = response.headers
      throw failure
    }
    do throws(JSONSyntaxError) {
      _ = try body.document
    } catch {
      let location = "line \(error.location.line), column \(error.location.column)"
      throw failure(.invalidResponseFormat, request, response, body, "\(location): \(error.message)")
    }
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
    _ code: DiagnosticCode, _ request: PreparedRequest, _ response: ServerResponse, _ body: ResponseBody,
    _ message: String
  ) -> RequestFailure {
    var failure = RequestFailure(
      Diagnostic(
        code, entity: coordinator.schema.entities[request.entity].name, response: request.serverRequest.urn,
        message: message))
    failure.responseObject = body.root
    // What is not UTF-8 has U+FFFD in its place.
    if case .bytes(let bytes) = response.body, !bytes.isEmpty {
      failure.responseText = String(decoding: bytes, as: UTF8.self)
    }
    return failure
  }

  private func pageManager(of answer: RequestAnswer, to request: PreparedRequest) -> PageManager? {
    guard let paging = request.paging else { return nil }
    let entity = request.schema.entities[request.entity]
    // Of a stored answer as well: an item may have become no record, or one that has gone.
    let root = answer.body.root
    let count = root.map {
      ResponseItems.count(
        in: $0.document, at: request.options.keyPathForResponseObject ?? entity.responseKeyPath,
        keyedBy: entity.responseKeyedBy)
    }
    return paging.pageManager(
      PageResponse(
        responseObject: root, headers: answer.headers, request: request.serverRequest,
        address: Self.redirection(of: answer, to: request), entity: entity.name, count: count ?? 0))
  }

  /// Where a redirect has led; nil if none has.
  private static func redirection(of answer: RequestAnswer, to request: PreparedRequest) -> String? {
    guard case .response(let response) = answer.content, let sent = response.sentRequest?.urn else {
      return nil
    }
    return sent == request.server.address(of: request.serverRequest) ? nil : sent
  }
}
