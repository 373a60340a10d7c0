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

extension ServerFailure {
  /// Creates the failure for an error of `URLSession`, such as `NSURLErrorTimedOut`, `URLError.timedOut` or `-1001`.
  package init?(namedInFoundation name: String) {
    var name = name.lowercased().filter { !"._- ".contains($0) }
    for prefix in ["nsurlerror", "urlerror"] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
    switch name {
    case "timedout", "1001": self = .timeout
    case "notconnectedtointernet", "1009": self = .offline
    case "cannotfindhost", "dnslookupfailed", "1003", "1006": self = .cannotFindHost
    case "cannotconnecttohost", "1004": self = .cannotConnect
    case "networkconnectionlost", "1005": self = .connectionLost
    case "secureconnectionfailed", "1200": self = .secureConnectionFailed
    default: return nil
    }
  }
}
