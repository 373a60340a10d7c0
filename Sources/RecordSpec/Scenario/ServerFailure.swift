/// What a request meets in place of an answer. The raw value is the code of the failure.
public enum ServerFailure: String, Hashable, Sendable, CaseIterable {
  /// The answer did not come in time.
  case timeout
  /// The device has no network.
  case offline
  /// The server's name is unknown.
  case cannotFindHost = "cannot-find-host"
  /// Nobody answers there.
  case cannotConnect = "cannot-connect"
  /// The connection ended before the answer did.
  case connectionLost = "connection-lost"
  /// There is no secure connection to the server.
  case secureConnectionFailed = "secure-connection-failed"
  /// The server says that the session has timed out.
  case sessionTimeout = "session-timeout"
}

extension ServerFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .timeout: "timeout: the answer did not come in time"
    case .offline: "offline: there is no network"
    case .cannotFindHost: "cannot-find-host: the server's name is unknown"
    case .cannotConnect: "cannot-connect: nobody answers there"
    case .connectionLost: "connection-lost: the connection ended before the answer did"
    case .secureConnectionFailed: "secure-connection-failed: there is no secure connection to the server"
    case .sessionTimeout: "session-timeout: the session has timed out"
    }
  }
}
