import JSONTree
package import RecordEngine
import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// Requests to servers and to the store.
extension ScenarioExecution {
  // MARK: One request

  func perform(_ request: RequestStep, of step: Step, in snapshot: inout StepSnapshot) async throws {
    guard let name = request.name else { return try await send(request, of: step, in: &snapshot) }
    server.held.begin(name)
    pending[name] = Task {
      defer { server.held.end(name) }
      var answer = StepSnapshot(RecordedAction(.await, .string(name)))
      try await self.send(request, of: step, in: &answer)
      return answer
    }
  }

  /// Releases an in-flight request and returns its result. The reader of steps has verified that the request exists.
  func answer(_ name: String) async throws -> StepSnapshot? {
    server.held.release(name)
    return try await pending.removeValue(forKey: name)?.value
  }

  func cancel(_ step: CancelStep) {
    let (domain, domains) = (step.domain.value, container.inFlightDomains)
    if !step.isOptional, !domains.contains(domain) {
      let near = nearestName(to: domain, among: domains).map { "did you mean '\($0)'?" }
      let advice =
        domains.isEmpty
        ? "give a request 'options: {domain: \(domain)}' and 'as:', or write 'optional: true'"
        : "if this is intended, write 'optional: true'"
      result.findings.append(
        AuthorDiagnostic(
          .nothingToCancel, at: step.domain.span, "no request with the domain '\(domain)' is in flight",
          expected: near == nil && !domains.isEmpty ? Findings.oneOf(domains) : nil, advice: near ?? advice))
    }
    server.held.whileCancelling(domain: domain) { container.cancelRequests(domain: domain) }
  }

  private func send(_ request: RequestStep, of step: Step, in snapshot: inout StepSnapshot) async throws {
    do {
      let answer = try await container.perform(recordRequest(request, tag: request.name), context: context)
      label([try note(answer, request.options, in: &snapshot)], in: &snapshot)
    } catch {
      try note(error, step, in: &snapshot)
    }
  }

  func perform(_ detail: DetailStep, of step: Step, in snapshot: inout StepSnapshot) async throws {
    guard let record = record(detail.record.value, detail.record.span) else { return }
    do {
      let answer = try await container.requestDetail(
        of: record, method: detail.method, urn: detail.urn, query: detail.query,
        body: detail.body.map(RequestBody.init), options: options(detail.options))
      label([try note(answer, detail.options, in: &snapshot)], in: &snapshot)
    } catch {
      try note(error, step, in: &snapshot)
    }
  }

  func perform(_ fetchFirst: FetchFirstStep, of step: Step, in snapshot: inout StepSnapshot) async throws {
    do {
      let answer = try await container.perform(
        recordRequest(fetchFirst.request), fetchFirst: RecordFetchRequest(fetchFirst.fetch), context: context
      ) { snapshot.stored = labels(of: $0) }
      label([try note(answer, fetchFirst.request.options, in: &snapshot)], in: &snapshot)
    } catch {
      try note(error, step, in: &snapshot)
    }
  }

  // MARK: Pages

  func perform(_ page: PageStep, of step: Step, in snapshot: inout StepSnapshot) async throws {
    runs[page.run] = container.pages(recordRequest(page.request), context: context)
    try await perform(page.pages, of: step, in: &snapshot)
  }

  func perform(_ next: NextPageStep, of step: Step, in snapshot: inout StepSnapshot) async throws {
    // The reader of steps has verified that the run exists.
    guard let pages = runs[next.run] else { return }
    var drift: DriftReport?
    var noted: [NotedChanges] = []
    do {
      var left = next.count.limit
      while left > 0, let page = try await pages.nextPage() {
        noted.append(try note(page, next.options, in: &snapshot))
        drift = .merging([drift, page.drift])
        left -= 1
      }
    } catch {
      try note(error, step, in: &snapshot)
      drift = .merging([drift, (error as? RequestFailure)?.drift])
    }
    label(noted, in: &snapshot)
    snapshot.drift = drift.map { driftSnapshot($0) }
  }

  // MARK: Results

  /// Returns the engine's request for a step.
  ///
  /// - Parameter tag: the tag by which the server identifies the request; nil for a request that a step waits for.
  func recordRequest(_ step: RequestStep, tag: String? = nil) -> RecordRequest<Record> {
    var request = RecordRequest(
      entity: step.entity, method: step.method, urn: step.urn, query: step.query,
      body: step.body.map(RequestBody.init), options: options(step.options))
    request.serverRequest.tag = tag
    return request
  }

  /// Returns the engine's options; nil if none are written. The options of the record type, or those of the batch, then
  /// apply.
  package func options(_ options: StepOptions) -> RequestOptions? {
    options.areStated ? RequestOptions(options, model: scenario.model, registrations) : nil
  }

  package func labels(of records: [Record]) -> [RecordLabel] {
    hold(records)
    return records.compactMap { label(of: $0.recordID) }
  }

