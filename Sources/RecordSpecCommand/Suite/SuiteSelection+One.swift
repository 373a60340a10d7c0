import RecordModel
import ScenarioFormat
import ScenarioReport
import ScenarioRun

extension CommandContext {
  /// Reports the errors of a scenario that cannot be read.
  func refuse(_ loaded: LoadedScenario) -> Refusal {
    refuse(loaded.diagnostics.filter { $0.severity == .error })
  }
}

extension SuiteSelection {
  /// Finds the one scenario that an argument of a command selects, in the same way as the arguments of `recordspec run`.
  /// If there is none or more than one, reports this.
  static func one(_ argument: String, in context: CommandContext) throws(Refusal) -> RunPlan.Entry {
    var options = SelectionOptions()
    options.selection.paths = [argument]
    return try one(argument, of: try find(options, in: context).plan.entries, context: context)
  }

  /// Returns the only one of the entries that an argument has selected.
  static func one(
    _ argument: String, of entries: [RunPlan.Entry], context: CommandContext
  ) throws(Refusal) -> RunPlan.Entry {
    if let entry = entries.first, entries.count == 1 { return entry }
    throw context.refuse(
      .usage,
      "'\(argument)' selects \(entries.count) scenarios; name one of them: "
        + shortenedList(entries.map(\.file.name), limit: 5))
  }
}
