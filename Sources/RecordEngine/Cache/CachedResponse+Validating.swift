import Foundation

/// The effect of a response of status 304, or of one to `HEAD`, on the stored response.
enum CacheValidation: Hashable, Sendable {
  /// The response holds, and is kept as it is here.
  case holds(CachedResponse)
  /// It holds for this request, and is not to be kept any longer.
  case holdsOnce
  /// The server speaks of another response: this one is dropped. After a 304 the server is asked without conditions.
  case isAnother
}

extension CachedResponse {
  /// The headers that ask the server whether the response still holds (RFC 9111, section 4.3.1); empty if it has nothing
  /// that can be asked with.
  ///
  /// They have what the response said as it said it. What could mean something else on its way back is left out.
  var conditions: [String: String] {
    var conditions: [String: String] = [:]
    if let tag = headers["etag"].map(HTTPText.trimmed), Self.isValidator(tag) {
      conditions["If-None-Match"] = tag
    }
    if date(of: "last-modified") != nil {
      conditions["If-Modified-Since"] = headers["last-modified"].map(HTTPText.trimmed)
    }
    return conditions
  }

  /// Whether an entity tag may be sent back. Many servers forget its quotes and compare texts, so that those will do; but a
  /// bare `*` would match anything, and a comma make two of one.
  private static func isValidator(_ tag: String) -> Bool {
    guard !tag.isEmpty, tag.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
    let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    if opaque.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\"") {
      return !opaque.dropFirst().dropLast().contains("\"")
    }
    return !opaque.isEmpty && opaque != "*" && !opaque.contains { "\", ".contains($0) }
  }

  /// The response after the server has answered 304 to its ``conditions`` (RFC 9111, section 4.3.4).
  ///
  /// - Parameters:
  ///   - response: The 304.
  ///   - request: The request as it was asked, without the conditions.
  func validated(
    by response: ServerResponse, to request: ServerRequest, sent: Date, received: Date
  ) -> CacheValidation {
    let new = Self.keptHeaders(response.headers)
    guard isMeant(by: new) else { return .isAnother }
    // Tags and dates say something of one address alone.
    guard response.obstacle(asAnswerTo: request, headers: headers.merging(new) { $1 }) == nil else {
      return .isAnother
    }
    return holding(new, request, sent: sent, received: received)
  }

  /// The response after the server has answered 200 to a `HEAD` (RFC 9111, section 4.3.5).
  ///
  /// - Parameters:
  ///   - response: the answer, which has no body.
  ///   - request: the `HEAD`, which the response could answer if it were a `GET`.
  func refreshed(
    by response: ServerResponse, to request: ServerRequest, sent: Date, received: Date
  ) -> CacheValidation {
    let new = Self.keptHeaders(response.headers)
    // The answer is another address's, or of another variant.
    guard response.obstacle(asAnswerTo: request, headers: headers.merging(new) { $1 }) == nil else {
      return .holds(self)
    }
    for name in ["last-modified", "content-length"] {
      if let value = new[name], HTTPText.trimmed(value) != headers[name].map(HTTPText.trimmed) {
        return .isAnother
      }
    }
    if let tag = new["etag"], Self.opaqueTag(tag) != headers["etag"].map(Self.opaqueTag) { return .isAnother }
    return holding(new, request, sent: sent, received: received)
  }

  /// The response with the headers that have come, and the age that they tell (RFC 9111, section 3.2).
  private func holding(
    _ new: [String: String], _ request: ServerRequest, sent: Date, received: Date
  ) -> CacheValidation {
    // Of such a request nothing is kept: neither that the response was found to hold.
    if RequestCacheControl(request.headers).noStore { return .holds(self) }
    var result = self
    // They tell of the first response's way. Of the 304's tells what it has itself, or that it has none.
    for name in ["age", "date"] { result.headers[name] = nil }
    result.headers.merge(new.filter { !Self.ofTheBody.contains($0.key) }) { _, new in new }
    result.requestTime = sent
    result.responseTime = received
    result.selectingHeaders = Self.selectingHeaders(of: request, for: result.headers)
    return result.control.forbidsStoring || result.variesWithEverything ? .holdsOnce : .holds(result)
  }

  /// The headers that describe the body, which neither a 304 nor the response to a `HEAD` has.
  private static let ofTheBody: Set = ["content-encoding", "content-length", "content-range", "content-type"]

  /// Whether the response is the one that a 304 has in mind. Entity tags are compared weakly (RFC 9110, section 8.8.3.2):
  /// no two bodies are ever put together.
  private func isMeant(by new: [String: String]) -> Bool {
    if let tag = new["etag"] {
      return headers["etag"].map(Self.opaqueTag) == Self.opaqueTag(tag)
    }
    // A file put back from yesterday was not modified since today either.
    guard conditions["If-None-Match"] == nil, let modified = new["last-modified"] else { return true }
    return HTTPText.trimmed(modified) == headers["last-modified"].map(HTTPText.trimmed)
  }

  private static func opaqueTag(_ tag: String) -> String {
    let tag = HTTPText.trimmed(tag)
    return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }
}
