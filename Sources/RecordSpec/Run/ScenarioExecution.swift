import Foundation
import RecordEngine
import RecordModel

/// Runs one scenario against an engine of its own. Nothing is shared with other scenarios, and nothing is compared.
///
/// It is an actor so that requests can be under way while it goes on: the context belongs to it. It lasts until the store
/// is closed: then all that it holds goes, as when an app ends, and another one goes on.
package actor ScenarioExecution {
  let scenario: Scenario
  let server: ScenarioServer
  let container: PersistentContainer
  /// The file of tweaks; nil if the scenario has none.
  let tweaks: URL?
  let context: ManagedObjectContext
  var result: ExecutedScenario
  /// The graph as it is now.
  var graph: LabelledGraph<RecordID>
  /// The records that were deleted and not saved.
  private var unsavedDeletions = LabelledGraph<RecordID>(snapshot: GraphSnapshot(), labels: [:])
  /// The requests that have been sent and are yet to be awaited.
  private var underway: [String: Task<StepSnapshot, any Error>] = [:]
  /// Every object that was handed out, held as an app would hold it.
  private var held: [RecordID: Record] = [:]

  /// Runs all steps, whatever fails on the way.
  package static func execute(_ scenario: Scenario, on kind: StoreKind) async -> ExecutedScenario {
    do {
      let store = try ScenarioStore(kind, for: scenario)
      defer { store.remove() }
      let server = ScenarioServer(baseURL: scenario.baseURL, addresses: scenario.responses)
      var result = ExecutedScenario(snapshot: ScenarioSnapshot())
      var hasEnded = false
      while !hasEnded {
        let execution = try ScenarioExecution(scenario, server, store, result)
        do {
          (result, hasEnded) = try await execution.run()
        } catch {
          await execution.endRequests()
          throw error
        }
      }
      return result
    } catch {
      return ExecutedScenario(snapshot: ScenarioSnapshot(), breakage: "\(error)")
    }
  }

  private init(
    _ scenario: Scenario, _ server: ScenarioServer, _ store: ScenarioStore, _ result: ExecutedScenario
  ) throws {
    self.scenario = scenario
    self.server = server
    self.result = result
    container = try store.open(server: server)
    tweaks = store.tweaks
    context = container.makeContext()
    graph = try context.labelledGraph(scenario.model)
  }

  /// Performs the steps that are left, up to the end or until the store is to be closed.
  private func run() async throws -> (ExecutedScenario, hasEnded: Bool) {
    if result.graphs.isEmpty {
      try seed()
      guard result.findings.isEmpty else { return (result, true) }
    }
    result.graphs.append(graph.snapshot)
    for step in scenario.steps.dropFirst(result.snapshot.steps.count) {
      result.unsavedDeletions.append(unsavedDeletions.snapshot)
      if case .reopen = step.action {
        result.snapshot.steps.append(StepSnapshot(.reopen))
        return (result, false)
      }
      let before = graph
      let snapshot = try await perform(step)
      try checkObjects()
      noteDeletions(before, snapshot)
      result.snapshot.steps.append(snapshot)
      result.graphs.append(graph.snapshot)
    }
    for response in server.unused() {
      result.findings.append(
        AuthorDiagnostic(
          .unusedResponse, at: response.span, "nobody asked for this response",
          advice: "remove it, request it, or write 'optional: true'"))
    }
    result.snapshot.graph = graph.snapshot
    return (result, true)
  }

  /// Lets go what still waits for an answer, and sees it end before the store does.
  private func endRequests() async {
    await server.held.releaseAll()
    for (_, task) in underway.sorted(by: { $0.key < $1.key }) { _ = await task.result }
    underway = [:]
  }

  private func perform(_ step: Step) async throws -> StepSnapshot {
    switch step.action {
    case .request(let request): try await perform(request, step)
    case .await(let name): try await answer(name)
    case .fetch(let fetch): try perform(fetch)
    case .change(let change): try perform(change)
    case .save: try save()
    case .rollback: try rollback()
    case .reopen: StepSnapshot(.reopen)
    case .tweak(let tweak): try perform(tweak)
    case .serialize(let response): try await perform(response)
    }
  }

  private func noteDeletions(_ before: LabelledGraph<RecordID>, _ step: StepSnapshot) {
    if [.save, .rollback].contains(step.action), step.failure == nil {
      unsavedDeletions = LabelledGraph(snapshot: GraphSnapshot(), labels: [:])
    }
    guard context.hasChanges else { return }
    for (id, label) in before.labels where graph.labels[id] == nil {
      unsavedDeletions.labels[id] = label
      unsavedDeletions.snapshot.records[label] = before.snapshot[label]
    }
  }

  private func fail(_ snapshot: inout StepSnapshot, _ failure: RequestFailure) {
    snapshot.failure = FailureSnapshot(
      code: failure.primary.code.rawValue, number: failure.primary.code.referenceNumber,
      status: failure.status)
    snapshot.diagnostics = failure.diagnostics.map(DiagnosticSnapshot.init)
    result.failureMessages[result.snapshot.steps.count] = failure.description
  }
}

