public import RecordModel

/// What one request does otherwise than its entity. Options are values: they travel with their request.
public struct RequestOptions: Sendable {
  /// Where the items are, instead of the entity's response key path; `"[]"` for the response object itself. Rule:
  /// `response.key-path`.
  public var keyPathForResponseObject: MappingPath?

  /// Where a response has what is not about its records, such as how many there are in all; it is looked for in an object
  /// only. Rule: `response.metadata`.
  public var keyPathForMetaData: MappingPath?

  /// Gives keys to items that have none. Rule: `identity.injected`.
  public var keyInjection: KeyInjection?

  /// Changes the dictionaries from which attributes are read. Rule: `population.hook`.
  public var prePopulation: PrePopulation?

  /// How two full dictionaries of one record are merged, instead of the entities' own. Rule: `merge.strategy`.
  public var mergeStrategy: MergeStrategy?

  /// Judges what is noticed about the response, instead of the container's debugger. Rule: `diagnostics.replace`.
  public var debugger: (any Debugger)?

  /// Which stored records are deleted because the response does not bring them. Nil, the default: none.
  /// Rule: `orphans.default`.
  public var orphans: OrphanDeletion?

  /// Answers what two full dictionaries of one record become, before ``mergeStrategy``, marshalers and entities are
  /// asked. Rule: `merge.strategy`.
  public var mergeHook: MergeHook?

  /// Whether what the response brings is saved to the store. If not, records and deletions are unsaved changes of the
  /// caller's context, beside what was changed there by hand: saving or rolling back is the caller's. The default is
  /// true. Rules: `save.persist`, `save.child`.
  ///
  /// The response is then populated over what is unsaved in the context, one response after the other, so that two such
  /// requests at once end in one record for each key. If somebody else changes the context meanwhile, it is populated once
  /// more. What the model requires is looked at by the save.
  public var automaticallyPersistsRecords = true

  /// Populates as ever, and writes nothing. The records of the result belong to a context that cannot be saved. It shows what
  /// the context of the request would show, what is unsaved there included. What a save would refuse fails the request.
  /// Rule: `request.dry-run`.
  public var isDryRun = false

  /// Whether the response is kept in the container's ``RecordCache``, and a kept one answers as long as HTTP lets it.
  /// Nil: as the entity says; it says no unless it is told otherwise. Responses that are not saved are never kept, and such
  /// requests are not answered with kept ones either. Nor are those with a ``keyInjection``, ``prePopulation`` or ``mergeHook``:
  /// to turn caching on beside one of them is told with `uncacheable-request`. Rules: `cache.off`, `cache.store`, `cache.hit`,
  /// `cache.isolation`.
  ///
  /// What is kept is not encrypted; see ``RecordCache``.
  public var isRecordLevelCachingEnabled: Bool?

  /// Whether ``RequestResult/drift`` says where the response and the model do not fit each other, failed requests included.
  /// It takes a second look at the response. The default is false. Rule: `diagnostics.drift`.
  public var reportsDrift = false

  /// How there are pages, instead of the server's way. Rule: `request.page.option`.
  public var paging: Paging?

  /// How many pages a run has at most; another one is not requested and fails with `page-limit`. The default is 10,000. Rule:
  /// `request.page.limit`.
  public var maxPages = 10_000

  /// What the request belongs to, such as a screen: requests are cancelled by domain. Rule: `request.cancel`.
  public var domain: String?

  /// The headers of the request, beside those that the server sends by itself. With conditions among them, `If-None-Match` for
  /// example, the request passes the cache by, and fails with `http-status` and status 304 where nothing was modified.
  public var headers: [String: String] = [:]

  /// How long the answer may take; nil: as long as the server lets it. The server is told, and has to keep it: `HTTPServer`
  /// does, one of your own may.
  public var timeout: Duration?

  public init() {}
}

extension PopulationOptions {
  /// What the options of a request say of its response.
  init(
    _ options: RequestOptions, transformers: [String: any RecordValueTransformer],
    _ customisation: Customisation
  ) {
    self.init()
    responseKeyPath = options.keyPathForResponseObject
    keyInjection = options.keyInjection
    prePopulation = options.prePopulation
    mergeStrategy = options.mergeStrategy
    debugger = options.debugger
    orphans = options.orphans
    mergeHook = options.mergeHook
    self.transformers = transformers
    self.customisation = customisation
  }
}

extension RequestOptions {
  /// What settles with code of the request's own which records a response becomes.
  var hooks: [String] {
    [
      keyInjection.map { _ in "keyInjection" }, prePopulation.map { _ in "prePopulation" },
      mergeHook.map { _ in "mergeHook" },
    ].compactMap(\.self)
  }
}
