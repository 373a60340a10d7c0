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
    var reporters = Reporters(suite: suite, surroundings: surroundings)
    var summary = RunSummary()
    summary.isCI = surroundings.environment.isCI
    var results: [ScenarioResult] = []

    reporters.report(.planned(count: selection.plan.entries.count))
    if selection.isWhole {
      for problem in selection.plan.problems { reporters.report(.problem(problem)) }
      summary.problems = selection.plan.problems.count
    }
    let judge = ScenarioJudge(
      execute: surroundings.execute, store: suite.store, golden: golden, today: surroundings.today)
    await ScenarioRunner(judge: judge, jobs: suite.jobs).run(
      selection.plan.entries,
      progress: { completed, result in
        reporters.report(.progressed(completed: completed, hasGoneWrong: result.outcome.hasGoneWrong))
      },
      ended: { verdict in
        summary.count(verdict.result)
        results.append(verdict.result)
        reporters.report(.ended(verdict.result))
      })
    // Where scenarios may have been overlooked, nobody knows which golden files are theirs.
    if selection.isWhole, selection.plan.problems.isEmpty {
      summary.obsolete = golden.obsolete(besides: selection.plan.allNames)
    }
    reporters.report(.runEnded(summary))
    remember(results)
    return reporters.hasBroken ? .broken : summary.status
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
