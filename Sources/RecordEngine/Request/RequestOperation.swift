import RecordModel

/// One request from its start to its result or failure.
///
/// A prepared request is *answered*, *waits* for the delivery mutex, is *populated*, and is *delivered* to its context.
/// The next step outside the caller's isolation is ``work``. Everything that accesses the context happens in `advance`,
/// in the isolation of the context. The driver of a request performs its work (``RequestPipeline/perform(_:_:)``) and
/// passes the outcome to `advance`, until the request ends. Single requests and batches differ only in the driver.
struct RequestOperation<Element: Record> {
  /// The next step, which runs outside the caller's isolation.
  private(set) var work: RequestWork
  private let request: PreparedRequest
  private let pipeline: RequestPipeline
  private let context: ManagedObjectContext

  /// Creates an operation. From then on, the request can be canceled by its domain.
  init(_ request: PreparedRequest, _ context: ManagedObjectContext, _ pipeline: RequestPipeline) {
    (self.request, self.context, self.pipeline) = (request, context, pipeline)
    work = .answer(request)
    pipeline.inFlight.begin(request.serverRequest.domain, request.token)
  }

  /// Processes the outcome of the current work.
  ///
  /// - Returns: the end of the request; nil if there is more work.
  mutating func advance(
    _ outcome: Result<RequestOutcome, any Error>
  ) -> Result<RequestResult<Element>, any Error>? {
    do {
      switch try outcome.get() {
      case .answered(let answered):
        work = context.deliveryMutex.enqueue().map { .wait($0, answered) } ?? population(of: answered)
      case .ownsMutex(let answered): work = population(of: answered)
      case .populated(let populated):
        if let result = try result(populated) { return end(.success(result)) }
        work = population(of: populated.answered)
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
  /// Returns the population of an answer, according to the current state of the context.
  private func population(of answered: AnsweredRequest) -> RequestWork {
    context.applySuccessors()
    var answered = answered
    answered.request.run.replaceRecords(context.successors.current)
    answered.request.record = answered.request.record.map(context.successors.current)
    let isSaved = request.options.automaticallyPersistsRecords
    return .populate(
      answered,
      PopulationDestination(
        purpose: request.options.isDryRun
          ? .dryRun(isSaved: isSaved) : isSaved ? .save(by: context.contextID) : .keep,
        unsaved: isSaved ? [] : context.unsavedChangeSets, revision: context.revision))
  }

  /// Returns the result; nil if the response is not saved and the context has changed since it was populated. The
  /// response then has to be populated again, because it may mention records that were inserted in the meantime.
  /// Rules: `save.child`, `save.concurrent`.
  ///
  /// - Throws: `cancelled` if the request has been canceled and nothing of it is saved yet.
  private func result(_ populated: PopulatedRequest) throws(RequestFailure) -> RequestResult<Element>? {
    let (answered, population) = (populated.answered, populated.population)
    let answer = answered.answer
    var context = context
    switch populated.destination.purpose {
    case .save where answer.storedRecords != nil: context.refreshToCurrentGeneration()
    case .save:
      context.merge(touchedRecords(population))
      // The objects of the records are created later, so their rows would be discarded as unused.
      context.forgetUnusedRows()
      if let rows = population.rows { context.adopt(rows) }
    case .dryRun(isSaved: true):
      try request.token.check()
      context = context.makeDryRun(saving: population.changes, touchedRecords(population))
    case .dryRun(isSaved: false), .keep:
      try request.token.check()
      guard populated.destination.revision == context.revision else { return nil }
      if request.options.isDryRun {
        context = context.makeDryRun(keeping: population.changes)
      } else {
        context.take(population.changes)
      }
    }
    pipeline.log.populated(populated, context)
    let ids =
      (answer.storedRecords ?? population.stored).map(context.existing)
      ?? context.existing(population.records.map(context.successors.current))
    var result = RequestResult<Element>(
      list: ResultRecords(ids, context),
      changes: population.summary,
      diagnostics: answer.diagnostics + population.diagnostics,
      drift: request.options.reportsDrift ? populated.drift : nil, headers: answer.headers,
      served: answer.served,
      pageManager: request.serverRequest.isPaged ? answered.pageManager : nil,
      mentioned: population.mentioned, replacedLists: population.replacedLists, context: context,
      body: answer.body,
      keyPathForMetaData: request.options.keyPathForMetaData)
    if pipeline.recordsProvenance, !request.options.isDryRun {
      result.provenance = ResponseProvenance(populated, results: ids)
    }
    return result
  }

  private func touchedRecords(_ population: PopulationResult) -> TouchedRecords {
    TouchedRecords(
      population.changes, known: population.known, context.schema, areObserved: context.isObserved)
  }
}
