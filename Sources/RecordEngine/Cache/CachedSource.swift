import Foundation
import JSONTree
import RecordModel

/// A source before which a cache stands: what is stored answers as long as HTTP lets it, and what the source behind it
/// answers is stored once it is saved. Rules: `cache.*`.
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
    if request.serverRequest.isChange { return try await changing(request) }
    guard request.isCached else { return try await source.answer(to: request) }
    let removals = cache.removals
    let name = request.schema.entities[request.entity].name
    // What hooks make of a response is known to nobody else.
    guard request.options.hooks.isEmpty else {
      let reason = "the request has hooks of its own (\(request.options.hooks.joined(separator: ", ")))"
      log.notKept(request.serverRequest, name, reason)
      var answer = try await source.answer(to: request)
      // Whoever has turned caching on in the same options has asked for what cannot be.
      if request.options.isRecordLevelCachingEnabled == true {
        answer.diagnostics.append(
          Diagnostic(
            .uncacheableRequest, entity: name, response: request.serverRequest.urn,
            message: "\(reason), so that its response can be neither cached nor answered from the cache"))
      }
      return answer
    }
    let described: ServerRequest
    switch try await description(of: request) {
    case .said(let said): described = said
    case .unsaid(let reason):
      var answer = try await source.answer(to: request)
      answer.diagnostics.append(undescribed(request, "its response cannot be cached", reason))
      return answer
    }
    if let obstacle = described.cacheObstacle {
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

  /// Takes over what the server has answered to a `HEAD`, into each kept response that a `GET` could be answered with. Rule:
  /// `cache.head`.
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

  /// The answer to a request that changes something on the server: what is stored of it is of no use any more. Rule:
  /// `cache.invalidation`.
  private func changing(_ request: PreparedRequest) async throws -> RequestAnswer {
    // Before: who is cancelled when the server has answered must not leave behind what has changed.
    var description = try await description(of: request)
    var answer: RequestAnswer
    do {
      answer = try await source.answer(to: request)
    } catch {
      if Self.mayBeDone(error), case .said(let described) = description { forget(described.urn) }
      throw error
    }
    guard case .response(let response) = answer.content else { return answer }
    // A session that had timed out has been renewed by now.
    if case .unsaid(.some) = description { description = try await self.description(of: request) }
    switch description {
    case .said(let described):
      for url in described.invalidatedURLs(by: response) { forget(url) }
    case .unsaid(let reason?):
      answer.diagnostics.append(
        undescribed(request, "what is cached of its address may be of before the change", reason))
    // Nothing of such a server is cached.
    case .unsaid(nil): break
    }
    answer.diagnostics += cache.takeDiagnostics()
    return answer
  }

  /// Whether a server may have done what it was asked, though nobody has heard its answer: whenever it is not certain that
  /// it was not asked.
  private static func mayBeDone(_ error: any Error) -> Bool {
    switch error {
    case let failure as RequestFailure: failure.primary.code == .cancelled
    case let error as URLError: !unsentCodes.contains(error.code)
    default: !(error is SessionTimeout)
    }
  }

  /// What goes wrong before anything is sent.
  private static let unsentCodes: Set<URLError.Code> = [
    .badURL, .unsupportedURL, .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed,
    .cannotConnectToHost, .secureConnectionFailed,
  ]

  private func forget(_ url: String) {
    coalescedRequests.outdate(url: url)
    cache.remove(url: url)
  }

  func forget(_ request: PreparedRequest) async throws {
    // Nothing is kept of a server that does not say what it sends.
    guard let described = try await request.server.description(of: request.serverRequest) else { return }
    coalescedRequests.outdate(url: described.urn)
    try cache.forget(url: described.urn)
  }

  /// What a server says that it sends.
  private enum Description {
    case said(ServerRequest)
    /// It says nothing, or cannot say it for a reason.
    case unsaid((any Error)?)
  }

  private func undescribed(
    _ request: PreparedRequest, _ consequence: String, _ reason: (any Error)?
  ) -> Diagnostic {
    let cause =
      reason.map { "the server cannot say what it sends (\($0))" }
      ?? "the server does not say what it sends (description(of:))"
    return Diagnostic(
      .undescribedRequest, entity: request.schema.entities[request.entity].name,
      response: request.serverRequest.urn, message: "\(cause), so that \(consequence)")
  }

  /// What the server sends for a request. One that cannot say it is asked all the same: it has a session to renew, or fails.
  private func description(
    of request: PreparedRequest
  ) async throws(RequestFailure) -> Description {
    let (server, serverRequest) = (request.server, request.serverRequest)
    do {
      let said = try await ServerCall.answer(request.token) {
        try await server.description(of: serverRequest)
      }
      return said.map(Description.said) ?? .unsaid(nil)
    } catch {
      try request.token.check()
      return .unsaid(error)
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
  /// The part of the response that is kept beside its records; nil for all of it. Pages are told by all of the response.
  /// Rule: `cache.metadata`.
  var keptPart: MappingPath? {
    guard paging == nil, let path = options.keyPathForMetaData else { return nil }
    let isPlain = path.components.allSatisfy { if case .key = $0 { true } else { false } }
    return isPlain && !path.components.isEmpty ? path : nil
  }
}
