import RecordModel

/// From the answer to changes of the store, away from the caller.
extension RequestPipeline {
  func populate(
    _ answered: AnsweredRequest, _ destination: PopulationDestination
  ) async throws(RequestFailure) -> PopulatedRequest {
    let answer = answered.answer
    try answered.request.token.check()
    if let records = answer.storedRecords {
      return PopulatedRequest(
        answered: answered, destination: destination, population: PopulationResult(stored: records.ids))
    }
    do throws(RequestFailure) {
      // Items are followed depth first, which takes stack for each level; threads of the pool have little of it.
      guard let document = answer.document, document.depth > 24 else {
        return try populated(answered, destination)
      }
      let result = await DeepStack.run { () throws(RequestFailure) in
        try self.populated(answered, destination)
      }
      if let result { return try result.get() }
      throw RequestFailure(
        Diagnostic(
          .unknown, entity: answered.request.schema.entities[answered.request.entity].name,
          response: answered.request.serverRequest.urn,
          message: "the system has no room for the thread that a response nested this deep takes"))
    } catch {
      var failure = error
      failure.responseObject = answer.document?.root
      if failure.primary.code == .invalidResponseFormat {
        failure.responseText = answer.document.map { String(decoding: $0.bytes, as: UTF8.self) }
      }
      throw failure.following(answer.diagnostics)
    }
  }

  private func populated(
    _ answered: AnsweredRequest, _ destination: PopulationDestination
  ) throws(RequestFailure) -> PopulatedRequest {
    let request = answered.request
    let options = PopulationOptions(request.options, transformers: transformers, customisation)
    let drift = request.options.reportsDrift ? drift(of: answered, options) : nil
    do throws(RequestFailure) {
      let population = try AnswerPopulation(answered, options, coordinator).result(for: destination)
      return PopulatedRequest(
        answered: answered, destination: destination, population: population, drift: drift)
    } catch {
      // Whatever else is wrong: the response of a cancelled request is of no interest.
      try request.token.check()
      var failure = error
      failure.drift = drift
      throw failure
    }
  }

  /// How the response fits the model. Rule: `diagnostics.drift`.
  private func drift(of answered: AnsweredRequest, _ options: PopulationOptions) -> DriftReport {
    guard let document = answered.answer.document else { return DriftReport() }
    let request = answered.request
    var finder = DriftFinder(document, request.schema, options)
    return finder.report(
      entity: request.entity, response: request.serverRequest.urn,
      metaData: request.options.keyPathForMetaData)
  }
}

/// An answer on its way to where it goes, while nobody else writes.
private struct AnswerPopulation {
  let answered: AnsweredRequest
  let options: PopulationOptions
  let coordinator: PersistentStoreCoordinator

  init(
    _ answered: AnsweredRequest, _ options: PopulationOptions, _ coordinator: PersistentStoreCoordinator
  ) {
    (self.answered, self.coordinator) = (answered, coordinator)
    var options = options
    options.detailRecord = answered.request.record
    options.checkCancellation = answered.request.token.check
    options.orphanPage = answered.pageManager.map { page in
      answered.request.run.orphanPage(page, isPaged: answered.request.serverRequest.isPaged)
    }
    self.options = options
  }

  func result(for destination: PopulationDestination) throws(RequestFailure) -> PopulationResult {
    try coordinator.writing { () throws(RequestFailure) in
      if case .save(let context) = destination.purpose { return try save(by: context, destination.unsaved) }
      let reader = try coordinator.reader(over: destination.unsaved)
      var populated = try population(over: reader).records(of: answered.answer.document)
      if case .show = destination.purpose { try populated.check() }
      return populated.result
    } settled: { result in
      if case .save = destination.purpose { tellKeeper(&result) }
    }
  }

  private func population(over reader: any StoreReader) -> Population {
    let request = answered.request
    var options = options
    if let new = request.run.newRecords { options.newRecords = new.ids }
    return Population(
      schema: request.schema, reader: reader, entity: request.entity, response: request.serverRequest.urn,
      options: options)
  }

  private func save(
    by context: ContextID, _ levels: [UnsavedChanges]
  ) throws(RequestFailure) -> PopulationResult {
    let before = coordinator.store.generation.saves
    var populated = try population(over: coordinator.store).records(of: answered.answer.document)
    var result = populated.result
    if !levels.isEmpty { result.unsaved = try restated(levels, saved: populated) }
    let token = answered.request.token
    try populated.save(to: coordinator.store, confirming: token.commit)
    // A save that writes nothing asks nobody.
    try token.check()
    result.rows = populated.savedRows(saves: coordinator.store.generation.saves, before: before)
    coordinator.announce(result.summary, result.changes, by: context)
    return result
  }

  private func tellKeeper(_ result: inout PopulationResult) {
    guard let keeper = answered.answer.keeper else { return }
    let noticed = keeper.keep(
      StoredRecords(ids: result.records, saves: coordinator.store.generation.saves),
      body: answered.answer.body,
      noticed: result.noticed)
    // The response is saved, so that a debugger can leave out what it does not want told, and nothing else.
    result.diagnostics += options.debugger?.judge(noticed).told ?? noticed
  }

  /// The unsaved changes as they are when a response has been saved.
  private func restated(
    _ levels: [UnsavedChanges], saved: PopulatedResponse
  ) throws(RequestFailure) -> [RestatedChanges] {
    var restated: [RestatedChanges] = []
    var below = saved
    var reader: any StoreReader = coordinator.store
    var kept = CallerChanges()
    // What the response says over the level above.
    var above = UnsavedChanges()
    for (index, level) in levels.enumerated() {
      var graph = WorkingGraph(schema: coordinator.schema, reader: reader)
      do throws(StoreError) {
        var shown = graph
        try shown.merge(level)
        reader = GraphReader(shown)
        let met = level.keepingStoredRecords
        if met.caller.deleted == level.caller.deleted { graph = shown } else { try graph.merge(met) }
      } catch {
        throw RequestFailure(Diagnostic(.fetchError, message: error.message))
      }
      defer {
        kept.merge(
          level.caller.leading(to: graph.isKnown), coordinator.schema, before: graph.storedRow)
      }
      let isHiding = !level.caller.isEmpty && levels[(index + 1)...].contains(where: \.areOfResponses)
      guard level.areOfResponses || isHiding else {
        restated.append(RestatedChanges(level))
        continue
      }
      let populated = try population(over: GraphReader(graph)).records(of: answered.answer.document)
      let said = UnsavedChanges(populated.result.changes, coordinator.schema)
      defer { above = said }
      guard level.areOfResponses else {
        restated.append(RestatedChanges(level))
        continue
      }
      do throws(StoreError) {
        var changes = said
        changes.add(above, setBy: kept, coordinator.schema)
        try changes.restore(kept, in: &graph)
        try graph.merge(changes, keeping: level.caller)
        restated.append(
          try RestatedChanges(
            &graph, level, keeping: kept, populated: populated.result.changes, saved: below.result.changes,
            pairs: populated.pairs(with: below)))
      } catch {
        throw RequestFailure(Diagnostic(.fetchError, message: error.message))
      }
      below = populated
    }
    return restated
  }
}
