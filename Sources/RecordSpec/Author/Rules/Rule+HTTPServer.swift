extension Rule {
  static let httpserver = [
    Rule(
      "httpserver.request", .differs("Every request is a GET."), provenBy: "HTTPServerRequestTests",
      """
      A request is sent over HTTP with its method and headers. Its address is relative to the path of the base
      URL, relative to its host, or absolute. A request that is not valid in HTTP fails before anything is sent.
      """),
    Rule(
      "httpserver.parameters", provenBy: "HTTPServerRequestTests",
      """
      Parameters are sent once, in the address. The parameters of the query are sorted by name. They replace
      parameters of the same name in the address, which in turn replace parameters of the base URL.
      """),
    Rule(
      "httpserver.body", .new, provenBy: "HTTPServerRequestTests",
      """
      A body is sent as JSON, as a form or as the given bytes. Its media type is the `Content-Type`, unless the headers
      of the request or of the server contain another one. A `GET`, `HEAD` or `TRACE` request with a body fails before
      anything is sent.
      """),
    Rule(
      "httpserver.origin", .new, provenBy: "HTTPServerRedirectTests",
      """
      The server's headers, and request headers that may be secret, are sent only to the base URL's scheme, host
      and port and to trusted origins. The base URL's parameters are sent only to its own origin. A request or
      redirect that would send a body to an untrusted origin fails.
      """),
    Rule(
      "httpserver.redirect", provenBy: "HTTPServerRedirectTests",
      """
      At most 20 redirects are followed. A redirect that cannot be followed fails the request. Any other status
      below 400 also fails the request, unless it is a success or 304.
      """),
    Rule(
      "httpserver.status", provenBy: "HTTPServerTests",
      """
      The statuses that `request.failure` describes fail the request, whatever the body. A 304 is passed to the
      cache if it answers the cache's condition; otherwise it fails the request.
      """),
    Rule(
      "httpserver.session", .new, provenBy: "HTTPServerTests",
      """
      If the app identifies a response as a session timeout, the server throws `SessionTimeout`, whatever the
      status.
      """),
    Rule(
      "httpserver.failure", provenBy: "HTTPServerFailureTests",
      """
      A transport error reaches the caller as its `URLError`. Examples are a refused or interrupted connection, or
      a response that is not HTTP.
      """),
    Rule(
      "httpserver.timeout", provenBy: "HTTPServerFailureTests",
      "A request fails if it makes no progress for the duration of its timeout."),
    Rule(
      "httpserver.body-size", .new, provenBy: "HTTPServerFailureTests",
      "If a decompressed body is larger than the limit, the request fails as soon as the limit is exceeded."),
    Rule(
      "httpserver.cancel", provenBy: "HTTPServerFailureTests",
      "Canceling a request, by its task or its domain, closes its connection. The request ends once."),
  ]
}
