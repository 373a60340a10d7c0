import RecordModel

/// The scenarios of a suite that a command processes.
struct SuiteSelection {
  let plan: RunPlan
  /// A Boolean value that indicates whether all scenarios are selected, so that problems that belong to no scenario
  /// matter, too.
  let isWhole: Bool

  /// Finds the selected scenarios. If there is nothing to process, reports the reason and returns the exit status.
  static func find(
    suite: SuiteOptions, options: SelectionOptions, context: CommandContext
  ) -> Result<SuiteSelection, Refusal> {
    var selection = options.selection
    let found = ScenarioFiles(below: suite.scenarios, allowingOutside: suite.allowedFolders)
    if found.files.isEmpty {
      let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
      context.errors(renderer.text(of: found.diagnostics))
      let isOnlyEmpty = found.diagnostics.allSatisfy { $0.code == .noScenarios }
      return .failure(Refusal(isOnlyEmpty ? (options.allowsEmpty ? .success : .nothingSelected) : .invalid))
    }
    if options.isLastFailed {
      do throws(FileProblem) {
        selection.restrict(to: try FailedScenarios(suite: suite).load())
      } catch {
        context.report("error: what failed last is not known: \(error.message)\n")
        return .failure(Refusal(.usage))
      }
    }
    if options.isChanged {
      do throws(ChangedScenarios.GitProblem) {
        selection.restrict(to: try ChangedScenarios.names(suite: suite, files: found.files))
      } catch {
        context.report("error: what has changed is not known: \(error.message)\n")
        return .failure(Refusal(.usage))
      }
    }
    let plan = RunPlan(found, selection: selection)
    if !options.allowsEmpty, let status = complain(plan, options, found, context) {
      return .failure(Refusal(status))
    }
    return .success(SuiteSelection(plan: plan, isWhole: selection.isEverything))
  }

  struct Refusal: Error {
    let status: ExitStatus
    init(_ status: ExitStatus) { self.status = status }
  }

  private static func complain(
    _ plan: RunPlan, _ options: SelectionOptions, _ found: ScenarioFiles, _ context: CommandContext
  ) -> ExitStatus? {
    for path in plan.unmatchedPaths {
      let commands = path == options.selection.paths.first ? context.commands : []
      let nearest =
        ScenarioSelection.suggestion(for: path, among: found.files)
        ?? nearestName(to: path, among: commands).map { "recordspec \($0)" }
      context.report(
        "error: no scenario is named '\(path)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "") + "\n")
    }
    let unknownRules = options.selection.rules.filter { text in
      !Rule.all.contains { ScenarioSelection.names(text, rule: $0.id) }
    }
    for rule in unknownRules.map(RuleListing.UnknownName.init) {
      context.report("error: \(rule.message); \(rule.advice)\n")
    }
    guard plan.unmatchedPaths.isEmpty, unknownRules.isEmpty else { return .nothingSelected }
    guard plan.entries.isEmpty else { return nil }
    let reason =
      if options.isLastFailed {
        "no scenario that failed last is among them"
      } else if options.isChanged {
        "git sees no change in any of them"
      } else {
        "none of \(found.files.count) scenarios is as asked for"
      }
    context.report("error: nothing is selected: \(reason) ('--allow-empty' makes that no mistake)\n")
    return .nothingSelected
  }
}

extension ScenarioSelection {
  fileprivate mutating func restrict(to names: Set<String>) {
    self.names = self.names?.intersection(names) ?? names
  }
}
