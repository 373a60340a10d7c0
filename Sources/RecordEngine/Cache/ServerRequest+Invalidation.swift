extension ServerRequest {
  /// A Boolean value that indicates whether the request may change something on the server (RFC 9110, section 9.2.1).
  var isChange: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

  /// Returns the addresses whose cached responses are outdated after the server has performed the request (RFC 9111,
  /// section 4.4):
  ///
  /// - the address of the request
  /// - the address to which a redirect has sent the request, if the request was performed there
  /// - the addresses of `Location`, `Content-Location` and a redirect, if they have the same origin
  ///
  /// The result is empty for a request that changes nothing, and for a response that is an error.
  func invalidatedURLs(by response: ServerResponse) -> [String] {
    guard isChange, 200..<400 ~= response.status else { return [] }
    let sent = response.sentRequest ?? self
    // A redirect may have turned the request into a `GET`. The change was then made before the redirect, and the new
    // address shows its result.
    let changed = sent.isChange ? sent.urn : urn
    let (own, answering) = (WebAddress(changed), WebAddress(sent.urn))
    var urls = [urn]
    if changed != urn { urls.append(changed) }
    let named = ["Location", "Content-Location"].map { response.header($0) } + [response.sentRequest?.urn]
    for case let reference? in named {
      var address = answering.resolving(WebAddress(HTTPText.trimmed(reference)))
      guard address.origin == own.origin else { continue }
      // The same origin can be written in several ways. Cached responses are found by the form that the request uses.
      (address.scheme, address.authority) = (own.scheme, own.authority)
      // An empty path is the root (RFC 9110, section 4.2.3).
      if address.path.isEmpty { address.path = "/" }
      if !urls.contains(address.text) { urls.append(address.text) }
    }
    return urls
  }
}
