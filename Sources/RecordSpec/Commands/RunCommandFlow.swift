import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec run` command. It runs scenarios, compares their results and reports them. It writes nothing below
/// the folder of golden files.
package struct RunCommandFlow {
  let suite: SuiteOptions
  let golden: GoldenFolder
  let options: SelectionOptions
  let control: RunControl
  let context: CommandContext

  package init(
    suite: SuiteOptions, options: SelectionOptions, control: RunControl = RunControl(),
    context: CommandContext
  ) {
    self.suite = suite
    golden = suite.goldenFolder
    self.options = options
    self.control = control
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    let describesOnly = control.listsNames || control.isDryRun
    if !describesOnly {
      if let obstacle = suite.obstacle(to: control.reports, timings: control.timings) {
        let settings = suite.settings
        guard control.reports == settings.reports, control.timings == settings.timings else {
          context.report("error: \(obstacle)\n")
          return .usage
        }
        let file = ReadableFolders.settingsFile(around: suite.scenarios)
        return context.refuse(AuthorDiagnostic(.conflictingKeys, at: .file(file), obstacle), suite)
      }
      if !emptyReports() { return .broken }
    }
    switch SuiteSelection.find(suite: suite, options: options, context: context) {
    case .success(let selection):
      if let problem = folderProblem { return context.refuse(problem, suite) }
      let durations: [String: Duration]
      do throws(RunControl.TimingsProblem) {
        durations = try control.durations { context.report("warning: \($0)\n") }
      } catch {
        context.report("error: \(error.message)\n")
        return .invalid
      }
      let prepared = PreparedRun(selection, control, suite, durations: durations)
      if describesOnly {
        context.output(control.isDryRun ? description(of: prepared) : prepared.names)
        let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
        context.errors(renderer.text(of: prepared.problems))
        return prepared.problems.isEmpty ? .success : .invalid
      }
      ScratchFolder.removeLeftovers()
      return await run(prepared) { _ in }
    case .failure(let refusal): return refusal.status
    }
  }

  /// Empties the files of the reports, so that no report of an earlier run is mistaken for one of a run that is refused.
  /// Returns false if that fails, which is reported.
  private func emptyReports() -> Bool {
    do throws(FileProblem) {
      for path in control.reports.compactMap(\.path) { try ReportFile.empty(path) }
      return true
    } catch {
      context.report("error: the report \(error.message)\n")
      return false
    }
  }

  /// The reason why the folders of golden files and of results cannot be used; nil if they can.
  var folderProblem: AuthorDiagnostic? {
    golden.problem(besides: suite.scenarios) ?? suite.missingGoldenFolder
      ?? control.keptResults.flatMap { folder in
        golden.problem(
          keeping: folder,
          settings: folder == suite.settings.keptResults
            ? ReadableFolders.settingsFile(around: suite.scenarios) : nil)
      }
  }

  /// Runs scenarios and reports their results.
  ///
  /// - Parameters:
  ///   - isRerun: a Boolean value that indicates whether the command has run before.
  ///   - ended: a function that is called with the verdict of each scenario.
  func run(
    _ prepared: PreparedRun, isRerun: Bool = false, isolation: isolated (any Actor)? = #isolation,
    ended: (ScenarioVerdict) -> Void
  ) async -> ExitStatus {
    let keeper = ResultKeeper(folder: control.keptResults, suite: suite, context: context)
    let reporters: Reporters
    do throws(FileProblem) {
      reporters = try Reporters(
        control.reports, suite: suite, slowest: control.slowest, includesDetails: control.includesDetails,
        hasOtherFiles: keeper.isRequired, context: context, isRerun: isRerun)
    } catch {
      context.report("error: the report \(error.message)\n")
      return .broken
    }
    let isColored = context.environment.isColored(suite.color)
    let renderer = ScenarioRenderer(isColored: isColored, blessCommand: suite.command("bless"))
    let report = RunReport(
      prepared.run,
      problems: prepared.problems.map { ReportedProblem($0, DiagnosticRenderer(isColored: isColored)) },
      reporters, isCI: context.environment.isCI,
      presenting: { [suite] in renderer.reported($0, isVerbose: suite.isVerbose) })
    context.onSignal {
      let problems = report.interrupt(prepared.entries, jobs: suite.jobs)
      remember(report.hasFailed)
      context.attemptReport(problems)
      return nil
    }
    let judge = ScenarioJudge(
      execute: context.execute, explanationLimit: suite.explains ? 10 : 0, store: suite.store, golden: golden,
      root: keeper.isKeeping ? suite.scenarios : nil, keepsExplanations: keeper.isRequired,
      collectsDetails: control.needsDetails, today: context.today)
    report.summary.notRun = await ScenarioRunner(judge: judge, jobs: suite.jobs, limits: control.limits).run(
      prepared.entries,
      started: report.showsProgress ? { report.start($0.file.name) } : nil,
      progress: { completed, verdict in report.progress(completed, verdict) },
      ended: { verdict in
        report.add(verdict)
        keeper.update(with: verdict)
        ended(verdict)
      })
    if let names = prepared.allNames {
      report.summary.obsolete = golden.obsolete(besides: names)
      keeper.removeOthers(than: names)
    }
    let (status, problems) = report.finish()
    let isRemembered = remember(report.hasFailed)
    if let problem = keeper.problem, keeper.isRequired || isRemembered {
      let severity = keeper.isRequired ? "error" : "warning"
      context.report("\(severity): the results of failed scenarios could not be kept: \(problem.message)\n")
    }
    context.attemptReport(problems)
    return keeper.problem != nil && keeper.isRequired ? .broken : status
  }

  /// Stores which scenarios failed. Returns false if that fails, which is reported.
  @discardableResult
  private func remember(_ hasFailed: [String: Bool]) -> Bool {
    guard context.environment.remembersFailures else { return true }
    do {
      try FailedScenarios(suite: suite).update(with: hasFailed)
      return true
    } catch {
      context.report("warning: the results for '--last-failed' could not be saved: \(error.message)\n")
      return false
    }
  }
}
