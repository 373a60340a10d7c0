import JSONTree
import RecordModel

/// The key of a cached response. Requests with the same key can use the same response, if they also have the headers
/// that the response varies with. Rule: `cache.isolation`.
struct CacheKey: Hashable, Sendable {
  var method: String
  /// The complete address, as the server describes it.
  var url: ScalarString
  var entity: EntityName
  /// The key path of the items as text, or nil for the response object itself.
  var responseKeyPath: ScalarString?
  /// The key path of the part of the body that is cached, or nil for the whole body.
  var metaDataKeyPath: ScalarString?
  /// The digest of everything that determines the records of the response: the model, the tweaks and the merge strategy
  /// of the request.
  var mapping: UInt64
}
