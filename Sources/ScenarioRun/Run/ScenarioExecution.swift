package import Foundation
package import RecordEngine
import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// The execution of one scenario on a separate engine. It shares nothing with other scenarios and compares nothing.
///
/// It is an actor, to which the context belongs, so that requests can be in flight while the execution continues. It
/// lasts until the store is closed. Then all its objects are released, as when an app ends, and a new execution
/// continues.
package actor ScenarioExecution {
  package let scenario: Scenario
  package let server: ScenarioServer
  package let registrations: ScenarioRegistrations
  package let container: PersistentContainer
  /// The record cache; nil if nothing is cached.
  package let cache: RecordCache?
  /// The tweak file; nil if the scenario has none.
  package let tweaks: URL?
  package let context: ManagedObjectContext
  package var result: ExecutedScenario
  /// The graph as it was when it was last read as a whole. It is current between steps.
  package var graph: LabeledGraph<RecordID> {
    didSet {
      runningLabels = nil
      result.graphReadings += 1
    }
  }
  /// The current labels; nil if those of `graph` are current.
  var runningLabels: RunningLabels<RecordID>?
  /// The number of times that labels have been updated in this step.
  var labelUpdates = 0
  /// A Boolean value that indicates whether labels in this step depend on more than each record by itself.
  var needsWholeGraph = false
  let relatedTrees: Set<TreeIndex>
  /// A Boolean value that indicates whether the graph is read after each step.
  let readsGraphs: Bool
  /// The labels of the records that earlier results of this step list as deleted. A later request of a batch can delete
  /// them again, from the store.
  var deletedInStep: [RecordID: RecordLabel] = [:]
  /// The records that were deleted and not saved.
  package private(set) var unsavedDeletions = LabeledGraph<RecordID>(snapshot: GraphSnapshot(), labels: [:])
  /// The requests that have been sent and not awaited, by name.
  var pending: [String: Task<StepSnapshot, any Error>] = [:]
  /// The results of the current batch, or of the last one.
  package var batch = BatchResults()
  /// The page runs that have begun, by name.
  package var runs: [String: RecordPages<Record>] = [:]
  /// The requests without a response that have been reported since the step began.
  private var reportedRequests: Set<UnansweredRequest> = []
  /// All objects that were returned, retained as an app would retain them.
  private var held: [RecordID: Record] = [:]

  /// Runs all steps, even if some of them fail. If the engine or the harness breaks, the result contains the steps before
  /// that.
  ///
  /// - Parameters:
  ///   - recordingProvenance: a Boolean value that indicates whether the result has the provenance of the records, for
  ///     explanations.
  ///   - readingGraphs: a Boolean value that indicates whether the graph is read after each step.
  package static func execute(
    _ scenario: Scenario, on kind: StoreKind, registering registrations: ScenarioRegistrations = .init(),
    recordingProvenance: Bool = false, readingGraphs: Bool = true
  ) async -> ExecutedScenario {
    do {
      // The representations of record types apply to the model, as in an app.
      var scenario = scenario
      scenario.model = try scenario.model.represented(by: registrations.recordTypes(of: scenario.model))
      let server = ScenarioServer(scenario)
      let store = try ScenarioStore(kind, for: scenario, server.clock)
      defer { store.remove() }
      return await run(
        scenario, server, store, registrations, recordingProvenance ? ScenarioProvenance() : nil,
        readingGraphs: readingGraphs)
    } catch {
      return ExecutedScenario(snapshot: ScenarioSnapshot(), breakage: Breakage(error))
    }
  }

  /// Runs all steps and records the provenance of the records.
  package static func executeWithProvenance(_ scenario: Scenario, on kind: StoreKind) async
    -> ExecutedScenario
  {
    await execute(scenario, on: kind, recordingProvenance: true)
  }

  /// Runs all steps without reading the graph, in time that is linear in the size of the responses. The result has the
  /// failures, diagnostics, requests and drift of the steps; all its records have the label of a deleted record.
  package static func executeWithoutGraphs(_ scenario: Scenario, on kind: StoreKind) async
    -> ExecutedScenario
  {
    await execute(scenario, on: kind, readingGraphs: false)
  }

  private static func run(
    _ scenario: Scenario, _ server: ScenarioServer, _ store: ScenarioStore,
    _ registrations: ScenarioRegistrations, _ provenance: ScenarioProvenance?, readingGraphs: Bool
  ) async -> ExecutedScenario {
    var result = ExecutedScenario(snapshot: ScenarioSnapshot())
    result.provenance = provenance
    var hasEnded = false
    while !hasEnded {
      do {
        let execution = try ScenarioExecution(
          scenario, server, store, registrations, result, readingGraphs: readingGraphs)
        do {
          (result, hasEnded) = try await execution.run()
        } catch {
          await execution.endRequests()
          result = await execution.result
          throw error
        }
        // The store's files take up their space only while the store is open, so this is the time to check for room. A
        // cache write that fails for lack of room fails no step; every other write does.
        if scenario.usesCache || result.snapshot.hasFailedStep {
          result.obstacle = result.obstacle ?? withExtendedLifetime(execution) { store.problem }
        }
      } catch {
        result.snapshot.graph = result.graphs.last ?? GraphSnapshot()
        result.breakage = Breakage(TemporaryFolderProblem(error) ?? store.problem ?? error)
        return result
      }
    }
    return result
  }

  private init(
    _ scenario: Scenario, _ server: ScenarioServer, _ store: ScenarioStore,
    _ registrations: ScenarioRegistrations, _ result: ExecutedScenario, readingGraphs: Bool
  ) throws {
    readsGraphs = readingGraphs
    self.scenario = scenario
    self.server = server
    self.registrations = registrations
    self.result = result
    cache = try store.openCache()
    container = try Self.makeContainer(
      scenario, server, store, cache, registrations, recordsProvenance: result.provenance != nil)
    tweaks = store.tweaks
    context = container.makeContext()
    graph = try context.labeledGraph(scenario.model)
    relatedTrees = scenario.model.schema.relatedTrees
  }

  /// Performs the remaining steps, up to the end or until the store is to be closed.
  private func run() async throws -> (ExecutedScenario, hasEnded: Bool) {
    if result.graphs.isEmpty {
      try seed()
      guard result.findings.isEmpty else { return (result, true) }
    }
    result.graphs.append(graph.snapshot)
    result.provenance?.labels.append(graph.labels)
    for step in scenario.steps.dropFirst(result.snapshot.steps.count) {
      result.unsavedDeletions.append(unsavedDeletions.snapshot)
      if step.kind == .reopen {
        result.snapshot.steps.append(StepSnapshot(step.recorded))
        result.answers.append([])
        result.provenance?.endStep()
        return (result, false)
      }
      let before = graph
      deletedInStep = [:]
      var snapshot = try await perform(step)
      // The requests that the step released are part of it.
      await server.held.settle()
      try readGraph()
      snapshot.sortRecords()
      let journal = server.takeJournal()
      snapshot.requests = journal.map(\.request)
      result.answers.append(journal.map(\.answer))
      snapshot.unappliedKeyPaths = unappliedKeyPaths(of: step, server.takeArrays())
      // A request without a canned response is an error of the scenario, even if a cache has answered it.
      for unanswered in server.takeUnanswered() where !reportedRequests.contains(unanswered) {
        report(unanswered, at: step)
      }
      reportedRequests = []
      snapshot.statedRequests = stated(by: step)
      try checkObjects(snapshot)
      noteDeletions(before, snapshot)
      result.snapshot.steps.append(snapshot)
      result.graphs.append(graph.snapshot)
      result.provenance?.endStep()
      result.provenance?.labels.append(graph.labels)
    }
    for response in server.unused() {
      result.findings.append(
        AuthorDiagnostic(
          .unusedResponse, at: response.span, "this response was never requested",
          advice: "remove it, request it, or write 'optional: true'"))
    }
    result.snapshot.graph = graph.snapshot
    result.excuseUnsentInverses(scenario.model.schema)
    return (result, true)
  }

  /// Answers all waiting requests and waits for them to end, before the store is closed.
  private func endRequests() async {
    server.held.releaseAll()
    for (_, task) in pending.sorted(by: { $0.key < $1.key }) { _ = await task.result }
    pending = [:]
  }

  private func perform(_ step: Step) async throws -> StepSnapshot {
    var snapshot = StepSnapshot(step.recorded)
    switch step.action {
    case .request(let request): try await perform(request, of: step, in: &snapshot)
    case .page(let page): try await perform(page, of: step, in: &snapshot)
    case .nextPage(let page): try await perform(page, of: step, in: &snapshot)
    case .detail(let detail): try await perform(detail, of: step, in: &snapshot)
    case .fetchFirst(let fetchFirst): try await perform(fetchFirst, of: step, in: &snapshot)
    case .batch(let batch): try await perform(batch, in: &snapshot)
    case .await(let name): snapshot = try await answer(name) ?? snapshot
    case .cancel(let step): cancel(step)
    case .fetch(let fetch): snapshot.records = labels(of: try context.fetch(RecordFetchRequest(fetch)))
    case .change(let change): try perform(change)
    case .save: try save(in: &snapshot)
    case .rollback: try rollback()
    // A new execution continues the run.
    case .reopen: break
    case .tweak(let tweak): try perform(tweak)
    case .serialize(let response): try await perform(response, of: step, in: &snapshot)
    case .advance(let time): await advance(time)
    case .clearCache: try cache?.removeAll()
    case .call: throw Breakage("the engine has no actions to call")
    }
    return snapshot
  }

  package func report(_ unanswered: UnansweredRequest, at step: Step) {
    reportedRequests.insert(unanswered)
    result.findings.append(
      AuthorDiagnostic(.unansweredRequest, at: step.span, unanswered.message, advice: unanswered.advice))
  }

  /// Returns the requests that a step states.
  private func stated(by step: Step) -> [RequestSnapshot] {
    step.requests.compactMap { request in
      address(of: request).map { RequestSnapshot(address: $0, body: request.body) }
    }
  }

  func address(of request: RequestStep) -> RequestAddress? {
    try? RequestAddress(
      method: request.method, urn: request.urn, query: request.query, baseURL: scenario.baseURL)
  }

  private func noteDeletions(_ before: LabeledGraph<RecordID>, _ step: StepSnapshot) {
    if [.save, .rollback].contains(step.action.kind), step.failure == nil {
      unsavedDeletions = LabeledGraph(snapshot: GraphSnapshot(), labels: [:])
    }
    guard context.hasChanges else { return }
    for (id, label) in before.labels where graph.labels[id] == nil {
      unsavedDeletions.labels[id] = label
      unsavedDeletions.snapshot.records[label] = before.snapshot[label]
    }
  }

  func fail(_ snapshot: inout StepSnapshot, _ failure: RequestFailure) {
    snapshot.failure = FailureSnapshot(
      code: failure.primary.code.rawValue, number: failure.primary.code.referenceNumber,
      status: failure.status, message: ValueText.of(DiagnosticSnapshot(failure.primary)),
      others: failure.others.map(DiagnosticSnapshot.init))
    snapshot.failure?.response = failure.mark
    snapshot.diagnostics += failure.diagnostics.map(DiagnosticSnapshot.init)
    snapshot.drift = failure.drift.map { driftSnapshot($0) }
  }
}

