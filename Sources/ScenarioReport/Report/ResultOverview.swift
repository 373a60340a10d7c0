package import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// An overview of the result of a scenario without a golden file: what a person must review before it is blessed.
package struct ResultOverview: Sendable {
  /// The records of an entity.
  package struct Entity: Sendable {
    package var name: EntityName
    /// The number of records.
    package var count: Int
    /// The first record by label, in an order for people.
    package var first: RecordSnapshot
  }

  /// The entities with records, sorted by name.
  package var entities: [Entity] = []
  /// The diagnostics of all steps, one line for each kind and property.
  package var diagnostics: [String] = []
  /// The attributes without any value that probably have a wrong name, one line each.
  package var misnamed: [String] = []
  /// The steps without records that `expect:` does not mention, from 1. Such a result is probably a mistake.
  package var emptySteps: [Int] = []

  /// Creates an empty overview.
  package init() {}

  /// Creates the overview of a result whose scenario is unknown, so that no step counts as unexpectedly empty.
  package init(_ snapshot: ScenarioSnapshot) {
    let byEntity = Dictionary(grouping: snapshot.graph.records.values, by: \.entity)
    entities = byEntity.compactMap { name, records in
      let byLabel = Dictionary(records.map { ($0.label, $0) }, uniquingKeysWith: { first, _ in first })
      return byLabel.keys.sortedForReading().first.flatMap { byLabel[$0] }
        .map { Entity(name: name, count: records.count, first: $0) }
    }.sorted { $0.name < $1.name }
    diagnostics = snapshot.steps.enumerated().flatMap { index, step in
      ValueText.lines(of: step.diagnostics).map { "step \(index + 1): \($0)" }
    }
  }

  /// Creates the overview of a result.
  package init(_ snapshot: ScenarioSnapshot, of scenario: Scenario) {
    self.init(snapshot)
    for (index, (step, outcome)) in zip(scenario.steps, snapshot.steps).enumerated() {
      let isLast = index == scenario.steps.count - 1
      if !scenario.expectation.statesEmptyResult(isLastStep: isLast), step.isUnexpectedlyEmpty(outcome) {
        emptySteps.append(index + 1)
      }
    }
  }

  /// The lines that describe the result.
  package var lines: [String] {
    let count = entities.reduce(0) { $0 + $1.count }
    var lines = [count == 0 ? "no records" : "\(counted(count, "record")):"]
    let counts = entities.map { "\(ValueText.grouped($0.count)) \($0.name)" }
    let width = counts.map(\.count).max() ?? 0
    for (entity, text) in zip(entities, counts) {
      var first = entity.first
      first.properties = first.properties.mapValues(\.forReading)
      let properties = RecordedContent.Record(first).properties
      lines.append(
        "  " + text + String(repeating: " ", count: width - text.count + 2)
          + "\(entity.first.label) \(ValueText.of(properties, width: 80))")
    }
    let shown = 10
    lines += misnamed.prefix(shown)
    if misnamed.count > shown { lines.append("and \(misnamed.count - shown) more attributes") }
    lines += diagnostics.prefix(shown)
    if diagnostics.count > shown { lines.append("and \(diagnostics.count - shown) more diagnostics") }
    return lines.map(DisplayText.oneLine)
  }

  /// The reason why the result is not blessed unless the user allows it; nil if there is none.
  package var objection: String? {
    guard let first = emptySteps.first else { return nil }
    let steps = emptySteps.count == 1 ? "step \(first) has" : "\(emptySteps.count) steps have"
    return "\(steps) no records, and 'expect:' does not say so"
  }
}

extension StepSnapshot {
  /// A Boolean value that indicates whether the response should have had records and had none.
  package var hasEmptyResult: Bool { diagnostics.contains(where: \.isEmptyResult) }
}

extension DiagnosticSnapshot {
  /// A Boolean value that indicates whether the diagnostic is about a response without items.
  package var isEmptyResult: Bool { code == "empty-result-set" }
}

extension Step {
  /// Returns a Boolean value that indicates whether the step should have brought records and brought none, and its author
  /// does not say so. A request that changes something on the server need not bring records.
  fileprivate func isUnexpectedlyEmpty(_ outcome: StepSnapshot) -> Bool {
    if let expectation, expectation.statesEmptyResult(isLastStep: true) { return false }
    if case .batch(let batch) = action {
      return zip(batch.entries, outcome.batch).contains { $0.isUnexpectedlyEmpty($1) }
    }
    return outcome.hasEmptyResult && outcome.records.isEmpty && (outcome.action.method ?? "GET") == "GET"
  }
}

extension Expectation {
  fileprivate func statesEmptyResult(isLastStep: Bool) -> Bool {
    if diagnostics != nil { return true }
    guard isLastStep, let records else { return false }
    return records.count == 0 || records.exactly?.isEmpty == true || records.anyOrder?.isEmpty == true
  }
}
