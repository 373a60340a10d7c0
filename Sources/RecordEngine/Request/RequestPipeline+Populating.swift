import JSONTree
import RecordModel

/// From the response object to changes of the store, away from the caller.
extension RequestPipeline {
  nonisolated func populate(
    _ answer: ServerAnswer, _ destination: PopulationDestination, _ token: RequestToken
  ) async throws -> PopulatedAnswer {
    if Task.isCancelled { token.cancel() }
    if let records = answer.storedRecords {
      try token.check()
      return PopulatedAnswer(
        answer: answer, destination: destination, population: PopulationResult(stored: records.ids))
    }
    let work = { @Sendable () throws(RequestFailure) -> PopulatedAnswer in
      let drift = self.drift(of: answer)
      // From here to the save nothing waits: a request is cancelled before, or not any more.
      try token.check()
      do throws(RequestFailure) {
        let population = try self.population(of: answer, destination)
        return PopulatedAnswer(
          answer: answer, destination: destination, population: population, drift: drift)
      } catch {
        var failure = error
        failure.drift = drift
        throw failure
      }
    }
    // Items are followed depth first, which takes stack for each level; threads of the pool have little of it.
    do throws(RequestFailure) {
      guard let document = answer.document, document.depth > 24 else { return try work() }
      guard let result = await DeepStack.run(work) else {
        throw RequestFailure(
          Diagnostic(
            .unknown, entity: answer.request.schema.entities[answer.request.entity].name,
            response: answer.request.serverRequest.urn,
            message: "the system has no room for the thread that a response nested this deep takes"))
      }
      return try result.get()
    } catch var failure {
      failure.responseObject = answer.document?.root
      if failure.primary.code == .invalidResponseFormat {
        failure.responseText = answer.document.map { String(decoding: $0.bytes, as: UTF8.self) }
      }
      throw failure.following(answer.diagnostics)
    }
  }

  private func options(of request: PreparedRequest) -> PopulationOptions {
    PopulationOptions(request.options, transformers: transformers, customisation)
  }

  /// How the response fits the model, if the request asks for it. Rule: `diagnostics.drift`.
  private func drift(of answer: ServerAnswer) -> DriftReport? {
    let request = answer.request
    guard request.options.reportsDrift else { return nil }
    guard let document = answer.document else { return DriftReport() }
    var finder = DriftFinder(document, request.schema, options(of: request))
    return finder.report(
      entity: request.entity, response: request.serverRequest.urn,
      metaData: request.options.keyPathForMetaData)
  }

  private func population(
    of answer: ServerAnswer, _ destination: PopulationDestination
  ) throws(RequestFailure) -> PopulationResult {
    let request = answer.request
    var options = self.options(of: request)
    options.detailRecord = request.record
    if let page = answer.pageManager {
      options.orphanPage = request.run.orphanPage(page, isPaged: request.serverRequest.isPaged)
    }
    let settled = options
    return try coordinator.writing { () throws(RequestFailure) in
      func makePopulation(over reader: any StoreReader) -> Population {
        var options = settled
        if let new = request.run.newRecords { options.newRecords = new.ids }
        return Population(
          schema: request.schema, reader: reader, entity: request.entity,
          response: request.serverRequest.urn, options: options)
      }
      switch destination {
      case .save(let context, let levels, _):
        var population = makePopulation(over: coordinator.store)
        let before = coordinator.store.state.saves
        var result = try population.populate(answer.document)
        if !levels.isEmpty {
          result.unsaved = try restated(
            levels, answer.document, saved: population, result, makePopulation)
        }
        try population.save(result, to: coordinator.store)
        result.rows = population.savedRows(
          of: result, saves: coordinator.store.state.saves, before: before)
        coordinator.announce(result.summary, result.changes, by: context)
        return result
      case .keep(let levels, _):
        var population = makePopulation(over: try coordinator.reader(over: levels))
        return try population.populate(answer.document)
      case .show(let levels, _):
        var population = makePopulation(over: try coordinator.reader(over: levels))
        let result = try population.populate(answer.document)
        try population.check(result)
        return result
      }
    } settled: { result in
      if case .save = destination, let keeper = answer.keeper {
        let noticed = keeper.keep(
          StoredRecords(ids: result.records, saves: coordinator.store.state.saves), body: answer.body,
          noticed: result.noticed)
        // The response is saved, so that a debugger can leave out what it does not want told, and nothing else.
        result.diagnostics += settled.debugger?.judge(noticed).told ?? noticed
      }
    }
  }

  /// The unsaved changes as they are when a response has been saved.
  private func restated(
    _ levels: [UnsavedChanges], _ document: JSONDocument?, saved: Population, _ result: PopulationResult,
    _ makePopulation: (any StoreReader) -> Population
  ) throws(RequestFailure) -> [RestatedChanges] {
    var restated: [RestatedChanges] = []
    var (below, savedChanges) = (saved, result.changes)
    var reader: any StoreReader = coordinator.store
    var kept = CallerChanges()
    for level in levels {
      var graph = WorkingGraph(schema: coordinator.schema, reader: reader)
      do throws(StoreError) {
        try graph.merge(level)
        reader = GraphReader(graph)
      } catch {
        throw RequestFailure(Diagnostic(.fetchError, message: error.message))
      }
      defer { kept.merge(level.caller, coordinator.schema) }
      guard level.areOfResponses else {
        restated.append(RestatedChanges(level))
        continue
      }
      var population = makePopulation(reader)
      let populated = try population.populate(document).changes
      do throws(StoreError) {
        var changes = UnsavedChanges(populated, coordinator.schema)
        try changes.restore(kept, in: &graph)
        try graph.merge(changes, keeping: level.caller)
        restated.append(
          try RestatedChanges(
            &graph, level, keeping: kept, populated: populated, saved: savedChanges,
            pairs: population.pairs(with: below)))
      } catch {
        throw RequestFailure(Diagnostic(.fetchError, message: error.message))
      }
      (below, savedChanges) = (population, populated)
    }
    return restated
  }
}
