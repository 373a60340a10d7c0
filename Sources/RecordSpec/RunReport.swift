/// The report of one run, until the run ends or a signal arrives.
final class RunReport {
  private var reporters: Reporters
  private let plan: RunPlan
  var summary = RunSummary()
  private(set) var results: [ScenarioResult] = []
  /// The results that wait for the results of scenarios before them in the plan.
  private var waiting: [String: ScenarioResult] = [:]
  private var isFinished = false

  /// A Boolean value that indicates whether a report could not be written.
  var hasBroken: Bool { reporters.hasBroken }

  /// Starts the report.
  ///
  /// - Parameter isRerun: a Boolean value that indicates whether the command has run before.
  init(_ selection: SuiteSelection, suite: SuiteOptions, context: CommandContext, isRerun: Bool = false) {
    reporters = Reporters(suite: suite, context: context, isRerun: isRerun)
    plan = selection.plan
    summary.isCI = context.environment.isCI
    reporters.report(.planned(count: plan.entries.count))
    guard selection.isWhole else { return }
    for problem in plan.problems { reporters.report(.problem(problem)) }
    summary.problems = plan.problems.count
  }

  /// Reports that a scenario has ended, in the order in which scenarios end.
  func progress(_ completed: Int, _ result: ScenarioResult) {
    waiting[result.name] = result
    reporters.report(.progressed(completed: completed, hasGoneWrong: result.outcome.hasGoneWrong))
  }

  /// Adds a result to the report.
  func add(_ result: ScenarioResult) {
    waiting[result.name] = nil
    summary.count(result)
    results.append(result)
    reporters.report(.ended(result))
  }

  func finish() {
    isFinished = true
    reporters.report(.runEnded(summary))
  }

  /// Finishes the report with the results so far, and counts the scenarios without a result.
  func interrupt() {
    guard !isFinished else { return }
    for result in plan.entries.compactMap({ waiting[$0.file.name] }) { add(result) }
    summary.unfinished = plan.entries.count - results.count
    finish()
  }
}

/// The reporters of one run.
private struct Reporters {
  private var reporters: [any RunReporter] = []
  private let broken = Flag()

  private final class Flag { var isSet = false }

  /// A Boolean value that indicates whether a report could not be written.
  var hasBroken: Bool { broken.isSet }

  init(suite: SuiteOptions, context: CommandContext, isRerun: Bool) {
    let environment = context.environment
    let start = isRerun ? context.elapsed() : .zero
    let renderer = ScenarioRenderer(
      isColored: environment.isColored(suite.color), blessCommand: suite.command("bless"))
    reporters.append(
      TextReporter(
        renderer: renderer, isVerbose: suite.isVerbose,
        isTerminal: environment.isTerminal && environment.variables["TERM"] != "dumb",
        checkCommand: suite.command("check"), pruneCommand: suite.command("bless") + " --prune",
        elapsed: { context.elapsed() - start }, output: context.output))
    guard environment.isGitHubActions else { return }
    let broken = broken
    reporters.append(
      GitHubReporter(
        output: context.output,
        appendToSummary: { text in
          guard let path = environment.variables["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
          do throws(FileProblem) {
            // The file may be a link, which is followed, because it belongs to the runner and not to the checkout.
            try FileBytes.write(
              (FileBytes.read(path) ?? []) + Array(text.utf8), to: FileAccess.resolved(path))
          } catch {
            context.report("error: the GitHub step summary could not be written: \(error.message)\n")
            broken.isSet = true
          }
        }))
  }

  mutating func report(_ event: RunEvent) {
    for index in reporters.indices { reporters[index].report(event) }
  }
}
