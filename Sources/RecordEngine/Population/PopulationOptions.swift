public import JSONTree
public import RecordModel

/// The argument of a key injection hook. Rule: `identity.injected`.
public struct KeyInjectionItem: Sendable {
  /// The entity of the item, after the choice of the sub-entity.
  public let entity: EntityName
  /// The dictionary of the item.
  public let dictionary: JSONNode
  /// The item in which this one is nested; nil for an item of the list.
  public let parent: ParentItem?
}

/// An item in which another one is nested.
public struct ParentItem: Sendable {
  /// The entity of the item.
  public let entity: EntityName
  /// The key of the record, in the form of a golden file; nil unless the key is a single attribute with a value.
  public let key: JSONValue?
  /// The dictionary of the item.
  public let dictionary: JSONNode
}

/// The argument of a pre-population hook. Rule: `population.hook`.
public struct PrePopulationItem: Sendable {
  /// The entity of the record.
  public let entity: EntityName
  /// The dictionary that counts for the record.
  public let dictionary: JSONNode
  /// The item in which the record's item is nested; nil if it is not nested.
  public let parent: ParentItem?
}

/// A closure that returns the key for an item without a key, or nil if there is none. If the key consists of several
/// attributes, the closure returns an object with the missing ones by name.
///
/// The closure is called while the response is populated, with exclusive write access to the store. A save in it
/// therefore fails with `save-error`. Waiting for a save or a request of the same container never returns.
///
/// The closure can be called several times for one item, for example if the context changes while an unsaved response is
/// populated over it. It must not depend on earlier calls.
public typealias KeyInjection = @Sendable (KeyInjectionItem) -> JSONValue?

/// A closure that returns the dictionary from which the attributes of an item are read, or nil to use the item's own
/// dictionary. It is also called for an item without a key, whose record then has the key of the returned dictionary.
///
/// The closure must not save, nor wait for a save or a request; see ``KeyInjection``.
public typealias PrePopulation = @Sendable (PrePopulationItem) -> JSONValue?

/// The options for the population of one response.
package struct PopulationOptions: Sendable {
  package var responseKeyPath: MappingPath?
  package var failWhen: RecordPredicate?
  package var keyInjection: KeyInjection?
  package var prePopulation: PrePopulation?
  package var mergeStrategy: MergeStrategy?
  /// The debugger that judges the diagnostics; nil to report them unchanged.
  package var debugger: (any Debugger)?
  package var orphans: OrphanDeletion?
  /// The position of the response in a run of pages; nil if the response is not a page.
  package var orphanPage: OrphanPage?
  /// The replacing lists of the earlier pages of a run; nil if the response is not a page.
  package var replacedLists: ReplacedLists?
  /// The records that were new after the request was sent, and have been saved since. They are not orphans, because the
  /// response cannot contain them.
  package var newRecords: Set<RecordID> = []
  /// The records with unsaved deletions, by key scope and key. An item with such a key creates the record under its identifier,
  /// which cancels the deletion. Rule: `save.child`.
  var deletedRecords: [EntityIndex: [RecordKey: RecordID]] = [:]
  package var mergeHook: MergeHook?
  package var transformers: [String: any RecordValueTransformer] = [:]
  package var customization = Customization()
  /// A Boolean value that indicates whether `empty-result-set` reports a response without items.
  package var expectsItems = true
  /// A Boolean value that indicates whether the response is a page after the first of a run, which may be empty.
  package var continuesRun = false
  /// The record whose details were requested.
  package var detailRecord: RecordID?
  /// A Boolean value that indicates whether the requested record receives the key of its item, because the request has
  /// changed it on the server.
  package var detailRecordReceivesKey = false
  /// A closure that throws if the request has been canceled. Called before each phase.
  package var checkCancellation: @Sendable () throws(RequestFailure) -> Void = {}

  /// A Boolean value that indicates whether the provenance of the records is recorded.
  package var recordsProvenance = false

  package init() {}
}
