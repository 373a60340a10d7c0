import RecordEngine
import RecordModel

/// Runs one scenario against an engine of its own. Nothing is shared with other scenarios, and nothing is compared.
package struct ScenarioExecution {
  let scenario: Scenario
  let server: ScenarioServer
  let container: PersistentContainer
  let context: ManagedObjectContext
  var result = ExecutedScenario(snapshot: ScenarioSnapshot())
  /// The graph as it is now.
  var graph: LabelledGraph<RecordID>

  /// Runs all steps, whatever fails on the way.
  package static func execute(_ scenario: Scenario) async -> ExecutedScenario {
    do {
      var execution = try ScenarioExecution(scenario)
      try execution.seed()
      execution.result.graphs.append(execution.graph.snapshot)
      guard execution.result.findings.isEmpty else { return execution.result }
      for step in scenario.steps { try await execution.perform(step) }
      execution.reportUnusedResponses()
      execution.result.snapshot.graph = execution.graph.snapshot
      return execution.result
    } catch {
      return ExecutedScenario(snapshot: ScenarioSnapshot(), breakage: "\(error)")
    }
  }

  private init(_ scenario: Scenario) throws {
    self.scenario = scenario
    server = ScenarioServer(baseURL: scenario.baseURL, addresses: scenario.responses)
    container = PersistentContainer(model: scenario.model, server: server)
    context = container.makeContext()
    graph = try context.labelledGraph(scenario.model)
  }

  private mutating func perform(_ step: Step) async throws {
    let snapshot =
      switch step.action {
      case .request(let request): try await perform(request, step)
      case .fetch(let fetch): try perform(fetch)
      case .change(let change): try perform(change)
      case .save: try save()
      }
    result.snapshot.steps.append(snapshot)
    result.graphs.append(graph.snapshot)
  }

  private mutating func fail(_ snapshot: inout StepSnapshot, _ failure: RequestFailure) {
    snapshot.failure = FailureSnapshot(
      code: failure.primary.code.rawValue, number: failure.primary.code.referenceNumber,
      status: failure.status)
    snapshot.diagnostics = failure.diagnostics.map(DiagnosticSnapshot.init)
    result.failureMessages[result.snapshot.steps.count] = failure.description
  }

  private mutating func reportUnusedResponses() {
    for response in server.unused() {
      result.findings.append(
        AuthorDiagnostic(
          .unusedResponse, at: response.span, "nobody asked for this response",
          advice: "remove it, request it, or write 'optional: true'"))
    }
  }
}

// MARK: - Requests and fetches

extension ScenarioExecution {
  private mutating func perform(
    _ request: RequestStep, _ step: Step
  ) async throws -> StepSnapshot {
    var snapshot = StepSnapshot(.request(request.entity, method: request.method, urn: request.urn))
    do {
      let answer = try await container.request(
        request.entity, ServerRequest(method: request.method, urn: request.urn, data: request.data),
        options: RequestOptions(request.options, model: scenario.model), context: context)
      let before = graph
      graph = try context.labelledGraph(scenario.model)
      snapshot.records = answer.records.compactMap { graph.labels[$0.recordID] }
      set(answer.changes, in: &snapshot, before: before)
      snapshot.diagnostics = answer.diagnostics.map(DiagnosticSnapshot.init)
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

  private func perform(_ fetch: FetchStep) throws -> StepSnapshot {
    let request = RecordFetchRequest(
      fetch.entity, predicate: fetch.predicate,
      sortDescriptors: fetch.sort.map {
        RecordSortDescriptor($0.property.rawValue, isAscending: $0.isAscending)
      },
      limit: fetch.limit)
    var snapshot = StepSnapshot(.fetch(fetch.entity))
    snapshot.records = try context.fetch(request).compactMap { graph.labels[$0.recordID] }
    return snapshot
  }

  private func set(
    _ changes: ImportChanges, in snapshot: inout StepSnapshot, before: LabelledGraph<RecordID>
  ) {
    snapshot.inserted = changes.inserted.compactMap { graph.labels[$0] }.sorted()
    snapshot.deleted = changes.deleted.compactMap { before.labels[$0] }.sorted()
    for update in changes.updated {
      if let label = graph.labels[update.id] { snapshot.updated[label] = update.properties }
    }
  }
}

// MARK: - Changes by hand

extension ScenarioExecution {
  private mutating func save() throws -> StepSnapshot {
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

  private mutating func perform(_ change: ChangeStep) throws -> StepSnapshot {
    var targets: [(record: Record, properties: [PropertyAssignment])] = []
    for update in change.updates {
      if let record = record(update.record.value, update.record.span) {
        targets.append((record, update.properties))
      }
    }
    try insert(change.inserts)
    for (record, properties) in targets {
      setAttributes(properties, of: record)
      for property in properties { _ = setLinks(property, of: record, isLast: true) }
    }
    graph = try context.labelledGraph(scenario.model)
    return StepSnapshot(.change)
  }

  private mutating func seed() throws {
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
  private mutating func insert(_ records: [SeedRecord]) throws {
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
  private mutating func setLinks(_ property: PropertyAssignment, of record: Record, isLast: Bool) -> Bool {
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

  private mutating func record(_ label: RecordLabel, _ span: SourceSpan) -> Record? {
    if let record = graph.id(label).flatMap({ context.record(with: $0) }) { return record }
    let near = nearestName(to: label.rawValue, among: graph.snapshot.labels.map(\.rawValue))
    result.findings.append(
      AuthorDiagnostic(
        .unknownRecord, at: span, "there is no record '\(label)' at this point",
        advice: near.map { "did you mean '\($0)'?" }))
    return nil
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
