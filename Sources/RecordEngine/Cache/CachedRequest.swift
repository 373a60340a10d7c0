import Foundation
import RecordModel

/// One request that may be answered from the cache, from the look at what is stored to its answer.
struct CachedRequest: Sendable {
  let request: PreparedRequest
  /// As its server sends it.
  let described: ServerRequest
  let key: CacheKey
  let cache: RecordCache
  /// ``RecordCache/removals`` when the request began.
  let removals: Int
  let coordinator: PersistentStoreCoordinator
  let source: any ResponseSource
  let log: RequestLog
  let coalescedRequests: CoalescedRequests

  /// Who deletes what a response does not bring goes by what the server says now; what it says is stored. Rule:
  /// `cache.orphans`.
  private var mustAsk: Bool { request.options.orphans != nil }

  func answer() async throws -> RequestAnswer {
    let sharedKey = CoalescedRequests.Key(key: key, headers: described.headers)
    var mayFollow = !mustAsk
    // It has to ask, and does not want to.
    if mustAsk, RequestCacheControl(described.headers).onlyIfCached { return unavailable }
    while true {
      if let answer = stored() { return answer }
      switch coalescedRequests.join(sharedKey, request, mayFollow: mayFollow) {
      case .leads(let lead):
        // Whoever led before may have ended since.
        if let answer = stored() {
          lead.hasStored()
          return answer
        }
        return try await ask(lead)
      case .follows(let shared):
        // It may have stored what does not answer this one: then everybody asks.
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

  // MARK: What is stored

  /// What is stored for the request; nil if there is nothing.
  private func find() -> CacheRow? {
    let rows = cache.rows(for: key, generation: coordinator.store.generation)
    let row = CachedResponse.selected(from: rows, for: described) { $0.response }
    // Details that came from this address may be those of another record.
    if let record = request.record, let row, row.records != [record] { return nil }
    if let row, row.noticed.fail(request) { return nil }
    return row
  }

  /// The stored answer, if there is no need to ask. Rules: `cache.hit`, `cache.request`.
  private func stored() -> RequestAnswer? {
    if mustAsk { return nil }
    let row = find()
    switch CacheDecision(row?.response, for: described, now: cache.now()) {
    case .fresh: return row.flatMap { answer($0, .cache) }
    case .unavailable: return unavailable
    case .revalidate, .useless: return nil
    }
  }

  /// Nothing answers a request that wants no server to be asked. Rule: `cache.request`.
  private var unavailable: RequestAnswer {
    var answer = RequestAnswer(ServerResponse(.bytes([]), status: 504))
    answer.diagnostics = cache.takeDiagnostics()
    return answer
  }

  /// The answer that is stored; nil if it has gone in the meantime.
  private func answer(_ row: CacheRow, _ served: Served) -> RequestAnswer? {
    guard let body = cache.body(of: row) else { return nil }
    log.answered(request.serverRequest, key.entity, served)
    cache.touch(row)
    return RequestAnswer(
      content: .records(StoredRecords(ids: row.records, saves: row.saves)), body: body,
      headers: row.response.answeredHeaders(cache.now()), served: served,
      diagnostics: cache.takeDiagnostics())
  }

  // MARK: The server

  /// Asks the source.
  ///
  /// - Parameter lead: that of the requests that wait for this one: they go on when nobody has it any more.
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
    // What would have answered a moment ago has gone.
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
      // What the server speaks of is something else, or what it speaks of has gone.
      (row, conditions) = (nil, [:])
    }
  }

  /// What is stored, which the server has said still holds; nil if it spoke of something else. Rule: `cache.revalidate`.
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

  /// A response that is no confirmation of what is stored.
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
      // What was stored is no longer what the server says, unless it has said nothing.
      let saysOtherwise = status < 400 && status != 304
      if let row, saysOtherwise || [404, 410].contains(status) { cache.remove(row) }
      log.notKept(request.serverRequest, key.entity, "\(obstacle)")
    }
    answer.diagnostics += cache.takeDiagnostics()
    return answer
  }

  /// What is stored, though it holds no longer: the server has failed. Rule: `cache.stale-if-error`.
  ///
  /// - Parameter status: what it has answered; nil if it has not.
  private func stale(_ row: CacheRow, status: Int?, _ reason: String) -> RequestAnswer? {
    guard !mustAsk, row.response.standsIn(for: described, failedWith: status, cache.now()),
      var answer = answer(row, .stale)
    else { return nil }
    answer.diagnostics.append(
      Diagnostic(
        .staleResponse, entity: key.entity, response: request.serverRequest.urn,
        message: "a cached response that is no longer fresh has answered, since the server failed: \(reason)")
    )
    return answer
  }
}
