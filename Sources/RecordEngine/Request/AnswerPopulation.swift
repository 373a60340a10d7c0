import RecordModel

/// The population of one answered request, and its save if the response is saved. It runs while the write lock is held.
struct AnswerPopulation {
  private let answered: AnsweredRequest
  private let options: PopulationOptions
  private let coordinator: PersistentStoreCoordinator
  private let repeatedResponses: RepeatedResponses?

  init(_ answered: AnsweredRequest, _ options: PopulationOptions, _ pipeline: RequestPipeline) {
    self.answered = answered
    coordinator = pipeline.coordinator
    repeatedResponses = pipeline.repeatedResponses
    var options = options
    options.detailRecord = answered.request.record
    options.detailRecordReceivesKey = answered.request.serverRequest.isChange
    options.expectsItems = answered.expectsItems
    options.checkCancellation = answered.request.token.check
    options.orphanPage = answered.pageManager.map { page in
      answered.request.run.orphanPage(page, isPaged: answered.request.serverRequest.isPaged)
    }
    if answered.request.serverRequest.isPaged { options.replacedLists = answered.request.run.replacedLists }
    options.continuesRun = !answered.request.run.isBeginning
    self.options = options
  }

  func result(for destination: PopulationDestination) throws(RequestFailure) -> PopulationResult {
    try coordinator.writing { () throws(RequestFailure) in
      switch destination.purpose {
      case .save(let context): return try save(by: context)
      case .dryRun(isSaved: true):
        var populated = try populated(over: coordinator.store)
        try populated.check()
        return populated.result
      case .dryRun(isSaved: false):
        var (populated, context) = try populated(over: destination.unsaved)
        return try populated.unsavedResult(checkedIn: context)
      case .keep:
        var populated = try populated(over: destination.unsaved).response
        return populated.unsavedResult()
      }
    } settled: { result in
      if case .save = destination.purpose { notifyWriter(&result) }
    }
  }

  /// Returns the result of a response that changed nothing the last time, and changes nothing now; nil if the response has to
  /// be populated.
  func repeatedResult() throws(RequestFailure) -> PopulationResult? {
    guard let repeated = answered.repeated else { return nil }
    return try coordinator.writing { () throws(RequestFailure) in
      guard repeated.generation == coordinator.store.generation else { return nil }
      try answered.request.token.check()
      return Optional(repeated.result)
    } settled: { result in
      if var repeated = result {
        notifyWriter(&repeated)
        result = repeated
      }
    }
  }

  /// Populates the response over what its context shows.
  ///
  /// - Parameter unsaved: the unsaved changes of its context and of the parents, the root context first.
  /// - Returns: the populated response, and the records of the context without it.
  private func populated(
    over unsaved: [ChangeSet]
  ) throws(RequestFailure) -> (response: PopulatedResponse, context: WorkingGraph) {
    var graph = WorkingGraph(schema: coordinator.schema, reader: coordinator.store)
    var successors: [RecordID: RecordID] = [:]
    do {
      for (level, changes) in unsaved.enumerated() {
        if level > 0 { graph = WorkingGraph(schema: coordinator.schema, reader: graph.currentReader) }
        if changes.isEmpty { continue }
        let new = try graph.apply(changes.replacing { successors[$0] ?? $0 })
        successors.merge(new) { _, last in last }
      }
    } catch {
      throw RequestFailure(Diagnostic(.fetchError, message: error.message))
    }
    let response = try populated(over: graph.currentReader, restoring: graph.deletedRecords) {
      successors[$0] ?? $0
    }
    return (response, graph)
  }

  /// Populates the response over the records of a reader.
  ///
  /// - Parameters:
  ///   - deletedRecords: the records whose unsaved deletion an item cancels.
  ///   - current: a closure that returns the record that a record of the request has become.
  private func populated(
    over reader: any StoreReader, restoring deletedRecords: [EntityIndex: [RecordKey: RecordID]] = [:],
    current: (RecordID) -> RecordID = { $0 }
  ) throws(RequestFailure) -> PopulatedResponse {
    let request = answered.request
    var options = options
    options.detailRecord = options.detailRecord.map(current)
    options.deletedRecords = deletedRecords
    if let new = request.run.newRecords { options.newRecords = new.ids }
    let population = Population(
      schema: request.schema, reader: reader, entity: request.entity, response: request.serverRequest.urn,
      options: options)
    return try population.records(of: answered.document)
  }

  private func save(by context: ContextID) throws(RequestFailure) -> PopulationResult {
    let before = coordinator.store.generation
    var populated = try populated(over: coordinator.store)
    var result = populated.result
    let token = answered.request.token
    try populated.save(to: coordinator.store, confirming: token.commit)
    // A save that writes nothing does not call `commit`, so cancellation is checked here.
    try token.check()
    let saves = coordinator.store.generation.saves
    result.saves = saves
    result.rows = populated.savedRows(saves: saves, before: before.saves)
    coordinator.announce(result.summary, result.changes, by: context)
    repeatedResponses?.add(result, of: answered, before)
    return result
  }

  private func notifyWriter(_ result: inout PopulationResult) {
    guard let keeper = answered.answer.keeper else { return }
    let kept = keeper.keep(
      StoredRecords(ids: result.records, saves: result.saves ?? coordinator.store.generation.saves),
      body: answered.answer.body,
      noticed: result.noticed)
    result.cacheEntry = kept.entry
    // The response is already saved, so the debugger can remove diagnostics and no longer fail the request.
    result.diagnostics += options.debugger?.judge(kept.diagnostics).reported ?? kept.diagnostics
  }
}
