package import RecordModel
package import ScenarioComparison

/// The actual result of a scenario, regardless of what its author expects.
package struct ActualResult: Sendable {
  /// The name of the scenario, such as `identity/attribute-key`.
  package var name: String
  package var title: String
  package var model: Schema
  package var executed: ExecutedScenario

  package init(name: String, title: String, model: Schema, executed: ExecutedScenario) {
    self.name = name
    self.title = title
    self.model = model
    self.executed = executed
  }

  /// The results of the steps that were completed.
  package var steps: [StepSnapshot] { executed.snapshot.steps }
}
