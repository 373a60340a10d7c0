extension Rule {
  static let httpserver = [
    Rule(
      "httpserver.request", .differs("Every request is a GET."), provenBy: "HTTPServerRequestTests",
      """
      A request is sent over HTTP with its method and headers. Its address is relative to the path of the base URL
      or to its host, or absolute. A request that HTTP cannot carry fails before anything is sent.
      """),
    Rule(
      "httpserver.parameters", provenBy: "HTTPServerRequestTests",
      """
      Parameters are sent once, sorted by name: in the address, or, for methods with a body, in the body as a form
      or as JSON. Parameters of the data replace those of the address, which replace those of the base URL.
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
      At most 20 redirects are followed. A status that is neither success, failure nor 304 and cannot be followed
      is a failure.
      """),
    Rule(
      "httpserver.status", provenBy: "HTTPServerTests",
      """
      A status that `request.failure` names fails the request, whatever its body. A 304 is passed on to the cache,
      or fails the request.
      """),
    Rule(
      "httpserver.session", .new, provenBy: "HTTPServerTests",
      "A response that the app identifies as a session timeout throws `SessionTimeout`, whatever its status."),
    Rule(
      "httpserver.failure", provenBy: "HTTPServerFailureTests",
      """
      A transport error reaches the caller as its `URLError`: a refused or interrupted connection, or a response
      that is not HTTP.
      """),
    Rule(
      "httpserver.timeout", provenBy: "HTTPServerFailureTests",
      "A request without progress for the time of its timeout fails."),
    Rule(
      "httpserver.body-size", .new, provenBy: "HTTPServerFailureTests",
      "A body that is larger than the limit after decompression fails the request as soon as that is known."),
    Rule(
      "httpserver.cancel", provenBy: "HTTPServerFailureTests",
      "Cancelling a request, by its task or its domain, closes its connection. The request ends once."),
  ]
}
