/// Everything that a scenario brought about: what its golden file records.
public struct ScenarioSnapshot: Hashable, Sendable {
  /// The graph after the last step.
  public var graph: GraphSnapshot
  public var steps: [StepSnapshot]

  public init(graph: GraphSnapshot = GraphSnapshot(), steps: [StepSnapshot] = []) {
    self.graph = graph
    self.steps = steps
  }
}
