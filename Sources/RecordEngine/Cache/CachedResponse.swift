import Foundation
import JSONTree

/// The HTTP data of a cached response, which determines whether the response is fresh and which requests it answers.
struct CachedResponse: Hashable, Sendable {
  var status: Int
  /// The headers by name in lower case.
  var headers: [String: String]
  /// The time at which the request was sent.
  var requestTime: Date
  /// The time at which the response arrived or was last confirmed.
  var responseTime: Date
  /// The headers of the request that the response varies with (`Vary`), by name in lower case. The value is nil for a
  /// header that the request did not have.
  var selectingHeaders: [String: ScalarString?]
}