// MARK: - Requests and fetches

extension ScenarioExecution {
  private func perform(_ request: RequestStep, _ step: Step) async throws -> StepSnapshot {
    let action = StepSnapshot.Action.request(
      request.entity, method: request.method, urn: request.urn, name: request.name)
    guard let name = request.name else { return try await send(request, StepSnapshot(action), step) }
    let snapshot = StepSnapshot(.await(name))
    underway[name] = Task {
      do {
        let answer = try await HeldRequests.$name.withValue(name) {
          try await self.send(request, snapshot, step)
        }
        await server.held.noteArrival(of: name)
        return answer
      } catch {
        await server.held.noteArrival(of: name)
        throw error
      }
    }
    await server.held.arrival(of: name)
    return StepSnapshot(action)
  }

  /// Lets a request that is under way be answered, and waits for what comes of it.
  private func answer(_ name: String) async throws -> StepSnapshot {
    await server.held.release(name)
    // The reader of steps has seen to it that there is one.
    guard let task = underway.removeValue(forKey: name) else { return StepSnapshot(.await(name)) }
    let snapshot = try await task.value
    await server.held.forget(name)
    return snapshot
  }

  private func send(
    _ request: RequestStep, _ empty: StepSnapshot, _ step: Step
  ) async throws -> StepSnapshot {
    var snapshot = empty
    do {
      let answer = try await container.perform(
        RecordRequest(
          entity: request.entity, method: request.method, urn: request.urn, data: request.data,
          options: RequestOptions(request.options, model: scenario.model)),
        context: context)
      try take(answer, into: &snapshot)
    } catch let failure as RequestFailure {
      fail(&snapshot, failure)
      // Whatever a failure has left behind is to be seen.
      graph = try context.labelledGraph(scenario.model)
    } catch let unanswered as ScenarioServer.UnansweredRequest {
      snapshot.failure = FailureSnapshot(code: "unanswered-request")
      let advice = unanswered.nearest.map { "'\($0)'" }.joined(separator: ", ")
      result.findings.append(
        AuthorDiagnostic(
          .unansweredRequest, at: step.span, unanswered.message,
          advice: advice.isEmpty ? "add a response for it" : "the nearest canned addresses are \(advice)"))
    }
    return snapshot
  }

  /// Notes what a response has come to.
  private func take(_ answer: RequestResult<Record>, into snapshot: inout StepSnapshot) throws {
    let before = graph
    graph = try context.labelledGraph(scenario.model)
    hold(answer.records)
    snapshot.records = answer.records.compactMap { graph.labels[$0.recordID] }
    set(answer.changes, in: &snapshot, before: before)
    snapshot.diagnostics = answer.diagnostics.map(DiagnosticSnapshot.init)
  }

  private func perform(_ response: SerializeStep) async throws -> StepSnapshot {
    var snapshot = StepSnapshot(.serialize(url: response.url))
    do {
      let serializer = try container.makeSerializer(response.entities)
      let answer = try await serializer.records(
        from: response.body.bytes, url: URL(string: response.url),
        options: RequestOptions(response.options, model: scenario.model), context: context)
      try take(answer, into: &snapshot)
    } catch let failure as RequestFailure {
      fail(&snapshot, failure)
      graph = try context.labelledGraph(scenario.model)
    }
    return snapshot
  }

  private func perform(_ tweak: TweakStep) throws -> StepSnapshot {
    guard let tweaks else { return StepSnapshot(.tweak(isNone: true)) }
    switch tweak {
    case .none:
      if FileManager.default.fileExists(atPath: tweaks.path) {
        try FileManager.default.removeItem(at: tweaks)
      }
      return StepSnapshot(.tweak(isNone: true))
    case .file(let text):
      try Data(text.utf8).write(to: tweaks)
      return StepSnapshot(.tweak(isNone: false))
    }
  }

  private func perform(_ fetch: FetchStep) throws -> StepSnapshot {
    let request = RecordFetchRequest(
      fetch.entity, predicate: fetch.predicate,
      sortDescriptors: fetch.sort.map {
        RecordSortDescriptor($0.keyPath, isAscending: $0.isAscending)
      },
      offset: fetch.offset, limit: fetch.limit)
    var snapshot = StepSnapshot(.fetch(fetch.entity))
    let records = try context.fetch(request)
    hold(records)
    snapshot.records = records.compactMap { graph.labels[$0.recordID] }
    return snapshot
  }

  private func set(
    _ changes: ImportChanges, in snapshot: inout StepSnapshot, before: LabelledGraph<RecordID>
  ) {
    snapshot.inserted = changes.inserted.compactMap { graph.labels[$0] }.sorted()
    snapshot.deleted = changes.deleted.compactMap { before.labels[$0] ?? unsavedDeletions.labels[$0] }
      .sorted()
    for update in changes.updated {
      if let label = graph.labels[update.id] { snapshot.updated[label] = update.properties }
    }
  }
}

// MARK: - Changes by hand

