/// The `recordspec run` command. It runs scenarios, compares their results and reports them. It writes nothing below
/// the folder of golden files.
package struct RunCommandFlow {
  let suite: SuiteOptions
  let options: SelectionOptions
  /// The folder for the results of failed scenarios that the user named.
  private let keptResults: String?
  let context: CommandContext

  package init(
    suite: SuiteOptions, options: SelectionOptions, keptResults: String? = nil, context: CommandContext
  ) {
    self.suite = suite
    self.options = options
    self.keptResults = keptResults
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    switch SuiteSelection.find(suite: suite, options: options, context: context) {
    case .success(let selection):
      if let problem = folderProblem { return context.refuse(problem, suite) }
      ScratchFolder.removeLeftovers()
      return await run(selection) { _ in }
    case .failure(let refusal): return refusal.status
    }
  }

  /// The reason why the folders of golden files and of results cannot be used; nil if they can.
  var folderProblem: AuthorDiagnostic? {
    let golden = suite.goldenFolder
    return golden.problem(besides: suite.scenarios) ?? suite.missingGoldenFolder
      ?? keptResults.flatMap { golden.problem(keeping: $0) }
  }

  /// Runs the selected scenarios and reports their results.
  ///
  /// - Parameters:
  ///   - isRerun: a Boolean value that indicates whether the command has run before.
  ///   - ended: a function that is called with the verdict of each scenario.
  func run(
    _ selection: SuiteSelection, isRerun: Bool = false, isolation: isolated (any Actor)? = #isolation,
    ended: (ScenarioVerdict) -> Void
  ) async -> ExitStatus {
    let golden = suite.goldenFolder
    let keeper = ResultKeeper(folder: keptResults, suite: suite, context: context)
    let report = RunReport(selection, suite: suite, context: context, isRerun: isRerun)
    context.onSignal {
      report.interrupt()
      remember(report.results)
      return nil
    }
    let judge = ScenarioJudge(
      execute: context.execute, explanationLimit: suite.explains ? 10 : 0, store: suite.store, golden: golden,
      keepingBelow: keeper.isKeeping ? suite.scenarios : nil, keepsExplanations: keeper.isRequired,
      today: context.today)
    await ScenarioRunner(judge: judge, jobs: suite.jobs).run(
      selection.plan.entries,
      progress: { completed, result in report.progress(completed, result) },
      ended: { verdict in
        report.add(verdict.result)
        keeper.update(with: verdict)
        ended(verdict)
      })
    // If scenarios may have been missed, it is unknown which golden files have a scenario.
    if selection.isWhole, selection.plan.problems.isEmpty {
      report.summary.obsolete = golden.obsolete(besides: selection.plan.allNames)
      keeper.removeOthers(than: selection.plan.allNames)
    }
    report.finish()
    let isRemembered = remember(report.results)
    if let problem = keeper.problem, keeper.isRequired || isRemembered {
      let severity = keeper.isRequired ? "error" : "warning"
      context.report("\(severity): the results of failed scenarios could not be kept: \(problem.message)\n")
      if keeper.isRequired { return .broken }
    }
    return report.hasBroken ? .broken : report.summary.status
  }

  /// Stores which scenarios failed. Returns false if that fails, which is reported.
  @discardableResult
  private func remember(_ results: [ScenarioResult]) -> Bool {
    guard !context.environment.isCI else { return true }
    do {
      try FailedScenarios(suite: suite).update(with: results)
      return true
    } catch {
      context.report("warning: the results for '--last-failed' could not be saved: \(error.message)\n")
      return false
    }
  }
}
