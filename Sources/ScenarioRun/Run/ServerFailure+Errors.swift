import Foundation
import RecordEngine
package import ScenarioFormat

/// The errors of an HTTP client, which the engine uses to classify failures.
extension ServerFailure {
  private static let urlErrors: [ServerFailure: URLError.Code] = [
    .timeout: .timedOut, .offline: .notConnectedToInternet, .cannotFindHost: .cannotFindHost,
    .cannotConnect: .cannotConnectToHost, .connectionLost: .networkConnectionLost,
    .secureConnectionFailed: .secureConnectionFailed,
  ]

  /// The error that the server throws.
  package var error: any Error { Self.urlErrors[self].map { URLError($0) } ?? SessionTimeout() }

  /// Creates a failure from an error; nil for an error that no scenario's server throws.
  package init?(_ error: any Error) {
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
