package import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// The result of running the steps of a scenario, before it is compared.
package struct ExecutedScenario: Sendable {
  /// The graph after the last step, and the result of each step.
  package var snapshot: ScenarioSnapshot

  /// The graph before the first step and after each step, so that there is one more than there are steps. The
  /// expectations of a step apply to the graph after it, and describe deleted records by the graph before it.
  package var graphs: [GraphSnapshot]

  /// For each step, the records that earlier steps have deleted without saving. A save reports them as deleted.
  package var unsavedDeletions: [GraphSnapshot] = []

  /// For each step, the index of the canned response to each of its requests, among all canned responses; nil for a request
  /// without a response.
  package var answers: [[Int?]] = []

  /// The findings that fail the scenario regardless of its expectations, such as a label without a record, a request
  /// without a response, or an unused response.
  package var findings: [AuthorDiagnostic]

  /// The defect of the engine or the harness that makes the result unknown; nil if there is none.
  package var breakage: Breakage?

  /// The number of times that the whole graph was read. It does not grow with the number of requests in a step, as long
  /// as the label of each record depends only on its own attributes.
  package var graphReadings = 0

  /// The provenance of the records; nil unless it was recorded.
  package var provenance: ScenarioProvenance?

  /// The relationships that items of responses with a drift report contain.
  package var sentRelationships: Set<RelationshipIndex> = []

  /// The tables of the app's store, as dumps have shown them; nil for a run of the engine.
  package var tables: ManagedObjectModel?

  /// A problem that may explain why the scenario fails; nil if there is none.
  package var obstacle: TemporaryFolderProblem?

  package init(
    snapshot: ScenarioSnapshot, graphs: [GraphSnapshot] = [], findings: [AuthorDiagnostic] = [],
    breakage: Breakage? = nil
  ) {
    self.snapshot = snapshot
    self.graphs = graphs
    self.findings = findings
    self.breakage = breakage
  }
}

extension ExecutedScenario {
  /// Returns the graph after a step, from 1. For 0, returns the graph before the first step.
  package func graph(afterStep number: Int) -> GraphSnapshot {
    graphs.indices.contains(number) ? graphs[number] : GraphSnapshot()
  }
}

extension [AuthorDiagnostic] {
  /// The findings of a run. If there is one request without a response, unused responses become its notes, because the
  /// address of one of them is probably wrong.
  package var withUnusedResponsesAsNotes: [AuthorDiagnostic] {
    let unanswered = indices.filter { self[$0].code == .unansweredRequest }
    guard unanswered.count == 1 else { return self }
    let unused = compactMap { finding in
      finding.code == .unusedResponse
        ? finding.span.map { AuthorDiagnostic.Note($0, finding.message) } : nil
    }
    var others = self
    others[unanswered[0]].notes += unused
    others.removeAll { $0.code == .unusedResponse && $0.span != nil }
    return others
  }
}

/// A function that runs the steps of one scenario in isolation, on a store of the given kind.
package typealias ScenarioExecutor = @Sendable (Scenario, StoreKind) async -> ExecutedScenario
