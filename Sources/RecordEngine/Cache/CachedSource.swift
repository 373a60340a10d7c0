import Foundation
import JSONTree
import RecordModel

/// A source with a cache. Cached responses answer requests as long as HTTP allows it. The responses of the underlying
/// source are cached after their records have been saved. Rules: `cache.*`.
struct CachedSource: ResponseSource {
  private let source: any ResponseSource
  private let cache: RecordCache
  private let coordinator: PersistentStoreCoordinator
  private let log: RequestLog
  private let mapping: ModelDigest
  private let coalescedRequests = CoalescedRequests()

  init(
    _ source: any ResponseSource, _ cache: RecordCache, _ coordinator: PersistentStoreCoordinator,
    _ log: RequestLog
  ) {
    (self.source, self.cache, self.coordinator, self.log) = (source, cache, coordinator, log)
    mapping = ModelDigest(coordinator.model)
  }

  func answer(to request: PreparedRequest) async throws -> RequestAnswer {
    if request.serverRequest.isChange { return try await answerToChange(request) }
    guard request.isCached else { return try await source.answer(to: request) }
    let removals = cache.removals
    let name = request.schema.entities[request.entity].name
    // The result of a hook is unknown to other requests.
    guard request.options.hooks.isEmpty else {
      let reason = "the request has hooks (\(request.options.hooks.joined(separator: ", ")))"
      log.notKept(request.serverRequest, name, reason)
      var answer = try await source.answer(to: request)
      // The options turn caching on, although the hooks in the same options prevent it.
      if request.options.isRecordLevelCachingEnabled == true {
        answer.diagnostics.append(
          Diagnostic(
            .uncacheableRequest, entity: name, response: request.serverRequest.urn,
            message: "\(reason), so the cache is not used"))
      }
      return answer
    }
    let described: ServerRequest
    switch try await description(of: request) {
    case .known(let serverRequest): described = serverRequest
    case .unknown(let reason):
      var answer = try await source.answer(to: request)
      answer.diagnostics.append(undescribed(request, "its response cannot be cached", reason))
      return answer
    }
    // A server may describe only the address and the headers of a request.
    let obstacle = described.cacheObstacle ?? (request.serverRequest.body == nil ? nil : .requestBody)
    if let obstacle {
      log.notKept(request.serverRequest, name, "\(obstacle)")
      let sent = cache.now()
      let answer = try await source.answer(to: request)
      if described.method == "HEAD" { refresh(by: answer, to: described, sent: sent) }
      return answer
    }
    return try await CachedRequest(
      request: request, described: described, key: key(request, described), cache: cache,
      removals: removals, coordinator: coordinator, source: source, log: log,
      coalescedRequests: coalescedRequests
    ).answer()
  }

  /// Updates each cached response that could answer a `GET` with the response to a `HEAD`. Rule: `cache.head`.
  private func refresh(by answer: RequestAnswer, to described: ServerRequest, sent: Date) {
    guard case .response(let response) = answer.content, response.status == 200 else { return }
    let received = cache.now()
    for row in cache.rows(url: described.urn, generation: coordinator.store.generation)
    where row.response.fits(described) {
      switch row.response.refreshed(by: response, to: described, sent: sent, received: received) {
      case .holds(let response): cache.freshen(row, response)
      case .holdsOnce, .isAnother: cache.remove(row)
      }
    }
  }

