/// The `recordspec run` command. It runs scenarios, compares their results and reports them. It writes nothing below
/// the folder of golden files.
package struct RunCommandFlow {
  private let suite: SuiteOptions
  private let options: SelectionOptions
  private let context: CommandContext

  package init(suite: SuiteOptions, options: SelectionOptions, context: CommandContext) {
    self.suite = suite
    self.options = options
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    let selection: SuiteSelection
    switch SuiteSelection.find(suite: suite, options: options, context: context) {
    case .success(let found): selection = found
    case .failure(let refusal): return refusal.status
    }
    let golden = suite.goldenFolder
    if let problem = golden.problem(besides: suite.scenarios) { return context.refuse(problem, suite) }
    let report = RunReport(selection, suite: suite, context: context)
    context.onSignal {
      report.interrupt()
      remember(report.results)
    }
    ScratchFolder.removeLeftovers()
    let judge = ScenarioJudge(
      execute: context.execute, store: suite.store, golden: golden, today: context.today)
    await ScenarioRunner(judge: judge, jobs: suite.jobs).run(
      selection.plan.entries,
      progress: { completed, result in report.progress(completed, result) },
      ended: { verdict in report.add(verdict.result) })
    // If scenarios may have been missed, it is unknown which golden files have a scenario.
    if selection.isWhole, selection.plan.problems.isEmpty {
      report.summary.obsolete = golden.obsolete(besides: selection.plan.allNames)
    }
    report.finish()
    remember(report.results)
    return report.hasBroken ? .broken : report.summary.status
  }

  private func remember(_ results: [ScenarioResult]) {
    guard !context.environment.isCI else { return }
    do {
      try FailedScenarios(suite: suite).update(with: results)
    } catch {
      context.report("warning: the results for '--last-failed' could not be saved: \(error.message)\n")
    }
  }
}
