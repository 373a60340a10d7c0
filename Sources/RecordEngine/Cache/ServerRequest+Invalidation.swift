extension ServerRequest {
  /// Whether it may change something on the server (RFC 9110, section 9.2.1).
  var isChange: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

  /// The addresses of which nothing that is kept holds any longer, now that the server has done what the request asked (RFC
  /// 9111, section 4.4): its own, that of whoever has done it after a redirect, and those that the response names with
  /// `Location` and `Content-Location`, or a redirect has named, if they are of the same origin. Empty for a request that
  /// changes nothing, and for an error.
  func invalidatedURLs(by response: ServerResponse) -> [String] {
    guard isChange, 200..<400 ~= response.status else { return [] }
    let sent = response.sentRequest ?? self
    // A redirect may have made a GET of it: then it was done before, and what has come is to be seen there.
    let changed = sent.isChange ? sent.urn : urn
    let (own, answering) = (WebAddress(changed), WebAddress(sent.urn))
    var urls = [urn]
    if changed != urn { urls.append(changed) }
    let named = ["Location", "Content-Location"].map { response.header($0) } + [response.sentRequest?.urn]
    for case let reference? in named {
      var address = answering.resolving(WebAddress(HTTPText.trimmed(reference)))
      guard address.origin == own.origin else { continue }
      // The same origin may be written in several ways; what is kept is found by that of the requests.
      (address.scheme, address.authority) = (own.scheme, own.authority)
      // No path at all is the root (RFC 9110, section 4.2.3).
      if address.path.isEmpty { address.path = "/" }
      if !urls.contains(address.text) { urls.append(address.text) }
    }
    return urls
  }
}

extension WebAddress {
  /// Scheme, host and port, written in one way.
  fileprivate var origin: String {
    let scheme = (scheme ?? "").lowercased()
    var host = (authority ?? "").lowercased()
    if let user = host.lastIndex(of: "@") { host = String(host[host.index(after: user)...]) }
    let defaultPort = [("http", ":80"), ("https", ":443")].first { $0.0 == scheme }?.1
    for port in [":", defaultPort].compactMap({ $0 }) where host.hasSuffix(port) {
      host.removeLast(port.count)
    }
    return scheme + "://" + host
  }
}
