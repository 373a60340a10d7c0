package import RecordEngine
package import ScenarioFormat

/// A scenario with the probable mistakes that can be seen without the other scenarios of its suite.
///
/// The scenario is run in memory, to see which item belongs to which entity.
package struct SearchedScenario: Sendable {
  package let loaded: LoadedScenario
  /// The warnings about the model and about the run.
  package private(set) var warnings: [AuthorDiagnostic] = []
  /// The errors that fail every run of the scenario: requests without a response, unused responses, and bodies that are
  /// not JSON.
  package private(set) var errors: [AuthorDiagnostic] = []
  /// The run; nil if the scenario cannot be run here.
  package private(set) var run: Run?

  package struct Run: Sendable {
    package let executed: ExecutedScenario
    /// The differences of all responses from the model.
    package let drift: DriftReport
  }

  /// Searches a scenario that has been read.
  ///
  /// - Parameter execute: the executor that records the provenance of records.
  package init(_ loaded: LoadedScenario, with execute: ScenarioExecutor) async {
    self.loaded = loaded
    guard let scenario = loaded.scenario, scenario.tables == nil else { return }
    warnings = ModelLint.warnings(about: scenario.model, at: ModelSourceMap(loaded.modelLayers))
    guard scenario.skip == nil, loaded.checkedForSwiftCode(nil).scenario != nil else { return }
    let executed = await execute(scenario, .memory)
    if scenario.expectedFailure == nil {
      errors = executed.findings.withUnusedResponsesAsNotes + executed.invalidBodies(of: scenario)
    }
    guard executed.breakage == nil, let provenance = executed.provenance else { return }
    let responses = ResponseLint(scenario, provenance)
    warnings += responses.warnings()
    if let root = loaded.roots.first { warnings += OptionLint(scenario, executed, root: root).warnings() }
    if scenario.expectedFailure == nil {
      var expectations = ExpectationLint(scenario, executed, sources: loaded.roots)
      warnings += expectations.warnings()
    }
    run = Run(executed: executed, drift: responses.drift)
  }
}