  /// Returns the answer to a request that may change something on the server, and removes the cached responses that the
  /// change makes outdated. Rule: `cache.invalidation`.
  private func answerToChange(_ request: PreparedRequest) async throws -> RequestAnswer {
    // The description is needed before the request: if the request is canceled after the server has responded, outdated
    // responses must still be removed.
    var description = try await description(of: request)
    var answer: RequestAnswer
    do {
      answer = try await source.answer(to: request)
    } catch {
      if Self.mayHaveTakenEffect(error), case .known(let described) = description { forget(described.urn) }
      throw error
    }
    guard case .response(let response) = answer.content else { return answer }
    // If the session had timed out, it has been renewed by now.
    if case .unknown(.some) = description { description = try await self.description(of: request) }
    switch description {
    case .known(let described):
      for url in described.invalidatedURLs(by: response) { forget(url) }
    case .unknown(let reason?):
      answer.diagnostics.append(
        undescribed(request, "cached responses of its address may be outdated", reason))
    // The responses of such a server are not cached.
    case .unknown(nil): break
    }
    answer.diagnostics += cache.takeDiagnostics()
    return answer
  }

  /// Returns a Boolean value that indicates whether a failed request may have taken effect on the server. The result is
  /// false only if the error proves that the server did not perform the request.
  private static func mayHaveTakenEffect(_ error: any Error) -> Bool {
    switch error {
    case let failure as RequestFailure: failure.primary.code == .cancelled
    case let error as URLError: !unsentCodes.contains(error.code)
    default: !(error is SessionTimeout)
    }
  }

  /// The errors that occur before a request is sent.
  private static let unsentCodes: Set<URLError.Code> = [
    .badURL, .unsupportedURL, .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed,
    .cannotConnectToHost, .secureConnectionFailed,
  ]

  private func forget(_ url: String) {
    coalescedRequests.outdate(url: url)
    cache.remove(url: url)
  }

  func forget(_ request: PreparedRequest) async throws {
    // The responses of a server that does not describe its requests are not cached.
    guard let described = try await request.server.description(of: request.serverRequest) else { return }
    coalescedRequests.outdate(url: described.urn)
    try cache.forget(url: described.urn)
  }

  /// The description of a request by its server.
  private enum Description {
    case known(ServerRequest)
    /// The server does not describe its requests, or failed to describe this one with an error.
    case unknown((any Error)?)
  }

  private func undescribed(
    _ request: PreparedRequest, _ consequence: String, _ reason: (any Error)?
  ) -> Diagnostic {
    let cause =
      reason.map { "the server cannot describe its requests (\($0))" }
      ?? "the server does not describe its requests (description(of:))"
    return Diagnostic(
      .undescribedRequest, entity: request.schema.entities[request.entity].name,
      response: request.serverRequest.urn, message: "\(cause), so \(consequence)")
  }

  /// Returns the request as its server sends it. A server that fails to describe a request is asked nevertheless: it
  /// has a session to renew, or fails again.
  private func description(
    of request: PreparedRequest
  ) async throws(RequestFailure) -> Description {
    let (server, serverRequest) = (request.server, request.serverRequest)
    do {
      let described = try await ServerCall.answer(to: request) {
        try await server.description(of: serverRequest)
      }
      return described.map(Description.known) ?? .unknown(nil)
    } catch {
      try request.token.check()
      return .unknown(error)
    }
  }

  private func key(_ request: PreparedRequest, _ described: ServerRequest) -> CacheKey {
    var mapping = mapping
    mapping.add(request.schema.tweaks)
    mapping.add((request.options.mergeStrategy?.rawValue ?? "").utf8)
    let entity = request.schema.entities[request.entity]
    return CacheKey(
      method: described.method, url: ScalarString(described.urn), entity: entity.name,
      responseKeyPath: (request.options.keyPathForResponseObject ?? entity.responseKeyPath).map {
        ScalarString($0.description)
      }, metaDataKeyPath: request.keptPart.map { ScalarString($0.description) }, mapping: mapping.value)
  }
}

extension PreparedRequest {
  /// The key path of the part of the body that is cached, or nil for the whole body. Pages need the whole body.
  /// Rule: `cache.metadata`.
  var keptPart: MappingPath? {
    guard paging == nil, let path = options.keyPathForMetaData else { return nil }
    let isPlain = path.components.allSatisfy { if case .key = $0 { true } else { false } }
    return isPlain && !path.components.isEmpty ? path : nil
  }
}
