import JSONTree
import RecordModel

/// The steps from a request to the response object, outside the caller's isolation.
extension RequestPipeline {
  func answer(_ prepared: PreparedRequest) async throws -> AnsweredRequest {
    try prepared.token.check()
    var request = prepared
    request.schema = try schema()
    var answer = try await source.answer(to: request)
    try request.token.check()
    answer.diagnostics = try judged(answer.diagnostics, request)
    var answered = AnsweredRequest(request: request, answer: answer)
    if case .response(let response) = answer.content {
      do throws(RequestFailure) {
        try check(response, answer.body, request)
        answered.repeated = repeatedResponses?.response(to: answered)
        // The same bytes are JSON again.
        if answered.repeated == nil { try parse(response, answer.body, request) }
      } catch {
        throw error.following(answer.diagnostics)
      }
    }
    answered.pageManager = pageManager(of: answer, to: request)
    return answered
  }

  /// Returns the diagnostics of the source after the debugger has judged them.
  ///
  /// - Throws: the first diagnostic that the debugger makes a failure.
  private func judged(
    _ diagnostics: [Diagnostic], _ request: PreparedRequest
  ) throws(RequestFailure) -> [Diagnostic] {
    guard let debugger = request.options.debugger else { return diagnostics }
    let (told, failing) = debugger.judge(diagnostics)
    guard let failing else { return told }
    var failure = RequestFailure(failing)
    failure.diagnostics = told
    throw failure
  }

  /// Checks that a response with this status can be populated.
  ///
  /// - Throws: the failure if it cannot. Rule: `request.failure`.
  private func check(
    _ response: ServerResponse, _ body: ResponseBody, _ request: PreparedRequest
  ) throws(RequestFailure) {
    let sent = response.sentRequest ?? request.serverRequest
    if var reason = Self.reason(toFail: response.status, sent) {
      if [301, 302, 303, 307, 308].contains(response.status), response.header("Location") == nil {
        reason = ", a redirect without 'Location'"
      }
      var failure = failure(
        .httpStatus, request, response, body, "the server answered with status \(response.status)\(reason)")
      failure.status = response.status
      failure.headers = response.headers
      throw failure
    }
  }

  /// Parses the body of a response.
  ///
  /// - Throws: the failure if it is not JSON. Rule: `request.failure`.
  private func parse(
    _ response: ServerResponse, _ body: ResponseBody, _ request: PreparedRequest
  ) throws(RequestFailure) {
    do throws(JSONSyntaxError) {
      _ = try body.document
    } catch {
      let location = "line \(error.location.line), column \(error.location.column)"
      throw failure(.invalidResponseFormat, request, response, body, "\(location): \(error.message)")
    }
  }

  /// Returns the explanation of a status that fails a request, which can be empty; nil for a status that does not.
  /// Rule: `request.failure`.
  private static func reason(toFail status: Int, _ request: ServerRequest) -> String? {
    switch status {
    case 206 where request.header("Range") == nil: ": the response is partial, but the request has no Range"
    case 304: ": \(reason(unmodified: request))"
    case 300...: ""
    default: nil
    }
  }

  /// Returns the explanation of a 304 that fails a request. A 304 that answers a revalidation by the cache does not
  /// fail, because the cache has already answered the request then.
  private static func reason(unmodified request: ServerRequest) -> String {
    guard let condition = request.conditions.first else {
      return "the server returned 'not modified', but the request has no condition"
    }
    return "the server returned 'not modified' because of \(condition) in the request"
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
    failure.mark = response.mark
    // Invalid UTF-8 is replaced by U+FFFD.
    if case .bytes(let bytes) = response.body, !bytes.isEmpty {
      failure.responseText = String(decoding: bytes, as: UTF8.self)
    }
    return failure
  }

  private func pageManager(of answer: RequestAnswer, to request: PreparedRequest) -> PageManager? {
    guard let paging = request.paging else { return nil }
    let entity = request.schema.entities[request.entity]
    // The items of a cached answer are counted too: an item may have become no record, or its record may be deleted
    // since.
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

  /// Returns the address that a redirect led to; nil without a redirect.
  static func redirection(of answer: RequestAnswer, to request: PreparedRequest) -> String? {
    guard case .response(let response) = answer.content, let sent = response.sentRequest?.urn else {
      return nil
    }
    return sent == request.server.address(of: request.serverRequest) ? nil : sent
  }
}
