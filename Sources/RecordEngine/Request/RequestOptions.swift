public import RecordModel

/// What one request does otherwise than its entity. Options are values: they travel with their request.
public struct RequestOptions: Sendable {
  /// Where the items are, instead of the entity's response key path. Rule: `response.key-path`.
  public var keyPathForResponseObject: MappingPath?

  /// Gives keys to items that have none. Rule: `identity.injected`.
  public var keyInjection: KeyInjection?

  /// Changes the dictionaries from which attributes are read. Rule: `population.hook`.
  public var prePopulation: PrePopulation?

  /// How two full dictionaries of one record are merged, instead of the entities' own. Rule: `merge.strategy`.
  public var mergeStrategy: MergeStrategy?

  public init() {}
}
