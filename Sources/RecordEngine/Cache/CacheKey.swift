import JSONTree
import RecordModel

/// What a stored answer is found by: two requests of the same key may be answered with one response, as far as its
/// headers allow. Rule: `cache.isolation`.
struct CacheKey: Hashable, Sendable {
  var method: String
  /// The whole address, as the server describes it.
  var url: ScalarString
  var entity: EntityName
  /// Where the items are looked for, as text; nil for the response itself.
  var responseKeyPath: ScalarString?
  /// Which part of the response is kept beside the records; nil for all of it.
  var metaDataKeyPath: ScalarString?
  /// What stands for the model that made records of the response, tweaks and the request's merge strategy included.
  var mapping: UInt64
}
