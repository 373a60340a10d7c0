import RecordModel

/// The population of one answered request, and its save if the response is saved. It runs while the write lock is held.
struct AnswerPopulation {
  private let answered: AnsweredRequest
  private let options: PopulationOptions
  let coordinator: PersistentStoreCoordinator

  init(
    _ answered: AnsweredRequest, _ options: PopulationOptions, _ coordinator: PersistentStoreCoordinator
  ) {
    (self.answered, self.coordinator) = (answered, coordinator)
    var options = options
    options.detailRecord = answered.request.record
    options.expectsItems = answered.expectsItems
    options.checkCancellation = answered.request.token.check
    options.orphanPage = answered.pageManager.map { page in
      answered.request.run.orphanPage(page, isPaged: answered.request.serverRequest.isPaged)
    }
    self.options = options
  }

  func result(for destination: PopulationDestination) throws(RequestFailure) -> PopulationResult {
    try coordinator.writing { () throws(RequestFailure) in
      switch destination.purpose {
      case .save(let context): return try save(by: context, destination.unsaved)
      case .dryRun(isSaved: true):
        var saved = try populatedOverStore(destination.unsaved)
        try saved.response.check()
        return saved.result
      case .dryRun(isSaved: false):
        var populated = try populated(over: destination.unsaved)
        try populated.check(
          in: shown(destination.unsaved, adding: populated.result.changes),
          before: shown(destination.unsaved, adding: ChangeSet()))
        return populated.unsavedResult()
      case .keep:
        var populated = try populated(over: destination.unsaved)
        return populated.unsavedResult()
      }
    } settled: { result in
      if case .save = destination.purpose { notifyWriter(&result) }
    }
  }

  /// Populates the response over unsaved changes.
  ///
  /// - Parameter levels: the unsaved changes of its context and of the parents, the root context first.
  private func populated(over levels: [UnsavedChanges]) throws(RequestFailure) -> PopulatedResponse {
    var reader: any StoreReader = coordinator.store
    do {
      for level in levels.dropLast() where !level.isEmpty {
        reader = try level.shownWithDeleted(level.graphOfResponses(coordinator.schema, reader))
      }
      if let level = levels.last, !level.isEmpty {
        reader = try level.foundByUnsaved(
          coordinator.schema, tweaked: answered.request.schema, reader)
      }
    } catch {
      throw RequestFailure(Diagnostic(.fetchError, message: error.message))
    }
    return try populated(over: reader, options)
  }

  /// Returns the records as the context would show them with the changes of the response.
  ///
  /// - Parameter levels: the unsaved changes of its context and of the parents, the root context first.
  private func shown(
    _ levels: [UnsavedChanges], adding changes: ChangeSet
  ) throws(RequestFailure) -> WorkingGraph {
    do {
      return try UnsavedChanges.shown(
        levels, adding: ResponseChanges(changes, coordinator.schema), coordinator.schema, coordinator.store)
    } catch {
      throw RequestFailure(Diagnostic(.fetchError, message: error.message))
    }
  }

  /// Populates the response over the store, as a save does, and restates the unsaved changes.
  private func populatedOverStore(
    _ levels: [UnsavedChanges]
  ) throws(RequestFailure) -> (response: PopulatedResponse, result: PopulationResult) {
    let response = try populated(over: coordinator.store, options)
    var result = response.result
    if !levels.isEmpty {
      let restated = try UnsavedLevels.restated(levels, over: response, of: self)
      (result.unsaved, result.counterparts) = (restated.levels, restated.counterparts)
    }
    return (response, result)
  }

  private func populated(
    over reader: any StoreReader, _ options: PopulationOptions
  ) throws(RequestFailure) -> PopulatedResponse {
    let request = answered.request
    var options = options
    let earlier = request.run.earlierUnsavedRecords
    if let new = request.run.newRecords { options.newRecords = new.ids.subtracting(earlier) }
    if !request.options.automaticallyPersistsRecords { options.earlierUnsavedRecords = earlier }
    let population = Population(
      schema: request.schema, reader: reader, entity: request.entity, response: request.serverRequest.urn,
      options: options)
    return try population.records(of: answered.answer.document)
  }

  /// Populates the response again, over other records.
  ///
  /// The debugger is not called again, because it has already judged the response.
  ///
  /// - Parameter decisions: the earlier decisions about orphans, which still apply; nil to delete no orphans.
  func populatedAgain(
    over reader: any StoreReader, _ decisions: OrphanDecisions?
  ) throws(RequestFailure) -> PopulatedResponse {
    var options = options
    options.debugger = nil
    options.orphans = decisions.flatMap { options.orphans?.repeating($0) }
    return try populated(over: reader, options)
  }

  private func save(
    by context: ContextID, _ levels: [UnsavedChanges]
  ) throws(RequestFailure) -> PopulationResult {
    let before = coordinator.store.generation.saves
    var (populated, result) = try populatedOverStore(levels)
    let token = answered.request.token
    try populated.save(to: coordinator.store, confirming: token.commit)
    // A save that writes nothing does not call `commit`, so cancellation is checked here.
    try token.check()
    result.rows = populated.savedRows(saves: coordinator.store.generation.saves, before: before)
    coordinator.announce(result.summary, result.changes, by: context)
    return result
  }

  private func notifyWriter(_ result: inout PopulationResult) {
    guard let keeper = answered.answer.keeper else { return }
    let kept = keeper.keep(
      StoredRecords(ids: result.records, saves: coordinator.store.generation.saves),
      body: answered.answer.body,
      noticed: result.noticed)
    result.cacheEntry = kept.entry
    // The response is already saved, so the debugger can remove diagnostics and no longer fail the request.
    result.diagnostics += options.debugger?.judge(kept.diagnostics).reported ?? kept.diagnostics
  }
}
