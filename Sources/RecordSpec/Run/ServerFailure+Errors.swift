import Foundation
import RecordEngine

/// A scenario's server fails as one over HTTP does: the engine goes by what has failed.
extension ServerFailure {
  private static let urlErrors: [ServerFailure: URLError.Code] = [
    .timeout: .timedOut, .offline: .notConnectedToInternet, .cannotFindHost: .cannotFindHost,
    .cannotConnect: .cannotConnectToHost, .connectionLost: .networkConnectionLost,
    .secureConnectionFailed: .secureConnectionFailed,
  ]

  /// What the server throws.
  var error: any Error { Self.urlErrors[self].map { URLError($0) } ?? SessionTimeout() }

  /// Nil for what no scenario's server throws.
  init?(_ error: any Error) {
    if error is SessionTimeout {
      self = .sessionTimeout
      return
    }
    guard let code = (error as? URLError)?.code,
      let failure = Self.urlErrors.first(where: { $0.value == code })?.key
    else { return nil }
    self = failure
  }
}
