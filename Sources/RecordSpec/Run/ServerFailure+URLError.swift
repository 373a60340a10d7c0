import Foundation

/// A scenario's server fails as one over HTTP does: the engine goes by what has failed.
extension ServerFailure {
  private static let urlErrors: [ServerFailure: URLError.Code] = [
    .timeout: .timedOut, .offline: .notConnectedToInternet, .cannotFindHost: .cannotFindHost,
    .cannotConnect: .cannotConnectToHost, .connectionLost: .networkConnectionLost,
    .secureConnectionFailed: .secureConnectionFailed,
  ]

  /// Nil where it is no error of the network.
  var urlError: URLError? { Self.urlErrors[self].map { URLError($0) } }

  init?(_ error: any Error) {
    guard let code = (error as? URLError)?.code,
      let failure = Self.urlErrors.first(where: { $0.value == code })?.key
    else { return nil }
    self = failure
  }
}