extension ScenarioExecution {
  private func save() throws -> StepSnapshot {
    var snapshot = StepSnapshot(.save)
    do {
      let changes = try context.save()
      let before = graph
      graph = try context.labelledGraph(scenario.model)
      set(changes, in: &snapshot, before: before)
    } catch {
      fail(&snapshot, error)
    }
    return snapshot
  }

  private func rollback() throws -> StepSnapshot {
    context.rollback()
    graph = try context.labelledGraph(scenario.model)
    return StepSnapshot(.rollback)
  }

  private func perform(_ change: ChangeStep) throws -> StepSnapshot {
    var targets: [(record: Record, properties: [PropertyAssignment])] = []
    for update in change.updates {
      if let record = record(update.record.value, update.record.span) {
        targets.append((record, update.properties))
      }
    }
    let doomed = change.deletes.compactMap { record($0.value, $0.span) }
    try insert(change.inserts)
    for (record, properties) in targets {
      setAttributes(properties, of: record)
      for property in properties { _ = setLinks(property, of: record, isLast: true) }
    }
    for record in doomed { context.delete(record) }
    graph = try context.labelledGraph(scenario.model)
    return StepSnapshot(.change)
  }

  private func seed() throws {
    guard !scenario.seeds.isEmpty else { return }
    try insert(scenario.seeds)
    guard result.findings.isEmpty else { return }
    do {
      try context.save()
    } catch {
      result.findings.append(
        AuthorDiagnostic(
          .invalidSeed, at: scenario.seeds[0].span,
          "the records of 'store' cannot be saved: \(error.primary.message)"))
    }
  }

  /// Makes records, their attributes first. Links follow as soon as the records they name have labels: one that is
  /// keyed by a relationship has a label only after that is set.
  private func insert(_ records: [SeedRecord]) throws {
    var open: [(record: Record, property: PropertyAssignment)] = []
    for seed in records {
      let record = try context.insert(seed.entity)
      setAttributes(seed.properties, of: record)
      open += seed.properties.map { (record, $0) }
    }
    while !open.isEmpty {
      graph = try context.labelledGraph(scenario.model)
      let rest = open.filter { !setLinks($0.property, of: $0.record, isLast: false) }
      if rest.count == open.count {
        for (record, property) in rest { _ = setLinks(property, of: record, isLast: true) }
        break
      }
      open = rest
    }
    graph = try context.labelledGraph(scenario.model)
  }

  private func setAttributes(_ properties: [PropertyAssignment], of record: Record) {
    for property in properties {
      if case .attribute(let value) = property.value { record.setValue(value, of: property.name) }
    }
  }

  /// Sets a relationship if all that it names is there; what is not is reported when there is nothing left to wait for.
  private func setLinks(_ property: PropertyAssignment, of record: Record, isLast: Bool) -> Bool {
    let labels: [RecordLabel]
    switch property.value {
    case .attribute: return true
    case .toOne(let label): labels = label.map { [$0] } ?? []
    case .toMany(let members): labels = members
    }
    let targets = labels.compactMap { label in
      isLast ? self.record(label, property.span) : graph.id(label).flatMap { context.record(with: $0) }
    }
    guard targets.count == labels.count else { return false }
    if case .toMany = property.value {
      record[property.name] = targets
    } else {
      record[property.name] = targets.first
    }
    return true
  }

  private func record(_ label: RecordLabel, _ span: SourceSpan) -> Record? {
    if let record = graph.id(label).flatMap({ context.record(with: $0) }) { return record }
    let near = nearestName(to: label.rawValue, among: graph.snapshot.labels.map(\.rawValue))
    result.findings.append(
      AuthorDiagnostic(
        .unknownRecord, at: span, "there is no record '\(label)' at this point",
        advice: near.map { "did you mean '\($0)'?" }))
    return nil
  }
}

// MARK: - Objects

extension ScenarioExecution {
  private func hold(_ records: [Record]) {
    for record in records { held[record.recordID] = record }
  }

  /// An app holds objects while others are handed out: there is one for each record, and it shows what is.
  /// Rules: `context.identity-map`, `context.refresh`.
  private func checkObjects() throws {
    for (id, record) in held {
      guard let other = context.record(with: id) else {
        held[id] = nil
        continue
      }
      if other === record { continue }
      // One whose entity has changed is replaced by an object of the new entity's type.
      guard type(of: other) == type(of: record) else {
        held[id] = other
        continue
      }
      throw BrokenContext(
        description: "the context has two objects of the record '\(graph.labels[id] ?? "?")'")
    }
  }

  private struct BrokenContext: Error, CustomStringConvertible {
    var description: String
  }
}

extension LabelledGraph {
  fileprivate func id(_ label: RecordLabel) -> ID? { labels.first { $0.value == label }?.key }
}

extension DiagnosticSnapshot {
  fileprivate init(_ diagnostic: Diagnostic) {
    self.init(
      code: diagnostic.code.rawValue, number: diagnostic.code.referenceNumber, entity: diagnostic.entity,
      property: diagnostic.property, pointer: diagnostic.pointer?.description,
      otherPointer: diagnostic.otherPointer?.description, response: diagnostic.response)
  }
}
