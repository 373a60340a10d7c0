import RecordModel

/// The end of a request in the caller's isolation: its context takes what has come, and there is a result.
struct RequestDelivery {
  private let context: ManagedObjectContext
  private let log: RequestLog
  private let isPersisting: Bool
  private let isDryRun: Bool

  init(_ request: PreparedRequest, _ context: ManagedObjectContext, _ log: RequestLog) {
    self.log = log
    isDryRun = request.options.isDryRun
    isPersisting = request.options.automaticallyPersistsRecords
    if isDryRun {
      self.context = isPersisting ? context.makeChild() : context.makeChildKeepingCallerChanges()
    } else {
      self.context = context
    }
  }

  /// Where the response is to go, as the context is now.
  var destination: PopulationDestination {
    if isDryRun { return .show(over: context.unsavedByLevel, version: context.version) }
    guard isPersisting else { return .keep(over: context.unsavedByLevel, version: context.version) }
    return .save(
      by: context.contextID, unsaved: context.hasUnsavedResponses ? context.unsavedByLevel : [],
      generation: context.generation)
  }

  /// The result; nil if the context has changed since, so that the response has to be populated once more: what was made
  /// there may be what the response is about. Rules: `save.child`, `save.concurrent`.
  ///
  /// - Throws: `cancelled`, if the request has been and nothing of it is saved yet.
  func result<Element: Record>(
    _ populated: PopulatedAnswer, _ token: RequestToken
  ) throws(RequestFailure) -> RequestResult<Element>? {
    let population = populated.population
    var changes = population.summary
    switch populated.destination {
    case .save where populated.answer.storedRecords != nil: context.catchUp()
    case .save(_, _, let generation):
      context.mergeResponse(
        population.changes, known: population.known,
        unsaved: generation == context.generation ? population.unsaved : nil)
      if let rows = population.rows { context.adopt(rows) }
    case .keep(_, let version), .show(_, let version):
      try token.check()
      guard version == context.version else { return nil }
      context.take(population.changes)
      changes = context.seen(changes)
    }
    let answer = populated.answer
    log.populated(answer, population, context)
    let records =
      answer.storedRecords.map(context.records) ?? context.records(with: population.records)
    return RequestResult(
      records: records.compactMap { $0 as? Element },
      changes: changes, diagnostics: answer.diagnostics + population.diagnostics,
      drift: populated.drift, headers: answer.headers,
      served: answer.served, pageManager: answer.request.serverRequest.isPaged ? answer.pageManager : nil,
      brought: population.brought, body: answer.body,
      keyPathForMetaData: answer.request.options.keyPathForMetaData)
  }
}
