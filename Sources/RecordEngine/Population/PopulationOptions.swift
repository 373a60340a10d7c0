public import JSONTree
public import RecordModel

/// What a key injection hook is asked about. Rule: `identity.injected`.
public struct KeyInjectionItem: Sendable {
  /// The entity of the item, sub-entity chosen.
  public let entity: EntityName
  /// The item's dictionary.
  public let dictionary: JSONNode
  /// The item that this one is nested in; nil at the root.
  public let parent: ParentItem?
}

/// The item that another one is nested in.
public struct ParentItem: Sendable {
  public let entity: EntityName
  /// The key of its record, if it has a single one, in the form of a golden file.
  public let key: JSONValue?
  public let dictionary: JSONNode
}

/// What a pre-population hook may change. Rule: `population.hook`.
public struct PrePopulationItem: Sendable {
  public let entity: EntityName
  /// The dictionary that counts for the record.
  public let dictionary: JSONNode
  public let parent: ParentItem?
}

/// Answers the key of an item that has none, or nil.
///
/// It is asked while its response is populated, when nobody else can save: a save in it fails with `save-error`, and
/// waiting for a save or a request of the same container would last for ever. It may be asked several times about one item,
/// also because a response is populated again over unsaved changes, so that it must not count on former calls.
public typealias KeyInjection = @Sendable (KeyInjectionItem) -> JSONValue?

/// Answers the dictionary from which the attributes of an item are read, or nil for the one it has.
///
/// It must not save, nor wait for a save or a request; see ``KeyInjection``.
public typealias PrePopulation = @Sendable (PrePopulationItem) -> JSONValue?

/// How one response is populated.
package struct PopulationOptions: Sendable {
  package var responseKeyPath: MappingPath?
  package var keyInjection: KeyInjection?
  package var prePopulation: PrePopulation?
  package var mergeStrategy: MergeStrategy?
  /// Nil: every diagnostic is what its code says.
  package var debugger: (any Debugger)?
  package var orphans: OrphanDeletion?
  /// Which page of a run the response is; nil where it stands alone.
  package var orphanPage: OrphanPage?
  /// What has come into the store since the request was sent: the response does not know of it, so that it is no orphan.
  package var newRecords: Set<RecordID> = []
  package var mergeHook: MergeHook?
  package var transformers: [String: any RecordValueTransformer] = [:]
  package var customisation = Customisation()
  /// The record whose details were asked for.
  package var detailRecord: RecordID?
  /// Throws if the request has been cancelled. Asked before each phase.
  package var checkCancellation: @Sendable () throws(RequestFailure) -> Void = {}

  package init() {}
}
