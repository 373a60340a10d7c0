/// A failure that replaces the response to a request. The raw value is its code.
package enum ServerFailure: String, Hashable, Sendable, CaseIterable {
  /// A response that did not arrive in time.
  case timeout
  /// A device without a network connection.
  case offline
  /// An unknown server name.
  case cannotFindHost = "cannot-find-host"
  /// A server that does not accept the connection.
  case cannotConnect = "cannot-connect"
  /// A connection that ended before the response did.
  case connectionLost = "connection-lost"
  /// A secure connection that cannot be established.
  case secureConnectionFailed = "secure-connection-failed"
  /// A session that has timed out, as the server reports.
  case sessionTimeout = "session-timeout"
}

extension ServerFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .timeout: "timeout: the request timed out"
    case .offline: "offline: no network connection"
    case .cannotFindHost: "cannot-find-host: the server name cannot be resolved"
    case .cannotConnect: "cannot-connect: the server refused the connection"
    case .connectionLost: "connection-lost: the connection was lost during the response"
    case .secureConnectionFailed: "secure-connection-failed: the secure connection could not be established"
    case .sessionTimeout: "session-timeout: the session has timed out"
    }
  }
}
