import Foundation
import RecordModel

/// One request that may be answered from the cache, from the look at what is stored to its answer.
struct CachedRequest: Sendable {
  let request: PreparedRequest
  /// As its server sends it.
  let described: ServerRequest
  let key: CacheKey
  let cache: RecordCache
  let coordinator: PersistentStoreCoordinator
  let source: any ResponseSource
  let log: RequestLog
  let flights: RequestFlights
  var diagnostics: [Diagnostic] = []

  mutating func answer(_ token: RequestToken) async throws -> SourceAnswer {
    var mayFollow = true
    while true {
      if let answer = stored() { return answer }
      guard mayFollow else { return try await ask(nil, token) }
      switch flights.join(RequestFlights.Key(key: key, headers: described.headers), request.serverRequest) {
      case .leads(let lead):
        // Whoever led before may have ended since.
        if let answer = stored() {
          lead.end(with: .stored)
          return answer
        }
        return try await ask(lead, token)
      case .follows(let flight):
        // It may have stored what does not answer this one: then everybody asks.
        mayFollow = try await end(of: flight, token) == .abandoned
      }
    }
  }

  private func end(of flight: Flight, _ token: RequestToken) async throws -> Flight.End {
    let (server, serverRequest) = (request.server as? any QueueingServer, request.serverRequest)
    return try await flight.waitForEnd(
      token, isHeldBack: { server?.isHeldBack(serverRequest, behind: flight.request) }, goesOn: { server?.goesOn(serverRequest) })
  }

  // MARK: What is stored

  /// What is stored for the request; nil if there is nothing.
  private mutating func find() -> RecordCache.Found? {
    let (found, diagnostics) = cache.find(key, for: described, coordinator.store.state)
    self.diagnostics += diagnostics
    // The details of another record that has had this address.
    if let record = request.record, let found, found.entry.records != [record] { return nil }
    return found
  }

  /// The stored answer, if there is no need to ask. Rules: `cache.hit`, `cache.request`.
  private mutating func stored() -> SourceAnswer? {
    let found = find()
    switch CacheDecision(found?.entry.response, for: described, now: cache.now()) {
    case .fresh: return found.map { answer($0, .cache) }
    case .unavailable:
      return SourceAnswer(
        content: .response(ServerResponse(.bytes([]), status: 504)), diagnostics: diagnostics)
    case .revalidate, .useless, .standAside: return nil
    }
  }

  private func answer(_ found: RecordCache.Found, _ served: Served) -> SourceAnswer {
    log.answered(request.serverRequest, key.entity, served)
    cache.touch(found.id)
    return SourceAnswer(
      content: .records(
        found.entry.records, body: ResponseBody(unread: found.entry.body), headers: found.entry.response.headers),
      served: served, diagnostics: diagnostics)
  }

  // MARK: The server

  /// Asks the source.
  ///
  /// - Parameter lead: that of the requests that wait for this one; nil if none does.
  private mutating func ask(_ lead: FlightLead?, _ token: RequestToken) async throws -> SourceAnswer {
    var found = find()
    var request = request
    request.isCached = false
    var conditions: [String: String] = [:]
    switch CacheDecision(found?.entry.response, for: described, now: cache.now()) {
    case .revalidate(let headers): conditions = headers
    case .useless:
      if let useless = found { diagnostics += cache.remove(useless.id) }
      found = nil
    case .fresh, .unavailable, .standAside: break
    }
    while true {
      for (name, value) in conditions { request.serverRequest.headers.setHeader(name, to: value) }
      let sent = cache.now()
      let answer: SourceAnswer
      do {
        answer = try await source.answer(to: request, token)
      } catch {
        guard !token.isCancelled else { throw error }
        lead?.end(with: .notStored)
        guard let found, !(error is SessionTimeout), let stale = stale(found, status: nil, "\(error)") else {
          throw error
        }
        return stale
      }
      guard case .response(let response) = answer.content else { return answer }
      guard response.status == 304, let confirmed = found, !conditions.isEmpty else {
        return take(answer, response, sent: sent, instead: found, lead)
      }
      switch confirmed.entry.response.validated(
        by: response.headers, to: described, sent: sent, received: cache.now())
      {
      case .holds(let refreshed):
        diagnostics += cache.refresh(confirmed.id, refreshed)
        lead?.end(with: .stored)
        return self.answer(confirmed.with(refreshed), .revalidated)
      case .holdsOnce:
        diagnostics += cache.remove(confirmed.id)
        lead?.end(with: .notStored)
        return self.answer(confirmed, .revalidated)
      case .isAnother:
        diagnostics += cache.remove(confirmed.id)
        request.serverRequest.headers = self.request.serverRequest.headers
        (found, conditions) = (nil, [:])
      }
    }
  }

  /// A response that is no confirmation of what is stored.
  private mutating func take(
    _ answer: SourceAnswer, _ response: ServerResponse, sent: Date, instead found: RecordCache.Found?,
    _ lead: FlightLead?
  ) -> SourceAnswer {
    var answer = answer
    let status = response.status
    if let found, status >= 400,
      let stale = stale(found, status: status, "the server answered with status \(status)")
    {
      lead?.end(with: .notStored)
      return stale
    }
    switch CachedResponse.kept(of: response, to: described, sent: sent, received: cache.now()) {
    case .success(let kept):
      answer.keeper = CacheKeeper(kept, key, request.keptPart, cache, coordinator, lead)
    case .failure(let obstacle):
      // What was stored is no longer what the server says.
      if let found, status < 400 || [404, 410].contains(status) { diagnostics += cache.remove(found.id) }
      log.notKept(request.serverRequest, key.entity, "\(obstacle)")
      lead?.end(with: .notStored)
    }
    answer.diagnostics += diagnostics
    return answer
  }

  /// What is stored, though it holds no longer: the server has failed. Rule: `cache.stale-if-error`.
  ///
  /// - Parameter status: what it has answered; nil if it has not.
  private func stale(_ found: RecordCache.Found, status: Int?, _ reason: String) -> SourceAnswer? {
    guard found.entry.response.standsIn(for: described, failedWith: status, cache.now()) else { return nil }
    var answer = answer(found, .stale)
    answer.diagnostics.append(
      Diagnostic(
        .staleResponse, entity: key.entity, response: request.serverRequest.urn,
        message: "a cached response that is no longer fresh has answered, since the server failed: \(reason)"))
    return answer
  }
}