  /// Adds the result of a request to the results that the step already has. The last result of the step is followed by
  /// ``label(_:in:)``.
  func note(
    _ answer: RequestResult<Record>, _ options: StepOptions, in snapshot: inout StepSnapshot
  ) throws -> NotedChanges {
    if let provenance = answer.provenance { result.provenance?.note(provenance) }
    var noted = NotedChanges(changes: answer.changes, records: answer.records.map(\.recordID))
    noted.labels = labels(before: answer.changes)
    if answer.context === context {
      try updateLabels(answer.changes.recordIDs + answer.changes.unchanged + noted.records)
      hold(answer.records)
      noteLabels(in: &noted) { label(of: $0) }
    } else {
      // The context of a dry run shows its changes.
      let labels = try answer.context.labeledGraph(scenario.model).labels
      noted.followsGraph = false
      noteLabels(in: &noted) { labels[$0] }
    }
    snapshot.diagnostics += answer.diagnostics.map(DiagnosticSnapshot.init)
    snapshot.drift = answer.drift.map { driftSnapshot($0) }
    if let path = options.customResponse {
      snapshot.customResponse = answer.responseObject.flatMap { path.find(in: $0)?.node.value }
    }
    snapshot.served.append(ServedFrom(answer.served))
    if let metaData = answer.metaData { snapshot.metaData = metaData.value }
    if let manager = answer.pageManager {
      snapshot.page = PageSnapshot(
        hasMore: manager.canRequestNextPage, total: manager.totalResultsCount,
        perPage: manager.resultsPerPage, index: manager.currentPageIndex)
    }
    return noted
  }

  /// Adds the labels of the records after the changes.
  func noteLabels(in noted: inout NotedChanges, _ label: (RecordID) -> RecordLabel?) {
    for id in noted.changes.recordIDs + noted.changes.unchanged + noted.records {
      if let label = label(id) {
        noted.labels[id] = label
      } else if let label = noted.labels[id] {
        deletedInStep[id] = label
      }
    }
  }

  /// Returns the labels of the records that changes may have removed. Call this method before the labels are updated.
  package func labels(before changes: ImportChanges) -> [RecordID: RecordLabel] {
    var labels: [RecordID: RecordLabel] = [:]
    for id in changes.recordIDs {
      labels[id] = label(of: id) ?? unsavedDeletions.labels[id] ?? deletedInStep[id]
    }
    return labels
  }

  /// Adds the records and changes of the responses of a step to its snapshot, with their current labels.
  func label(_ noted: [NotedChanges], in snapshot: inout StepSnapshot) {
    for noted in noted { label(noted, in: &snapshot) }
  }

  private func label(_ noted: NotedChanges, in snapshot: inout StepSnapshot) {
    func label(_ id: RecordID) -> RecordLabel? {
      (noted.followsGraph ? self.label(of: id) : nil) ?? noted.labels[id]
    }
    let changes = noted.changes
    let deleted = Set(changes.deleted)
    snapshot.records += noted.records.map { label($0) ?? .gone }
    snapshot.inserted += changes.inserted.compactMap(label)
    snapshot.deleted += changes.deleted.compactMap { noted.labels[$0] }
    for update in changes.updated {
      guard let name = label(update.id) else { continue }
      let known = snapshot.updated[name] ?? []
      snapshot.updated[name] = known + update.properties.filter { !known.contains($0) }
      for change in update.changes {
        snapshot.changes[name, default: [:]][change.name] = goldenForm(of: change, name) {
          deleted.contains($0) ? noted.labels[$0] : label($0)
        }
      }
    }
    snapshot.unchanged += changes.unchanged.compactMap(label)
  }

  private func goldenForm(
    of change: PropertyChange, _ label: RecordLabel, naming name: (RecordID) -> RecordLabel?
  ) -> [String: JSONValue] {
    func form(_ id: RecordID) -> JSONValue { name(id).map { .string($0.rawValue) } ?? .null }
    switch change.values {
    case .attribute(let from, let to):
      let type = scenario.model.schema.entity(label.entity)?.attributes.first { $0.name == change.name }?.type
      func form(_ value: AttributeValue?) -> JSONValue {
        value.flatMap { value in type.map { value.literal(type: $0) } } ?? .null
      }
      return ["from": form(from), "to": form(to)]
    case .toOne(let from, let to): return ["from": from.map(form) ?? .null, "to": to.map(form) ?? .null]
    case .toMany(let added, let removed):
      return ["added": .array(added.map(form)), "removed": .array(removed.map(form))]
    }
  }

  /// Adds the failure of a request to a snapshot. Rethrows an error that a request is not allowed to throw.
  package func note(_ error: any Error, _ step: Step, in snapshot: inout StepSnapshot) throws {
    switch error {
    case let failure as RequestFailure: fail(&snapshot, failure)
    case let unanswered as UnansweredRequest:
      snapshot.failure = FailureSnapshot(code: "unanswered-request")
      report(unanswered, at: step)
    default:
      let failure =
        ServerFailure(error).map(FailureSnapshot.init(_:))
        ?? (error as? RedirectFailure).map(FailureSnapshot.init(_:))
      guard let failure else { throw error }
      snapshot.failure = failure
    }
    // A failed request saves nothing, but may leave unsaved changes.
    try updateLabels([])
  }
}

extension FailureSnapshot {
  /// Creates the snapshot of a failure that the scenario's server throws.
  fileprivate init(_ failure: some RawRepresentable<String> & CustomStringConvertible) {
    self.init(code: failure.rawValue, message: failure.description)
  }
}

extension ServedFrom {
  fileprivate init(_ served: Served) {
    self =
      switch served {
      case .network: .network
      case .cache: .cache
      case .revalidated: .revalidated
      case .stale: .stale
      }
  }
}

extension RecordLabel {
  /// The label of a returned object that is not a record of its context. No expectation matches it.
  fileprivate static let gone = RecordLabel("(gone)")
}

extension PageCount {
  package var limit: Int {
    switch self {
    case .all: .max
    case .upTo(let count): count
    }
  }
}

extension RecordFetchRequest {
  package init(_ step: FetchStep) {
    self.init(
      step.entity, predicate: step.predicate,
      sortDescriptors: step.sort.map { RecordSortDescriptor($0.keyPath, isAscending: $0.isAscending) },
      offset: step.offset, limit: step.limit)
  }
}
