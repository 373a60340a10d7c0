/// What came out when the steps of a scenario were run; nothing has been compared yet.
package struct ExecutedScenario: Sendable {
  /// The graph after the last step, and what each step brought about.
  package var snapshot: ScenarioSnapshot

  /// The graph before the first step, then after each: one more than there are steps. Expectations of a step look at
  /// the graph after it, and describe what it deleted by the graph before it.
  package var graphs: [GraphSnapshot]

  /// For each step, the records that earlier ones have deleted without saving: a save tells of them as deleted.
  package var unsavedDeletions: [GraphSnapshot] = []

  /// What makes the scenario fail whatever it expects: a request that no response answers, a response that nobody
  /// asked for.
  package var findings: [AuthorDiagnostic]

  /// What went wrong in the engine or the harness itself, so that the scenario says nothing; nil if nothing did.
  package var breakage: Breakage?

  /// The number of times the graph was read as a whole. A step that makes many requests needs no more of them than one.
  package var graphReadings = 0

  /// What may be why the scenario fails, if it does; nil if there is nothing.
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

/// Runs the steps of one scenario, in a world of its own, on a store of a kind.
package typealias ScenarioExecutor = @Sendable (Scenario, StoreKind) async -> ExecutedScenario
