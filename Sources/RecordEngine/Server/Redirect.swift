import RecordModel

/// A redirect of a request (RFC 9110, section 15.4). Servers that follow redirects share it.
package struct Redirect {
  /// The maximum number of redirects of a request.
  package static let limit = 20

  /// The absolute address of the next request.
  package let address: WebAddress
  /// The method of the next request.
  package let method: String
  /// A Boolean value that indicates whether the next request is a `GET` without a body, whatever the redirected one was.
  package let becomesGet: Bool

  /// Creates the redirect of a response, or returns nil if the status is not that of a redirect.
  ///
  /// - Parameters:
  ///   - status: the status of the response.
  ///   - location: the `Location` header of the response.
  ///   - method: the method of the request.
  ///   - address: the absolute address of the request.
  package init?(status: Int, location: String, method: String, from address: String) {
    guard Self.statuses.contains(status) else { return nil }
    becomesGet = status == 303 ? method != "HEAD" : status < 303 && method == "POST"
    self.method = becomesGet ? "GET" : method
    self.address = WebAddress(address).resolving(WebAddress(location))
  }

  private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// Returns a Boolean value that indicates whether the next request has a header of the redirected one.
  ///
  /// - Parameter staysTrusted: a Boolean value that indicates whether the next request is sent to the same origin, or
  ///   from one trusted origin to another.
  package func keepsHeader(_ name: String, staysTrusted: Bool) -> Bool {
    let isOfBody = areOneHeader(String(name.prefix(8)), "Content-")
    return !(becomesGet && isOfBody) && (staysTrusted || Self.isHarmless(name))
  }

  /// Returns a Boolean value that indicates whether a header describes only the requested data, and not the user.
  package static func isHarmless(_ name: String) -> Bool {
    [
      "Accept", "Accept-Language", "Cache-Control", "If-Match", "If-Modified-Since", "If-None-Match",
      "If-Unmodified-Since", "Pragma", "Range", "User-Agent",
    ].contains { areOneHeader($0, name) }
  }
}
