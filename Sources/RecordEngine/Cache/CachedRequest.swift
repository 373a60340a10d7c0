import Foundation
import RecordModel

/// A request that a cached response may answer, from the lookup in the cache to the answer.
struct CachedRequest: Sendable {
  let request: PreparedRequest
  /// The request as its server sends it.
  let described: ServerRequest
  let key: CacheKey
  let cache: RecordCache
  /// The value of ``RecordCache/removals`` when the request began.
  let removals: Int
  let coordinator: PersistentStoreCoordinator
  let source: any ResponseSource
  let log: RequestLog
  let coalescedRequests: CoalescedRequests

  /// A Boolean value that indicates whether the server must be asked, because its current response determines the
  /// orphans to delete. The response is cached. Rule: `cache.orphans`.
  private var mustAsk: Bool { request.options.orphans != nil }

  func answer() async throws -> RequestAnswer {
    let sharedKey = CoalescedRequests.Key(key: key, headers: described.headers)
    var mayFollow = !mustAsk
    // The request must ask the server, but does not allow it.
    if mustAsk, RequestCacheControl(described.headers).onlyIfCached { return unavailable }
    while true {
      if let answer = stored() { return answer }
      switch coalescedRequests.join(sharedKey, request, mayFollow: mayFollow) {
      case .leads(let lead):
        // The previous leader may have ended since the lookup.
        if let answer = stored() {
          lead.hasStored()
          return answer
        }
        return try await ask(lead)
      case .follows(let shared):
        // If the leader was canceled, the requests coalesce again. After any other end, each request that the cached
        // response does not answer asks the server.
        mayFollow = try await end(of: shared) == .abandoned
      }
    }
  }

  private func end(of shared: CoalescedRequest) async throws -> CoalescedRequest.End {
    let (server, serverRequest) = (request.server as? any QueueingServer, request.serverRequest)
    let end = try await shared.waitForEnd(
      request.token, isHeldBack: { server?.isHeldBack(serverRequest, behind: shared.request) },
      goesOn: { server?.goesOn(serverRequest) })
    await server?.waitForTurn(of: serverRequest)
    return end
  }

  // MARK: Cached response

  /// Returns the cached response that the request can use, or nil if the cache does not contain one.
  private func find() -> CacheRow? {
    let rows = cache.rows(for: key, generation: coordinator.store.generation)
    let row = CachedResponse.selected(from: rows, for: described) { $0.response }
    // The address of a detail request may have led to another record before.
    if let record = request.record, let row, row.records != [record] { return nil }
    if let row, row.noticed.fail(request) { return nil }
    return row
  }

  /// Returns the answer if it does not depend on the server: a cached response, or status 504 for `only-if-cached`.
  /// Rules: `cache.hit`, `cache.request`.
  private func stored() -> RequestAnswer? {
    if mustAsk { return nil }
    let row = find()
    switch CacheDecision(row?.response, for: described, now: cache.now()) {
    case .fresh: return row.flatMap { answer($0, .cache) }
    case .unavailable: return unavailable
    case .revalidate, .useless: return nil
    }
  }

  /// The answer to a request that does not allow asking the server, if no cached response answers it.
  /// Rule: `cache.request`.
  private var unavailable: RequestAnswer {
    var answer = RequestAnswer(ServerResponse(.bytes([]), status: 504))
    answer.diagnostics = cache.takeDiagnostics()
    return answer
  }

  /// Returns the answer from a cached response, or nil if it has been removed in the meantime.
  private func answer(_ row: CacheRow, _ served: Served) -> RequestAnswer? {
    guard let body = cache.body(of: row) else { return nil }
    log.answered(request.serverRequest, key.entity, served)
    cache.touch(row)
    return RequestAnswer(
      content: .records(StoredRecords(ids: row.records, saves: row.saves)), body: body,
      headers: row.response.answeredHeaders(cache.now()), served: served, cacheEntry: row.entryID,
      diagnostics: cache.takeDiagnostics())
  }

  // MARK: Server