extension ScenarioExecution {
  private static func makeContainer(
    _ scenario: Scenario, _ server: ScenarioServer, _ store: ScenarioStore,
    _ cache: RecordCache?, _ registrations: ScenarioRegistrations, recordsProvenance: Bool
  ) throws -> PersistentContainer {
    let container = try store.open(
      server: server, cache: cache, scenario.customizations, registrations,
      recordsProvenance: recordsProvenance)
    for assignment in scenario.servers {
      try container.register(assignment.baseURL.map(server.at), for: assignment.entity)
    }
    for (entity, options) in scenario.defaults {
      try container.setDefaultOptions(
        RequestOptions(options, model: scenario.model, registrations), for: entity)
    }
    if scenario.restartsAfterSessionTimeout {
      container.registerSessionTimeoutHandler { _, _ in true }
    }
    return container
  }
}

// MARK: - Objects

extension ScenarioExecution {
  func hold(_ records: [Record]) {
    for record in records { held[record.recordID] = record }
  }

  /// Checks the retained objects. The context must have one object for each record, and its objects must show the saved
  /// values. Rules: `context.identity-map`, `context.refresh`.
  private func checkObjects(_ snapshot: StepSnapshot) throws {
    guard readsGraphs else { return }
    for (id, record) in held {
      guard let other = context.record(with: id) else {
        held[id] = nil
        continue
      }
      if other === record { continue }
      // A record whose entity has changed gets a new object of the new entity's type.
      guard type(of: other) == type(of: record) else {
        held[id] = other
        continue
      }
      throw BrokenContext(
        description: "the context has two objects for the record '\(graph.labels[id] ?? "?")'")
    }
    // Cached answers populate no records. Only this context saves, so a context that has read nothing must show the
    // same records.
    let served = snapshot.served + snapshot.batch.flatMap(\.served)
    guard served.contains(where: { $0 != .network }), !context.hasChanges else { return }
    let saved = try container.makeContext().labeledGraph(scenario.model).snapshot
    guard saved == graph.snapshot else {
      throw BrokenContext(description: "the context and the store have different records")
    }
  }

