/// `recordspec run`: runs scenarios, compares, tells. Writes nothing below the golden files' folder.
package struct RunCommandFlow {
  private let suite: SuiteOptions
  private let options: SelectionOptions
  private let surroundings: CommandSurroundings

  package init(suite: SuiteOptions, options: SelectionOptions, surroundings: CommandSurroundings) {
    self.suite = suite
    self.options = options
    self.surroundings = surroundings
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    let selection: SuiteSelection
    switch SuiteSelection.find(suite: suite, options: options, surroundings: surroundings) {
    case .success(let found): selection = found
    case .failure(let refusal): return refusal.status
    }
    let golden = suite.goldenFolder
    if let problem = golden.problem(besides: suite.scenarios) { return surroundings.refuse(problem, suite) }
    let report = RunReport(selection, suite: suite, surroundings: surroundings)
    surroundings.onSignal {
      report.interrupt()
      remember(report.results)
    }
    ScratchFolder.removeLeftovers()
    let judge = ScenarioJudge(
      execute: surroundings.execute, store: suite.store, golden: golden, today: surroundings.today)
    await ScenarioRunner(judge: judge, jobs: suite.jobs).run(
      selection.plan.entries,
      progress: { completed, result in report.progress(completed, result) },
      ended: { verdict in report.add(verdict.result) })
    // Where scenarios may have been overlooked, nobody knows which golden files are theirs.
    if selection.isWhole, selection.plan.problems.isEmpty {
      report.summary.obsolete = golden.obsolete(besides: selection.plan.allNames)
    }
    report.finish()
    remember(report.results)
    return report.hasBroken ? .broken : report.summary.status
  }

  private func remember(_ results: [ScenarioResult]) {
    guard !surroundings.environment.isCI else { return }
    do {
      try FailedScenarios(suite: suite).update(with: results)
    } catch {
      surroundings.report("warning: '--last-failed' will not know of this run: \(error.message)\n")
    }
  }
}