  /// Asks the source.
  ///
  /// - Parameter lead: the leader of the requests that wait for this one. They continue when it is released.
  private func ask(_ lead: CoalescingLeader) async throws -> RequestAnswer {
    var row = find()
    var request = request
    var conditions: [String: String] = [:]
    switch CacheDecision(row?.response, for: described, now: cache.now()) {
    case .revalidate where mustAsk: break
    case .revalidate(let headers): conditions = headers
    case .useless:
      if let useless = row { cache.remove(useless) }
      row = nil
    // The cached response has been removed since the first lookup.
    case .unavailable: return unavailable
    case .fresh: break
    }
    while true {
      request.serverRequest.headers = self.request.serverRequest.headers
      for (name, value) in conditions { request.serverRequest.headers.setHeader(name, to: value) }
      let sent = cache.now()
      let answer: RequestAnswer
      do {
        answer = try await lead.asking { [request] in try await source.answer(to: request) }
      } catch {
        guard !request.token.isCancelled, !(error is SessionTimeout), let row,
          let stale = stale(row, status: nil, "\(error)")
        else { throw error }
        return stale
      }
      guard case .response(let response) = answer.content else { return answer }
      guard response.status == 304, let confirmed = row, !conditions.isEmpty else {
        return take(answer, response, sent: sent, insteadOf: row, lead)
      }
      if let answer = validated(confirmed, response, sent: sent) {
        lead.hasStored()
        return answer
      }
      // The 304 refers to another response, or the cached response has been removed.
      (row, conditions) = (nil, [:])
    }
  }

  /// Returns the answer from a cached response after the server has responded with 304. Returns nil if the 304 refers
  /// to another response, or if the cached response has been removed. Rule: `cache.revalidate`.
  private func validated(_ row: CacheRow, _ response: ServerResponse, sent: Date) -> RequestAnswer? {
    switch row.response.validated(
      by: response, to: described, sent: sent, received: cache.now())
    {
    case .holds(let response):
      cache.freshen(row, response)
      var row = row
      row.response = response
      return answer(row, .revalidated)
    case .holdsOnce:
      defer { cache.remove(row) }
      return answer(row, .revalidated)
    case .isAnother:
      cache.remove(row)
      return nil
    }
  }

  /// Returns the answer for a response that does not confirm the cached one: the response itself, or the stale cached
  /// response if the server has failed.
  private func take(
    _ answer: RequestAnswer, _ response: ServerResponse, sent: Date, insteadOf row: CacheRow?,
    _ lead: CoalescingLeader
  ) -> RequestAnswer {
    var answer = answer
    let status = response.status
    if let row, status >= 400,
      let stale = stale(row, status: status, "the server answered with status \(status)")
    {
      return stale
    }
    switch CachedResponse.kept(of: response, to: described, sent: sent, received: cache.now()) {
    case .success(let kept):
      answer.keeper = CacheWriter(kept, self, lead)
    case .failure(let obstacle):
      // The cached response is outdated if the server has sent another one, or if it no longer has one (404, 410).
      let isReplaced = status < 400 && status != 304
      if let row, isReplaced || [404, 410].contains(status) { cache.remove(row) }
      log.notKept(request.serverRequest, key.entity, "\(obstacle)")
    }
    answer.diagnostics += cache.takeDiagnostics()
    return answer
  }

  /// Returns the answer from a cached response that is no longer fresh, because the server has failed. Returns nil if
  /// the response must not be used. Rule: `cache.stale-if-error`.
  ///
  /// - Parameter status: the status of the failure, or nil if the server did not respond.
  private func stale(_ row: CacheRow, status: Int?, _ reason: String) -> RequestAnswer? {
    guard !mustAsk, row.response.standsIn(for: described, failedWith: status, cache.now()),
      var answer = answer(row, .stale)
    else { return nil }
    answer.diagnostics.append(
      Diagnostic(
        .staleResponse, entity: key.entity, response: request.serverRequest.urn,
        message: "a stale cached response was used because the server failed: \(reason)")
    )
    return answer
  }
}
