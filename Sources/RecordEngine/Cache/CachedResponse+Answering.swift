import Foundation

extension CachedResponse {
  /// Returns a Boolean value that indicates whether the response answers the request without being revalidated (RFC
  /// 9111, section 4).
  func answers(_ request: RequestCacheControl, _ now: Date) -> Bool {
    let control = control
    guard !request.noCache, !control.noCache, let age = age(now) else { return false }
    let lifetime = lifetime
    let isFresh = lifetime > age
    // An immutable response does not change while it is fresh. Its age is no reason to revalidate it (RFC 8246).
    if let maxAge = request.maxAge, age > Double(maxAge), !(isFresh && control.isImmutable) { return false }
    if let minFresh = request.minFresh, lifetime - age < Double(minFresh) { return false }
    if isFresh { return true }
    guard let maxStale = request.maxStale, !control.mustRevalidate else { return false }
    return age - lifetime <= Double(maxStale)
  }

  /// Returns the headers of an answer from the cache. `Age` contains the age in whole seconds (RFC 9111, section 4).
  func answeredHeaders(_ now: Date) -> [String: String] {
    guard let age = age(now) else { return headers }
    return headers.merging(["age": String(Int(age))]) { _, new in new }
  }

  /// Returns a Boolean value that indicates whether the response answers the request because the server has failed (RFC
  /// 5861, section 4).
  ///
  /// `stale-if-error` of the request takes precedence over that of the response. The result is false if the request or
  /// the response has `no-cache`, or if the response has `must-revalidate`.
  ///
  /// - Parameter status: the status of the failure, or nil if the server did not respond.
  func standsIn(for request: ServerRequest, failedWith status: Int?, _ now: Date) -> Bool {
    let isFailure = status.map { [500, 502, 503, 504].contains($0) } ?? true
    return isFailure && standsIn(RequestCacheControl(request.headers), now)
  }

  /// Returns a Boolean value that indicates whether a response without validators may still be used: for another, less
  /// strict request, or for this request if the server fails.
  func mayYetAnswer(_ request: RequestCacheControl, _ now: Date) -> Bool {
    isFresh(now) && !control.noCache || standsIn(request, now)
  }

  /// A Boolean value that indicates whether a request with `max-stale` may use the response although it was stale on
  /// arrival (RFC 9111, section 5.2.1.2). A response without a lifetime is not cached for such requests.
  var mayAnswerStale: Bool { lifetime > 0 && !control.noCache && !control.mustRevalidate }

  private func standsIn(_ request: RequestCacheControl, _ now: Date) -> Bool {
    let control = control
    guard !request.noCache, !control.noCache, !control.mustRevalidate, let age = age(now),
      let allowed = request.staleIfError ?? control.staleIfError
    else { return false }
    return age - lifetime <= Double(allowed)
  }
}
