import Foundation

/// The effect of a response with status 304, or of a response to `HEAD`, on the cached response.
enum CacheValidation: Hashable, Sendable {
  /// The cached response stays valid, and is stored in this form.
  case holds(CachedResponse)
  /// The cached response is valid for this request, but must not be stored any longer.
  case holdsOnce
  /// The server refers to another response, and the cached response is removed. After a 304, the server is asked again
  /// without conditions.
  case isAnother
}

extension CachedResponse {
  /// The headers with which the server validates the response (RFC 9111, section 4.3.1). Empty if the response has no
  /// validators.
  ///
  /// They contain the values of the response unchanged. A value that the server could interpret differently is left
  /// out.
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

  /// Returns a Boolean value that indicates whether an entity tag may be sent to the server. A tag without quotes is
  /// allowed, because many servers omit the quotes and compare texts. A bare `*` would match any response, and a comma
  /// would separate two tags.
  private static func isValidator(_ tag: String) -> Bool {
    guard tag.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
    let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    if opaque.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\"") {
      return !opaque.dropFirst().dropLast().contains("\"")
    }
    return !opaque.isEmpty && opaque != "*" && !opaque.contains { "\", ".contains($0) }
  }

  /// Returns the effect of a 304 response to the ``conditions`` (RFC 9111, section 4.3.4).
  ///
  /// - Parameters:
  ///   - response: the 304 response.
  ///   - request: the original request, without the conditions.
  func validated(
    by response: ServerResponse, to request: ServerRequest, sent: Date, received: Date
  ) -> CacheValidation {
    let new = Self.keptHeaders(response.headers)
    guard isSelected(by: new) else { return .isAnother }
    // Entity tags and dates apply to one address only.
    guard response.obstacle(asAnswerTo: request, headers: headers.merging(new) { $1 }) == nil else {
      return .isAnother
    }
    return updated(new, request, sent: sent, received: received)
  }

  /// Returns the effect of a response with status 200 to `HEAD` (RFC 9111, section 4.3.5).
  ///
  /// - Parameters:
  ///   - response: the response, which has no body.
  ///   - request: the `HEAD` request. The cached response could answer it if it were a `GET`.
  func refreshed(
    by response: ServerResponse, to request: ServerRequest, sent: Date, received: Date
  ) -> CacheValidation {
    let new = Self.keptHeaders(response.headers)
    // The response comes from another address, or is another variant.
    guard response.obstacle(asAnswerTo: request, headers: headers.merging(new) { $1 }) == nil else {
      return .holds(self)
    }
    for name in ["last-modified", "content-length"] {
      if let value = new[name], HTTPText.trimmed(value) != headers[name].map(HTTPText.trimmed) {
        return .isAnother
      }
    }
    if let tag = new["etag"], Self.opaqueTag(tag) != headers["etag"].map(Self.opaqueTag) { return .isAnother }
    return updated(new, request, sent: sent, received: received)
  }

  /// Returns the response with updated headers and times (RFC 9111, section 3.2).
  private func updated(
    _ new: [String: String], _ request: ServerRequest, sent: Date, received: Date
  ) -> CacheValidation {
    // For such a request nothing is stored, not even that the response is valid.
    if RequestCacheControl(request.headers).noStore { return .holds(self) }
    var result = self
    // `Age` and `Date` describe the transfer of the first response. Those of the new response apply, even if it has
    // none.
    for name in ["age", "date"] { result.headers[name] = nil }
    result.headers.merge(new.filter { !Self.bodyNames.contains($0.key) }) { _, new in new }
    result.requestTime = sent
    result.responseTime = received
    result.selectingHeaders = Self.selectingHeaders(of: request, for: result.headers)
    return result.control.forbidsStoring || result.variesWithEverything ? .holdsOnce : .holds(result)
  }

  /// The headers that describe the body, which neither a 304 response nor a response to `HEAD` has.
  private static let bodyNames: Set = ["content-encoding", "content-length", "content-range", "content-type"]

  /// Returns a Boolean value that indicates whether a 304 response refers to this response. Entity tags are compared
  /// weakly (RFC 9110, section 8.8.3.2), because bodies are never combined.
  private func isSelected(by new: [String: String]) -> Bool {
    if let tag = new["etag"] {
      return headers["etag"].map(Self.opaqueTag) == Self.opaqueTag(tag)
    }
    // A server also responds with 304 if an older version was restored, which has another date.
    guard conditions["If-None-Match"] == nil, let modified = new["last-modified"] else { return true }
    return HTTPText.trimmed(modified) == headers["last-modified"].map(HTTPText.trimmed)
  }

  private static func opaqueTag(_ tag: String) -> String {
    let tag = HTTPText.trimmed(tag)
    return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }
}
