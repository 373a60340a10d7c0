public import RecordModel

/// The options of one request. They are values, so changing them affects no other request.
public struct RequestOptions: Sendable {
  /// The key path of the items, instead of that of the entity; `"[]"` for the response object itself.
  /// Rule: `response.key-path`.
  public var keyPathForResponseObject: MappingPath?

  /// The key path of the part of a response that is not about its records, such as a total count. It applies only to
  /// responses that are objects. Rule: `response.metadata`.
  public var keyPathForMetaData: MappingPath?

  /// The condition under which a response states an error in spite of its status, such as `ok == false` or
  /// `errors != nil`. Such a request fails with `stated-error`, and saves nothing. Rule: `request.fail-when`.
  public var failWhen: RecordPredicate?

  /// A hook that returns keys for items that have none. Rule: `identity.injected`.
  public var keyInjection: KeyInjection?

  /// A hook that changes the dictionaries from which attributes are read. Rule: `population.hook`.
  public var prePopulation: PrePopulation?

  /// The strategy for merging two full dictionaries of one record, instead of those of the entities.
  /// Rule: `merge.strategy`.
  public var mergeStrategy: MergeStrategy?

  /// The debugger for the diagnostics of the response, instead of that of the container. Rule: `diagnostics.replace`.
  public var debugger: (any Debugger)?

  /// The deletion of stored records that the response does not mention. By default, nil: none are deleted.
  /// Rule: `orphans.default`.
  public var orphans: OrphanDeletion?

  /// A hook that merges two full dictionaries of one record. It takes precedence over ``mergeStrategy``, marshalers and
  /// entities. Rule: `merge.strategy`.
  public var mergeHook: MergeHook?

  /// A Boolean value that indicates whether the response is saved to the store. The default is true.
  ///
  /// If false, the response is populated over what the context shows, and its changes become unsaved changes, as if you had
  /// made them: <doc:Contexts#Unsaved-changes>. You save them or roll them back, and only the save validates them.
  /// Rules: `save.persist`, `save.child`.
  ///
  /// The responses of a context are populated one after the other, so two such requests at the same time produce one record
  /// for each key. If other code changes the context in the meantime, the response is populated again.
  public var automaticallyPersistsRecords = true

  /// A Boolean value that indicates whether the response is populated as usual, but nothing is written. The default is
  /// false.
  ///
  /// The records of the result belong to a context that cannot be saved. It shows what the context of the request would
  /// show, including its unsaved changes. If the response would stay unsaved, each violation of the model is a diagnostic:
  /// <doc:Requests#Dry-runs>. Rule: `request.dry-run`.
  public var isDryRun = false

  /// A Boolean value that indicates whether the response is cached in the container's ``RecordCache``, and whether a
  /// cached response can answer the request for as long as HTTP allows. If nil, the entity determines it. Entities do
  /// not cache by default.
  ///
  /// These requests do not use the cache:
  ///
  /// - requests that do not save their response
  /// - requests with a ``keyInjection``, ``prePopulation`` or ``mergeHook``; if their options also turn caching on, the
  ///   diagnostic `uncacheable-request` reports it
  ///
  /// Rules: `cache.off`, `cache.store`, `cache.hit`, `cache.isolation`.
  ///
  /// The cache is not encrypted; see ``RecordCache``.
  public var isRecordLevelCachingEnabled: Bool?

  /// A Boolean value that indicates whether ``RequestResult/drift`` reports the differences between the response and
  /// the model. Failed requests report them in ``RequestFailure/drift``. A report requires a second pass over the
  /// response. The default is false. Rule: `diagnostics.drift`.
  public var reportsDrift = false

  /// The paging, instead of that of the server. Rule: `request.page.option`.
  public var paging: Paging?

  /// The maximum number of pages in a run. A request for a further page fails with `page-limit` and is not sent. The
  /// default is 10,000. Rule: `request.page.limit`.
  public var maxPages = 10_000

  /// The domain of the request, such as a screen. Requests can be canceled by domain. Rule: `request.cancel`.
  public var domain: String?

  /// The headers of the request, in addition to those that the server sends. A request with a condition, such as
  /// `If-None-Match`, bypasses the cache. If the response is not modified, the request fails with `http-status` and the
  /// status 304.
  public var headers: [String: String] = [:]

  /// The time limit of the response; nil for the limit of the server. The server has to enforce it: `HTTPServer` does,
  /// and a server of your own has to implement it.
  public var timeout: Duration?

  /// Creates options with the default values.
  public init() {}
}

extension PopulationOptions {
  /// Creates population options from the options of a request.
  init(
    _ options: RequestOptions, transformers: [String: any RecordValueTransformer],
    _ customization: Customization
  ) {
    self.init()
    responseKeyPath = options.keyPathForResponseObject
    failWhen = options.failWhen
    keyInjection = options.keyInjection
    prePopulation = options.prePopulation
    mergeStrategy = options.mergeStrategy
    debugger = options.debugger
    orphans = options.orphans
    mergeHook = options.mergeHook
    self.transformers = transformers
    self.customization = customization
  }
}

extension RequestOptions {
  /// The names of the hooks that determine the records of the response with code of the request.
  var hooks: [String] {
    [
      keyInjection.map { _ in "keyInjection" }, prePopulation.map { _ in "prePopulation" },
      mergeHook.map { _ in "mergeHook" },
    ].compactMap(\.self)
  }
}
