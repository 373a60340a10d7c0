import Foundation

extension CachedResponse {
  /// Whether the response may answer the request without a word to the server (RFC 9111, section 4).
  func answers(_ request: RequestCacheControl, _ now: Date) -> Bool {
    let control = control
    guard !request.noCache, !control.noCache, let age = age(now) else { return false }
    let lifetime = lifetime
    let isFresh = lifetime > age
    // What does not change while it is fresh is not asked for again merely because it has some age (RFC 8246).
    if let maxAge = request.maxAge, age > Double(maxAge), !(isFresh && control.isImmutable) { return false }
    if let minFresh = request.minFresh, lifetime - age < Double(minFresh) { return false }
    if isFresh { return true }
    guard let maxStale = request.maxStale, !control.mustRevalidate else { return false }
    return age - lifetime <= Double(maxStale)
  }

  /// The headers of an answer from the cache: `Age` says how old it is, in whole seconds (RFC 9111, section 4).
  func answeredHeaders(_ now: Date) -> [String: String] {
    guard let age = age(now) else { return headers }
    return headers.merging(["age": String(Int(age))]) { _, new in new }
  }

  /// Whether the response may answer the request because the server has failed to: with a status, or nil for no answer
  /// (RFC 5861, section 4).
  ///
  /// What the request says about it counts before what the response says. `no-cache` of either, and `must-revalidate`, want
  /// the server's word or none.
  func standsIn(for request: ServerRequest, failedWith status: Int?, _ now: Date) -> Bool {
    let isFailure = status.map { [500, 502, 503, 504].contains($0) } ?? true
    return isFailure && standsIn(RequestCacheControl(request.headers), now)
  }

  /// Whether the response, though it cannot be revalidated, may yet answer: another request that is less strict, or this
  /// one if the server fails.
  func mayYetAnswer(_ request: RequestCacheControl, _ now: Date) -> Bool {
    isFresh(now) && !control.noCache || standsIn(request, now)
  }

  /// A Boolean value that indicates whether a request with `max-stale` may accept the response although it was stale on arrival
  /// (RFC 9111, section 5.2.1.2). A response without a lifetime is not kept for that.
  var mayAnswerStale: Bool { lifetime > 0 && !control.noCache && !control.mustRevalidate }

  private func standsIn(_ request: RequestCacheControl, _ now: Date) -> Bool {
    let control = control
    guard !request.noCache, !control.noCache, !control.mustRevalidate, let age = age(now),
      let allowed = request.staleIfError ?? control.staleIfError
    else { return false }
    return age - lifetime <= Double(allowed)
  }
}
