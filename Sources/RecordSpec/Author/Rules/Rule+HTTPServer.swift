extension Rule {
  static let httpserver = [
    Rule(
      "httpserver.request", .differs("Every request is a GET."), provenBy: "HTTPServerRequestTests",
      """
      A request is sent over HTTP with its method and headers, at its address below the path of the base URL,
      below its host, or absolute. What HTTP cannot send is refused before anything is sent.
      """),
    Rule(
      "httpserver.parameters", provenBy: "HTTPServerRequestTests",
      """
      Parameters are sent once, sorted by name: in the address, or for methods that have one in the body, as a
      form or as JSON. Those of the data take the place of the address's, and these that of the base URL's.
      """),
    Rule(
      "httpserver.origin", .new, provenBy: "HTTPServerRedirectTests",
      """
      The server's headers, its base URL's parameters and the headers of a request that could be secret go to
      the base URL's scheme, host and port, and to those trusted by name, and nowhere else. Nor does a body: a
      request or a redirect that would take it elsewhere fails.
      """),
    Rule(
      "httpserver.redirect", provenBy: "HTTPServerRedirectTests",
      """
      Redirects are followed, 20 at most. A status that is neither success nor failure nor 304 and cannot be
      followed is a failure.
      """),
    Rule(
      "httpserver.status", provenBy: "HTTPServerTests",
      """
      A status that `request.failure` names fails the request, whatever its body; 304 is handed on, and is the
      cache's or a failure.
      """
    ),
    Rule(
      "httpserver.session", .new, provenBy: "HTTPServerTests",
      "A response that the app takes for one of a session that has timed out throws that, whatever its status."
    ),
    Rule(
      "httpserver.failure", provenBy: "HTTPServerFailureTests",
      """
      What goes wrong on the way, a connection refused or cut off or an answer that is no HTTP, reaches the
      caller as the `URLError` it is.
      """),
    Rule(
      "httpserver.timeout", provenBy: "HTTPServerFailureTests",
      "A request on which nothing happens for some time fails."),
    Rule(
      "httpserver.body-size", .new, provenBy: "HTTPServerFailureTests",
      "A body that is larger than the limit, decompressed, fails the request as soon as that is known."),
    Rule(
      "httpserver.cancel", provenBy: "HTTPServerFailureTests",
      "A request that is cancelled, by its task or its domain, ends its connection, and ends once."),
  ]
}
