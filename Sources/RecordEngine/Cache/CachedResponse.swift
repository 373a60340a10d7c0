import Foundation
import JSONTree

/// What is kept of a response as HTTP sees it: enough to tell whether it still holds, and for which requests.
struct CachedResponse: Hashable, Sendable {
  var status: Int
  /// By name in lower case.
  var headers: [String: String]
  /// When the request was sent.
  var requestTime: Date
  /// When the response came, or was last found to hold.
  var responseTime: Date
  /// The headers of the request that the response depends on, as it says with `Vary`: by name in lower case, nil for one
  /// that the request did not have.
  var selectingHeaders: [String: ScalarString?]
}
