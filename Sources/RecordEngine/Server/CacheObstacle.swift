/// Why a response is not kept, or the cache not asked.
enum CacheObstacle: Error, Hashable, Sendable, CustomStringConvertible {
  /// Only GET asks for a list of records that may be kept.
  case method(String)
  /// The request has a condition of its own, named here: its answer may be none.
  case condition(String)
  /// The request asks for a part.
  case range
  case requestForbidsStoring
  case status(Int)
  case responseForbidsStoring
  /// `Vary: *`: no two requests are alike.
  case variesWithEverything
  /// It is not fresh, and nothing is there to ask the server with whether it still holds.
  case ofNoUse
  /// The answer is another address's.
  case redirected
  /// The response varies with a header, named here, that was not sent as the server had said.
  case sentOtherwise(String)

  var description: String {
    switch self {
    case .method("HEAD"): "a response to HEAD has no records"
    case .method(let method): "a response to \(method) is for one request alone"
    case .condition(let name): "the request has a condition of its own, \(name)"
    case .range: "the request is for a part, with Range"
    case .requestForbidsStoring: "the request has Cache-Control: no-store"
    case .status(let status): "the status is \(status); kept are 200, 203 and 204"
    case .responseForbidsStoring: "the response has Cache-Control: no-store"
    case .variesWithEverything: "the response has Vary: *"
    case .ofNoUse: "the response is not fresh, and has neither ETag nor Last-Modified to revalidate it with"
    case .redirected: "the response came over a redirect, from another address"
    case .sentOtherwise(let name):
      "the response varies with the header '\(name)', which was not sent as the server had described it"
    }
  }
}

extension ServerRequest {
  /// Why the cache stands aside: it neither answers the request nor keeps what is answered. Nil if it does not.
  var cacheObstacle: CacheObstacle? {
    // Methods are case-sensitive (RFC 9110, section 9.1).
    guard method == "GET" else { return .method(method) }
    if header("Range") != nil { return .range }
    return conditions.first.map { .condition($0) }
  }
}
