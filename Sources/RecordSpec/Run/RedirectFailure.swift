/// A failure of a request that the scenario's server does not send, as an HTTP client does not. The raw value is its code.
enum RedirectFailure: String, Error, CaseIterable {
  /// A chain of redirects that is too long.
  case tooManyRedirects = "too-many-redirects"
  /// A body that would be sent to another origin than that of the base URL.
  case untrustedOrigin = "untrusted-origin"
}

extension RedirectFailure: CustomStringConvertible {
  var description: String {
    switch self {
    case .tooManyRedirects: "too-many-redirects: the request was redirected too often"
    case .untrustedOrigin:
      "untrusted-origin: the body is not sent to another origin than that of the base URL"
    }
  }
}
