package import RecordModel

/// The handling of stored records that a response does not contain, from `orphans:`.
package struct OrphanOptions: Sendable {
  /// The stored records that the response covers.
  package enum Scope: Sendable {
    case predicate(RecordPredicate)
    /// A predicate, and the paths of the values for its `%@` in the response.
    case response(String, values: [MappingPath])
  }

  /// The maximum number of deleted orphans, or their maximum share of the stored records in the scope.
  package enum Limit: Sendable {
    case count(Int)
    case percent(Double)
  }

  /// A Boolean value that indicates whether orphans are deleted.
  package var areDeleted: Bool
  /// The stored records that the response covers; nil for all of the entity.
  package var scope: Scope?
  /// The predicate for orphans that are kept.
  package var keep: RecordPredicate?
  /// The limit of the deletion. If there are more orphans, none is deleted.
  package var limit: Limit?
  /// The number of orphans that are considered, in the order of their keys. The others are kept.
  package var stopAfter: Int?
}
