internal import Foundation

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
    let golden = GoldenFolder(path: suite.golden)
    if let problem = golden.problem(besides: suite.scenarios) { return surroundings.refuse(problem, suite) }
    let telling = RunTelling(Reporters(suite: suite, surroundings: surroundings), selection)
    telling.summary.isCI = surroundings.environment.isCI
    surroundings.beforeSignal {
      telling.tellUnfinished()
      remember(telling.results)
    }
    ScratchFolder.removeLeftovers()
    let judge = ScenarioJudge(
      execute: surroundings.execute, store: suite.store, golden: golden, today: surroundings.today)
    await ScenarioRunner(judge: judge, jobs: suite.jobs).run(
      selection.plan.entries,
      progress: { completed, result in telling.tellProgress(completed, result) },
      ended: { verdict in telling.tell(verdict.result) })
    // Where scenarios may have been overlooked, nobody knows which golden files are theirs.
    if selection.isWhole, selection.plan.problems.isEmpty {
      telling.summary.obsolete = golden.obsolete(besides: selection.plan.allNames)
    }
    telling.tellEnd()
    remember(telling.results)
    return telling.hasBroken ? .broken : telling.summary.status
  }

  private func remember(_ results: [ScenarioResult]) {
    guard !surroundings.environment.isCI else { return }
    do {
      try FailedScenarios(suite: suite).update(with: results)
    } catch {
      surroundings.errors("warning: '--last-failed' will not know of this run: \(error.message)\n")
    }
  }
}

/// What is told of one run, up to its end or to a signal.
private final class RunTelling {
  private var reporters: Reporters
  private let plan: RunPlan
  var summary = RunSummary()
  private(set) var results: [ScenarioResult] = []
  /// What has ended and waits for others that stand before it in the plan.
  private var waiting: [String: ScenarioResult] = [:]
  private var hasEnded = false

  /// Whether a report could not be written.
  var hasBroken: Bool { reporters.hasBroken }

  init(_ reporters: Reporters, _ selection: SuiteSelection) {
    self.reporters = reporters
    plan = selection.plan
    self.reporters.report(.planned(count: plan.entries.count))
    guard selection.isWhole else { return }
    for problem in plan.problems { self.reporters.report(.problem(problem)) }
    summary.problems = plan.problems.count
  }

  func tellProgress(_ completed: Int, _ result: ScenarioResult) {
    waiting[result.name] = result
    reporters.report(.progressed(completed: completed, hasGoneWrong: result.outcome.hasGoneWrong))
  }

  func tell(_ result: ScenarioResult) {
    waiting[result.name] = nil
    summary.count(result)
    results.append(result)
    reporters.report(.ended(result))
  }

  func tellEnd() {
    hasEnded = true
    reporters.report(.runEnded(summary))
  }

  /// Tells what has ended so far, and how much has not.
  func tellUnfinished() {
    guard !hasEnded else { return }
    for result in waiting.values.sorted(by: { $0.name < $1.name }) { tell(result) }
    summary.unfinished = plan.entries.count - results.count
    tellEnd()
  }
}

/// All that report one run.
private struct Reporters {
  private var reporters: [any RunReporter] = []
  private let broken = Flag()

  private final class Flag { var isSet = false }

  /// Whether a report could not be written.
  var hasBroken: Bool { broken.isSet }

  init(suite: SuiteOptions, surroundings: CommandSurroundings) {
    let environment = surroundings.environment
    let renderer = ScenarioRenderer(
      isColored: environment.isColored(suite.color), blessCommand: suite.command("bless"))
    reporters.append(
      TextReporter(
        renderer: renderer, isVerbose: suite.isVerbose,
        isTerminal: environment.isTerminal && environment.variables["TERM"] != "dumb",
        checkCommand: suite.command("check"), pruneCommand: suite.command("bless") + " --prune",
        elapsed: surroundings.elapsed, output: surroundings.output))
    guard environment.isGitHubActions else { return }
    let broken = broken
    reporters.append(
      GitHubReporter(
        output: surroundings.output,
        appendToSummary: { text in
          guard let path = environment.variables["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
          do throws(FileProblem) {
            try FileBytes.write((FileBytes.read(path) ?? []) + Array(text.utf8), to: path)
          } catch {
            surroundings.errors("error: the summary of the step: \(error.message)\n")
            broken.isSet = true
          }
        }))
  }

  mutating func report(_ event: RunEvent) {
    for index in reporters.indices { reporters[index].report(event) }
  }
}
