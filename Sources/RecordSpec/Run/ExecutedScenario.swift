/// What a scenario came to, before anything is compared.
package struct ExecutedScenario: Sendable {
  /// One step of it.
  package struct ExecutedStep: Sendable {
    package var snapshot: StepSnapshot
    /// The records before and after it.
    package var before = GraphSnapshot()
    package var after = GraphSnapshot()
    /// What a failed request said, in one line for people.
    package var failureMessage: String?
  }

  package var steps: [ExecutedStep] = []
  /// The graph after the last step.
  package var graph = GraphSnapshot()
  /// What is wrong with the scenario itself and shows only when it runs: a request that nobody answers, a response that
  /// nobody asks for, a label that names no record.
  package var problems: [AuthorDiagnostic] = []

  package var snapshot: ScenarioSnapshot { ScenarioSnapshot(graph: graph, steps: steps.map(\.snapshot)) }
}
