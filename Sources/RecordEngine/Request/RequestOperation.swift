import RecordModel

/// One request from its beginning to its result or failure.
///
/// A prepared request is *answered*, *waits* for its turn, is *populated*, and *delivered* to its context. What happens away
/// from the caller is the ``work`` that is due; what touches the context happens in `advance`, in the isolation of the
/// context. Whoever drives a request performs its work (``RequestPipeline/perform(_:token:)``) and hands over the outcome,
/// until there is an end: single requests and batches differ in nothing else.
struct RequestOperation<Element: Record> {
  /// What is due away from the caller.
  private(set) var work: RequestWork
  private let request: PreparedRequest
  private let pipeline: RequestPipeline
  private let context: ManagedObjectContext

  /// Begins a request: from now on it can be cancelled by its domain.
  init(_ request: PreparedRequest, _ context: ManagedObjectContext, _ pipeline: RequestPipeline) {
    (self.request, self.context, self.pipeline) = (request, context, pipeline)
    work = .answer(request)
    pipeline.inFlight.begin(request.serverRequest.domain, request.token)
  }

  /// Takes the outcome of the work that was due.
  ///
  /// - Returns: the end of the request; nil if there is further work.
  mutating func advance(
    _ outcome: Result<RequestOutcome, any Error>
  ) -> Result<RequestResult<Element>, any Error>? {
    do {
      switch try outcome.get() {
      case .answered(let answered):
        work = context.deliveryMutex.enqueue().map { .wait($0, answered) } ?? .populate(answered, destination)
      case .ownsMutex(let answered): work = .populate(answered, destination)
      case .populated(let populated):
        if let result = try result(populated) { return end(.success(result)) }
        work = .populate(populated.answered, destination)
      }
      return nil
    } catch {
      return end(.failure(pipeline.failed(error, request)))
    }
  }

  private func end(_ end: Result<RequestResult<Element>, any Error>) -> Result<
    RequestResult<Element>, any Error
  > {
    if case .populate = work { context.deliveryMutex.unlock() }
    pipeline.inFlight.end(request.token)
    return end
  }
}

// MARK: - Delivery

extension RequestOperation {
  /// Where the response is to go, as the context is now.
  private var destination: PopulationDestination {
    let isSaved = request.options.automaticallyPersistsRecords
    return PopulationDestination(
      purpose: request.options.isDryRun
        ? .dryRun(isSaved: isSaved) : isSaved ? .save(by: context.contextID) : .keep,
      unsaved: isSaved && !context.hasUnsavedResponses ? [] : context.unsavedByLevel,
      revision: context.revision)
  }

  /// The result; nil if the context has changed since, so that the response has to be populated once more: what was made
  /// there may be what the response is about. Rules: `save.child`, `save.concurrent`.
  ///
  /// - Throws: `cancelled`, if the request has been and nothing of it is saved yet.
  private func result(_ populated: PopulatedRequest) throws(RequestFailure) -> RequestResult<Element>? {
    let (answered, population) = (populated.answered, populated.population)
    let answer = answered.answer
    let former = populated.destination.revision
    var (changes, context) = (population.summary, context)
    switch populated.destination.purpose {
    case .save where answer.storedRecords != nil: context.refreshToCurrentGeneration()
    case .save:
      context.mergeResponse(
        population.changes, known: population.known,
        unsaved: former.clears == context.revision.clears ? population.unsaved : nil)
      if let rows = population.rows { context.adopt(rows) }
    case .dryRun(isSaved: true):
      guard try isCurrent(former) else { return nil }
      context = context.makeDryRun(
        saving: population.changes, known: population.known, leaving: population.unsaved)
    case .dryRun(isSaved: false):
      guard try isCurrent(former) else { return nil }
      context = context.makeDryRun()
      changes = context.take(population.changes, population.summary)
    case .keep:
      guard try isCurrent(former) else { return nil }
      changes = context.take(population.changes, population.summary)
    }
    pipeline.log.populated(populated, context)
    let records =
      answer.storedRecords.map(context.records) ?? context.records(with: context.current(population.records))
    return RequestResult(
      records: records.compactMap { $0 as? Element },
      changes: changes, diagnostics: answer.diagnostics + population.diagnostics,
      drift: populated.drift, headers: answer.headers, served: answer.served,
      pageManager: request.serverRequest.isPaged ? answered.pageManager : nil,
      brought: population.brought, body: answer.body,
      keyPathForMetaData: request.options.keyPathForMetaData)
  }

  /// Returns whether the context is still what the response was populated over.
  private func isCurrent(_ revision: ContextRevision) throws(RequestFailure) -> Bool {
    try request.token.check()
    return revision == context.revision
  }
}
