import RecordSpec
import ScenarioReport
import ScenarioRun

/// The report of one run, until the run ends or a signal arrives.
final class RunReport {
  private var reporters: Reporters
  private let run: PlannedRun
  var summary = RunSummary()
  /// The scenarios that have ended, by name, with a Boolean value that indicates whether each has failed. The rest of a
  /// result is not kept, so that a large suite needs little memory.
  private(set) var hasFailed: [String: Bool] = [:]
  private let present: (ScenarioVerdict) -> ReportedScenario
  /// The results that wait for the results of scenarios before them in the plan, by their positions.
  private var waiting: [Int: ScenarioVerdict] = [:]
  /// The positions of the scenarios that have ended.
  private var ended: Set<Int> = []
  /// The number of scenarios that did not run for lack of an adapter.
  private(set) var lackingAdapter = 0
  private var isFinished = false

  /// Starts the report.
  ///
  /// - Parameters:
  ///   - problems: the problems that belong to no scenario.
  ///   - present: a function that returns a verdict as reporters present it.
  init(
    _ run: PlannedRun, problems: [ReportedProblem] = [], _ reporters: Reporters, isCI: Bool,
    presenting present: @escaping (ScenarioVerdict) -> ReportedScenario
  ) {
    self.run = run
    self.reporters = reporters
    self.present = present
    summary.isCI = isCI
    self.reporters.report(.planned(run))
    for problem in problems { self.reporters.report(.problem(problem)) }
    summary.problems = problems.count
  }

  /// A Boolean value that indicates whether a reporter shows the progress of the run, and thus which scenarios have started.
  var showsProgress: Bool { reporters.showsProgress }

  /// Reports that a scenario has started.
  func start(_ name: String) { reporters.report(.started(name: name)) }

  /// Reports that a scenario has ended, in the order in which scenarios end.
  func progress(_ completed: Int, _ verdict: ScenarioVerdict) {
    waiting[verdict.index] = verdict
    reporters.report(
      .progressed(completed: completed, name: verdict.shownName, hasGoneWrong: verdict.outcome.hasGoneWrong))
  }

  /// Adds a result to the report.
  func add(_ verdict: ScenarioVerdict) {
    waiting[verdict.index] = nil
    ended.insert(verdict.index)
    if verdict.lacksAdapter { lackingAdapter += 1 }
    let scenario = present(verdict)
    summary.count(scenario)
    hasFailed[verdict.name] = hasFailed[verdict.name] ?? false || scenario.outcome.isFailure
    reporters.report(.ended(scenario))
    if let details = verdict.details { reporters.report(.detailed(details)) }
  }

  /// Finishes the report. Returns the exit status of the run, and messages about the reports that could not be written.
  func finish() -> (status: ExitStatus, problems: [String]) {
    isFinished = true
    reporters.report(.runEnded(summary))
    let problems = reporters.problems
    return (problems.isEmpty ? summary.status : .broken, problems)
  }

  /// Finishes the report with the results so far, and counts the scenarios without a result. Those that were running are named,
  /// because one of them may be the reason for the interruption.
  ///
  /// - Parameters:
  ///   - entries: the scenarios of the run, in the order in which they start.
  ///   - jobs: the number of scenarios that run concurrently.
  /// - Returns: Messages about the reports that could not be written.
  func interrupt(_ entries: [RunPlan.Entry], jobs: Int) -> [String] {
    guard !isFinished else { return [] }
    for verdict in waiting.values.sorted(by: { $0.index < $1.index }) { add(verdict) }
    for entry in entries.lazy.filter({ [ended] in !ended.contains($0.index) }).prefix(jobs) {
      let breakage = Breakage(
        "the run was interrupted before the scenario ended",
        advice: "'--timeout' gives up a scenario that takes long")
      add(ScenarioVerdict(on: entry, breakage, duration: .zero, files: []))
    }
    summary.unfinished = run.count - ended.count
    return finish().problems
  }
}
