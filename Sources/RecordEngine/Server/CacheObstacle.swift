/// A reason for not caching a response, or for not using the cache for a request.
enum CacheObstacle: Error, Hashable, Sendable, CustomStringConvertible {
  /// The method is not `GET`. Only responses to `GET` contain records that may be cached.
  case method(String)
  /// The request has a body, so that its address does not determine the response.
  case requestBody
  /// The request has the named conditional header, so that its response may not contain the records.
  case condition(String)
  /// The request asks for a part of the response.
  case range
  case requestForbidsStoring
  case status(Int)
  case responseForbidsStoring
  /// The response has `Vary: *`, so that it matches no request.
  case variesWithEverything
  /// The response is not fresh, and has no validators to revalidate it with.
  case ofNoUse
  /// The response comes from another address.
  case redirected
  /// The response varies with the named header, which was not sent as the server had described it.
  case sentOtherwise(String)

  var description: String {
    switch self {
    case .method("HEAD"): "a response to HEAD has no records"
    case .method(let method): "a response to \(method) is only valid for one request"
    case .requestBody: "the request has a body"
    case .condition(let name): "the request has its own condition, \(name)"
    case .range: "the request has a Range header"
    case .requestForbidsStoring: "the request has Cache-Control: no-store"
    case .status(let status): "the status is \(status); only 200, 203 and 204 are cached"
    case .responseForbidsStoring: "the response has Cache-Control: no-store"
    case .variesWithEverything: "the response has Vary: *"
    case .ofNoUse: "the response is stale and has no ETag or Last-Modified to revalidate it"
    case .redirected: "the response was redirected from another address"
    case .sentOtherwise(let name):
      "the response varies with the header '\(name)', which was not sent as the server described it"
    }
  }
}

extension ServerRequest {
  /// The reason for not using the cache, or nil if it can be used. If there is one, the cache neither answers the
  /// request nor stores its response.
  var cacheObstacle: CacheObstacle? {
    // Methods are case-sensitive (RFC 9110, section 9.1).
    guard method == "GET" else { return .method(method) }
    if body != nil { return .requestBody }
    if header("Range") != nil { return .range }
    return conditions.first.map { .condition($0) }
  }
}
