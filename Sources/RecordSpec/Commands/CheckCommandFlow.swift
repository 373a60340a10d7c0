import RecordModel
import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec check` command. It reads scenarios, their models and recordings, and reports all errors and warnings.
/// It runs valid scenarios in memory to compare their requests and models with their responses, and writes nothing.
package struct CheckCommandFlow {
  private let suite: SuiteOptions
  private let options: SelectionOptions
  private let isStrict: Bool
  private let isJSON: Bool
  private let context: CommandContext

  /// Creates a command.
  ///
  /// - Parameter isStrict: a Boolean value that indicates whether warnings are errors.
  package init(
    suite: SuiteOptions, options: SelectionOptions, isStrict: Bool = false, isJSON: Bool = false,
    context: CommandContext
  ) {
    self.suite = suite
    self.options = options
    self.isStrict = isStrict
    self.isJSON = isJSON
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    let selection: SuiteSelection
    switch SuiteSelection.find(suite: suite, options: options, context: context) {
    case .success(let found): selection = found
    case .failure(let refusal): return refusal.status
    }
    ScratchFolder.removeLeftovers()
    var diagnostics = selection.isWhole ? selection.plan.problems : []
    var lint = SuiteLint(isWhole: selection.isWhole)
    var (valid, invalid) = (0, 0)
    let explain = context.explain
    await OrderedWork(jobs: suite.jobs).run(selection.plan.entries) { entry in
      await SearchedScenario(entry.read().checkedForRules().checkedForCodes(), with: explain)
    } ended: { searched in
      diagnostics += searched.loaded.diagnostics + searched.errors + lint.warnings(about: searched)
      if searched.loaded.scenario == nil || !searched.errors.isEmpty { invalid += 1 } else { valid += 1 }
    }
    diagnostics += lint.warningsAboutAll()
    let others = selection.isWhole ? selection.plan.problems.count { $0.severity == .error } : 0
    let warnings = diagnostics.sortedByLocation().count { $0.severity == .warning }
    if isStrict {
      for index in diagnostics.indices { diagnostics[index].severity = .error }
    }
    let sorted = diagnostics.sortedByLocation()
    let errors = sorted.count { $0.severity == .error }
    if isJSON {
      context.output(CheckReport(sorted, valid: valid, invalid: invalid).text)
    } else {
      let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
      if !sorted.isEmpty { context.output(renderer.text(of: sorted) + "\n") }
      var counts = "\(valid) valid, \(invalid) invalid"
      if others > 0 { counts += ", \(counted(others, "other error"))" }
      if warnings > 0 {
        counts += ", " + counted(warnings, "warning")
        if isStrict { counts += warnings == 1 ? " treated as an error" : " treated as errors" }
      }
      context.output(counts + "\n")
    }
    return errors > 0 ? .invalid : .success
  }
}
