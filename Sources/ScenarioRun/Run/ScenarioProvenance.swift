package import RecordEngine
package import ScenarioFormat

/// The provenance of the records of a scenario, step by step.
package struct ScenarioProvenance: Sendable {
  /// The labels of the records before the first step and after each step.
  package var labels: [[RecordID: RecordLabel]] = []
  /// The records of `store:`.
  package var seeds: [RecordID: SeedRecord] = [:]
  /// For each step, the provenance of the responses that its requests received, in the order of their delivery.
  package private(set) var steps: [[ResponseProvenance]] = []
  /// The responses since the last step.
  private var current: [ResponseProvenance] = []

  package init() {}

  package mutating func note(_ response: ResponseProvenance) { current.append(response) }

  /// Ends a step, to which the responses since the last one belong.
  mutating func endStep() {
    steps.append(current)
    current = []
  }
}
