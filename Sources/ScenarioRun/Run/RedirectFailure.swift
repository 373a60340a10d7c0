/// The error for a request that the scenario's server refuses to send. An `HTTPServer` also refuses to send it. The raw
/// value is the code of the failure.
package enum RedirectFailure: String, Error, CaseIterable {
  /// The request follows more redirects than ``Redirect/limit``.
  case tooManyRedirects = "too-many-redirects"
  /// The request has a body and is addressed to another origin than that of the base URL.
  case untrustedOrigin = "untrusted-origin"
}

extension RedirectFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooManyRedirects: "too-many-redirects: the request was redirected too often"
    case .untrustedOrigin:
      "untrusted-origin: the body is not sent to another origin than that of the base URL"
    }
  }
}