  private struct BrokenContext: Error, CustomStringConvertible {
    var description: String
  }
}

extension LabeledGraph {
  package func id(_ label: RecordLabel) -> ID? { labels.first { $0.value == label }?.key }
}

extension DiagnosticSnapshot {
  package init(_ diagnostic: Diagnostic) {
    self.init(
      code: diagnostic.code.rawValue, number: diagnostic.code.referenceNumber, entity: diagnostic.entity,
      property: diagnostic.property, pointer: diagnostic.pointer?.description,
      otherPointer: diagnostic.otherPointer?.description, response: diagnostic.response,
      message: diagnostic.message)
  }
}

extension RequestFailure {
  /// The diagnostics besides the primary one: further reasons, then those about the same entities, then all others.
  fileprivate var others: [Diagnostic] {
    var others = diagnostics
    if let index = others.firstIndex(of: primary) { others.remove(at: index) }
    func isReason(_ diagnostic: Diagnostic) -> Bool {
      diagnostic.code == primary.code || diagnostic.code.severity == .failure
    }
    let entities = Set(([primary] + others.filter(isReason)).map(\.entity))
    let reasons = others.filter(isReason)
    let rest = others.filter { !isReason($0) }
    return reasons + rest.filter { entities.contains($0.entity) }
      + rest.filter { !entities.contains($0.entity) }
  }
}
