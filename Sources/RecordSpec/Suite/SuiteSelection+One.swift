import RecordModel
import ScenarioFormat
import ScenarioReport
import ScenarioRun

extension CommandContext {
  /// Reports the errors of a scenario that cannot be read, and returns the exit status.
  func refuse(_ loaded: LoadedScenario, _ suite: SuiteOptions) -> ExitStatus {
    let renderer = DiagnosticRenderer(isColored: environment.isColored(suite.color))
    errors(renderer.text(of: loaded.diagnostics.filter { $0.severity == .error }))
    return .invalid
  }
}

extension SuiteSelection {
  /// Finds the one scenario that an argument of a command selects, in the same way as the arguments of `recordspec run`.
  /// If there is none or more than one, reports this and returns the exit status.
  static func one(
    _ argument: String, suite: SuiteOptions, context: CommandContext
  ) -> Result<RunPlan.Entry, Refusal> {
    var options = SelectionOptions()
    options.selection.paths = [argument]
    return find(suite: suite, options: options, context: context).flatMap { selection in
      one(argument, of: selection.plan.entries, context: context)
    }
  }

  /// Returns the only one of the entries that an argument has selected.
  static func one(
    _ argument: String, of entries: [RunPlan.Entry], context: CommandContext
  ) -> Result<RunPlan.Entry, Refusal> {
    if let entry = entries.first, entries.count == 1 { return .success(entry) }
    context.report(
      "error: '\(argument)' selects \(entries.count) scenarios; name one of them: "
        + shortenedList(entries.map(\.file.name), limit: 5) + "\n")
    return .failure(Refusal(.usage))
  }
}
