/// A source that asks the servers.
struct ServerSource: ResponseSource {
  let sessionTimeout: SessionTimeoutRegistration
  let log: RequestLog
  /// A Boolean value that indicates whether a cache is in front of this source.
  let hasCache: Bool

  func answer(to request: PreparedRequest) async throws -> RequestAnswer {
    let name = request.schema.entities[request.entity].name
    log.requesting(request.serverRequest, name)
    var answer = RequestAnswer(try await response(to: request))
    if !hasCache, request.isCached, request.options.hooks.isEmpty, request.serverRequest.cacheObstacle == nil
    {
      answer.diagnostics.append(
        Diagnostic(
          .cacheUnavailable, entity: name, response: request.serverRequest.urn,
          message: "caching is on, but the container has no cache"))
    }
    return answer
  }

  /// Performs no work, because this source stores nothing.
  func forget(_ request: PreparedRequest) {}

  /// Asks the server, and asks again if the session had timed out and the handler has renewed it.
  /// Rule: `request.session-timeout`.
  private func response(to request: PreparedRequest) async throws -> ServerResponse {
    let (server, serverRequest, token) = (request.server, request.serverRequest, request.token)
    return try await ServerCall.answer(to: request) {
      [sessionTimeout] in
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
