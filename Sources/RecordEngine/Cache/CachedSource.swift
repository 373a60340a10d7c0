import Foundation
import RecordModel

/// A source before which a cache stands: what is stored answers as long as HTTP lets it, and what the source behind it
/// answers is stored once it is saved. Rules: `cache.*`.
struct CachedSource: ResponseSource {
  private let source: any ResponseSource
  private let cache: RecordCache
  private let coordinator: PersistentStoreCoordinator
  private let log: RequestLog
  private let mapping: ModelDigest
  private let flights = RequestFlights()

  init(
    _ source: any ResponseSource, _ cache: RecordCache, _ coordinator: PersistentStoreCoordinator,
    _ log: RequestLog
  ) {
    (self.source, self.cache, self.coordinator, self.log) = (source, cache, coordinator, log)
    mapping = ModelDigest(coordinator.model)
  }

  func answer(to request: PreparedRequest, _ token: RequestToken) async throws -> SourceAnswer {
    if request.serverRequest.isChange { return try await changing(request, token) }
    // Which records a run of pages leaves orphaned is settled by what all of its pages bring.
    let isOrphanRun = request.options.orphans != nil && request.paging != nil
    guard request.isCached, !isOrphanRun else { return try await ask(request, token) }
    guard let described = try await description(of: request, token) else {
      var answer = try await ask(request, token)
      answer.diagnostics.append(
        Diagnostic(
          .undescribedRequest, entity: name(of: request), response: request.serverRequest.urn,
          message: "the server does not say what it sends, so that its response cannot be cached"))
      return answer
    }
    guard described.cacheObstacle == nil else { return try await ask(request, token) }
    return try await CachedRequest(
      request: request, described: described, key: key(request, described), cache: cache,
      coordinator: coordinator, source: source, log: log, flights: flights
    ).answer(token)
  }

  /// The answer to a request that changes something on the server: what is stored of it is of no use any more. Rule:
  /// `cache.invalidation`.
  private func changing(_ request: PreparedRequest, _ token: RequestToken) async throws -> SourceAnswer {
    // Before: who is cancelled when the server has answered must not leave behind what has changed.
    let described = try await description(of: request, token)
    var answer = try await ask(request, token)
    guard case .response(let response) = answer.content else { return answer }
    // A session that had timed out has been renewed by now.
    let known: ServerRequest? =
      if let described { described } else { try await description(of: request, token) }
    for url in known?.invalidatedURLs(by: response) ?? [] {
      flights.outdate(url: url)
      cache.remove(url: url)
    }
    answer.diagnostics += cache.takeDiagnostics()
    return answer
  }

  /// What the server sends for a request; nil if it does not say. One that cannot say it is asked all the same: it has a
  /// session to renew, or says why.
  private func description(
    of request: PreparedRequest, _ token: RequestToken
  ) async throws(RequestFailure) -> ServerRequest? {
    let (server, serverRequest) = (request.server, request.serverRequest)
    do {
      return try await ServerCall.answer(token) { try await server.description(of: serverRequest) }
    } catch {
      try token.check()
      return nil
    }
  }

  private func ask(_ request: PreparedRequest, _ token: RequestToken) async throws -> SourceAnswer {
    var request = request
    request.isCached = false
    return try await source.answer(to: request, token)
  }

  private func key(_ request: PreparedRequest, _ described: ServerRequest) -> CacheKey {
    var mapping = mapping
    mapping.add(request.schema.tweaks)
    let entity = request.schema.entities[request.entity]
    return CacheKey(
      method: described.method, url: described.urn, entity: entity.name,
      responseKeyPath: (request.options.keyPathForResponseObject ?? entity.responseKeyPath)?.description,
      metaDataKeyPath: request.keptPart?.description, mapping: mapping.value,
      deletesOrphans: request.options.orphans != nil)
  }

  private func name(of request: PreparedRequest) -> EntityName {
    request.schema.entities[request.entity].name
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
