/// The complete result of a scenario, which its golden file records.
package struct ScenarioSnapshot: Hashable, Sendable {
  /// The graph after the last step.
  package var graph: GraphSnapshot
  /// The result of each step.
  package var steps: [StepSnapshot]

  /// Creates a snapshot, which is empty by default.
  package init(graph: GraphSnapshot = GraphSnapshot(), steps: [StepSnapshot] = []) {
    self.graph = graph
    self.steps = steps
  }

  /// A Boolean value that indicates whether a step or an entry of a batch failed.
  package var hasFailedStep: Bool {
    steps.contains { $0.failure != nil || $0.batch.contains { $0.failure != nil } }
  }
}
