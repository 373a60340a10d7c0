package import RecordEngine
import ScenarioFormat

/// The redirects of a scenario's server, which are followed as an `HTTPServer` with the same base URL follows them.
extension ScenarioServer {
  /// Returns the response to a request, after redirects.
  package func response(to request: ServerRequest, relativeTo base: String) async throws -> ServerResponse {
    var request = request
    var redirects = 0
    var former: RequestAddress?
    var redirectMark: Int?
    while true {
      let sent = try sent(request, relativeTo: base)
      if sent.body != nil, WebAddress(sent.urn).origin != WebAddress(base).origin {
        throw RedirectFailure.untrustedOrigin
      }
      request.headers = sent.headers
      var response = try await ownResponse(to: request, relativeTo: base, redirectedFrom: former)
      guard let next = redirect(from: response, to: sent) else {
        if redirects > 0 { (response.sentRequest, response.redirectMark) = (sent, redirectMark) }
        return response
      }
      if redirects == 0 { redirectMark = response.mark }
      redirects += 1
      guard redirects <= Redirect.limit else { throw RedirectFailure.tooManyRedirects }
      former = try address(of: request, relativeTo: base)
      (request.method, request.urn, request.query) = (next.method, next.urn, [:])
      (request.body, request.headers) = (next.body, next.headers)
    }
  }

  /// Returns the request that follows a redirect, or nil if the response is not a redirect that can be followed. The
  /// engine then judges its status.
  ///
  /// - Parameter sent: the request as it was sent.
  private func redirect(from response: ServerResponse, to sent: ServerRequest) -> ServerRequest? {
    guard let location = response.header("Location"),
      let redirect = Redirect(
        status: response.status, location: location, method: sent.method, from: sent.urn),
      ["http", "https"].contains(redirect.address.scheme), redirect.address.authority?.isEmpty == false
    else { return nil }
    let staysTrusted = redirect.address.origin == WebAddress(sent.urn).origin
    return ServerRequest(
      method: redirect.method, urn: redirect.address.text, body: redirect.becomesGet ? nil : sent.body,
      headers: sent.headers.filter { redirect.keepsHeader($0.key, staysTrusted: staysTrusted) })
  }
}
