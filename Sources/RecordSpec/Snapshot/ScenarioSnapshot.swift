/// The complete result of a scenario, which its golden file records.
public struct ScenarioSnapshot: Hashable, Sendable {
  /// The graph after the last step.
  public var graph: GraphSnapshot
  /// The result of each step.
  public var steps: [StepSnapshot]

  /// Creates a snapshot, which is empty by default.
  public init(graph: GraphSnapshot = GraphSnapshot(), steps: [StepSnapshot] = []) {
    self.graph = graph
    self.steps = steps
  }
}
