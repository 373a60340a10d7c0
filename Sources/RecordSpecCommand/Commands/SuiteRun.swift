import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The run of a suite. It writes nothing below the folder of golden files.
struct SuiteRun {
  let options: SelectionOptions
  let control: RunControl
  let golden: GoldenFolder
  let context: CommandContext
  /// The adapters of scenarios that run an app.
  var adapters = AppAdapters()
  var suite: SuiteOptions { context.suite }

  /// Runs the selected scenarios once, or describes the run.
  func start(isolation: isolated (any Actor)? = #isolation) async throws(Refusal) -> ExitStatus {
    let describesOnly = control.listsNames || control.isDryRun
    if !describesOnly {
      try checkReports()
      // No report of an earlier run must be mistaken for one of a run that is refused.
      try context.attempt("the report ") { () throws(FileProblem) in
        for path in control.reports.compactMap(\.path) { try ReportFile.empty(path) }
      }
    }
    let selection = try SuiteSelection.find(options, in: context)
    if let problem = folderProblem { throw context.refuse(problem) }
    let prepared = PreparedRun(
      selection, control, adapters: adapters.names, store: suite.store,
      durations: try control.durations(in: context))
    guard describesOnly else {
      ScratchFolder.removeLeftovers()
      return try await run(prepared)
    }
    context.output(control.isDryRun ? description(of: prepared) : prepared.names)
    context.errors(context.renderer.text(of: prepared.problems))
    return prepared.problems.isEmpty ? .success : .invalid
  }

  /// Refuses reports that would replace what the run reads.
  private func checkReports() throws(Refusal) {
    guard let obstacle = suite.obstacle(to: control.reports, timings: control.timings) else { return }
    let settings = suite.settings
    guard control.reports == settings.reports, control.timings == settings.timings else {
      throw context.refuse(.usage, obstacle)
    }
    let file = ReadableFolders.settingsFile(around: suite.scenarios)
    throw context.refuse(AuthorDiagnostic(.conflictingKeys, at: .file(file), obstacle))
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
    ended: (ScenarioVerdict) -> Void = { _ in }
  ) async throws(Refusal) -> ExitStatus {
    let keeper = ResultKeeper(folder: control.keptResults, context: context)
    let report = try report(on: prepared, hasOtherFiles: keeper.isRequired, isRerun: isRerun)
    var judge = ScenarioJudge(execute: context.execute, golden: golden, today: context.today)
    judge.executeApp = adapters.executor
    judge.explanationLimit = suite.explains ? 10 : 0
    judge.store = suite.store
    judge.root = keeper.isKeeping ? suite.scenarios : nil
    judge.keepsExplanations = keeper.isRequired
    judge.collectsDetails = control.needsDetails
    report.summary.notRun = await ScenarioRunner(judge: judge, jobs: suite.jobs, limits: control.limits).run(
      prepared.entries,
      started: report.showsProgress ? { report.start($0.shownName) } : nil,
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
    await adapters.stop()
    var (status, problems) = report.finish()
    if !control.reports.contains(where: { $0.path == nil && $0.format != .text }),
      let remark = suite.remark(onMissingAdapters: report.lackingAdapter, "run")
    {
      context.output(remark)
    }
    if status == .success, report.lackingAdapter > 0, report.summary[.skipped] == prepared.run.count {
      status = .nothingSelected
    }
    let isRemembered = remember(report.hasFailed)
    if let problem = keeper.problem, keeper.isRequired || isRemembered {
      let severity = keeper.isRequired ? "error" : "warning"
      context.report("\(severity): the results of failed scenarios could not be kept: \(problem.message)\n")
    }
    context.attemptReport(problems)
    return keeper.problem != nil && keeper.isRequired ? .broken : status
  }

  /// Starts the report on a run, which a signal ends.
  private func report(
    on prepared: PreparedRun, hasOtherFiles: Bool, isRerun: Bool
  ) throws(Refusal) -> RunReport {
    let reporters = try context.attempt("the report ") { () throws(FileProblem) in
      try Reporters(
        control.reports, slowest: control.slowest, includesDetails: control.includesDetails,
        hasOtherFiles: hasOtherFiles, context: context, isRerun: isRerun)
    }
    let renderer = ScenarioRenderer(
      isColored: context.isColored, blessCommand: suite.command("bless") + adapters.options)
    let isVerbose = suite.isVerbose
    let report = RunReport(
      prepared.run, problems: prepared.problems.map { ReportedProblem($0, context.renderer) }, reporters,
      isCI: context.environment.isCI, presenting: { renderer.reported($0, isVerbose: isVerbose) })
    context.onSignal {
      let problems = report.interrupt(prepared.entries, jobs: suite.jobs)
      remember(report.hasFailed)
      context.attemptReport(problems)
      return nil
    }
    return report
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
