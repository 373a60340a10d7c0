import ArgumentParser
import JSONTree
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// Groups the changes of golden files into questions and writes the files of which all changes are accepted. Never overrides
/// what an author expects.
struct ReviewCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Accept or reject the changes of golden files, one question for the same change in many files.",
    discussion: """
      A golden file is written when all of its changes are accepted. Without a terminal, the command lists the changes \
      with their identifiers:
        recordspec review
        recordspec review --accept 3f9a01c2

      A scenario whose own expectations fail cannot be reviewed: fix it first.
      """)

  @OptionGroup var suite: SuiteArguments
  @OptionGroup var golden: GoldenArguments
  @OptionGroup var jobs: JobsArgument
  @OptionGroup var adapters: AdapterArguments
  @OptionGroup var selection: SelectionArguments

  @Option(
    help: ArgumentHelp(
      "Accept the change with this identifier, and ask nothing. Repeatable.", valueName: "id"))
  var accept: [String] = []

  @Flag(help: "Print the changes as JSON, and ask nothing.")
  var json = false

  @Flag(help: "Also review new golden files for responses without records that 'expect:' does not mention.")
  var allowDiagnostics = false

  func validate() throws {
    if adapters.adapter.count > 1 {
      throw ValidationError("only one '--adapter' can be reviewed at a time; 'bless' compares several")
    }
    if json, !accept.isEmpty { throw ValidationError("'--json' cannot be combined with '--accept'") }
  }

  var writesFiles: Bool { !accept.isEmpty }

  var suiteOptions: SuiteOptions { suite.options(golden, jobs: jobs, adapters: adapters) }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    if !accept.isEmpty, context.environment.isCI {
      throw context.refuse(
        .usage,
        "changes cannot be accepted in CI ('CI' or 'TF_BUILD' is set); review them on your machine")
    }
    let golden = context.suite.goldenFolder
    if let problem = golden.problem(besides: context.suite.scenarios) { throw context.refuse(problem) }
    let selection = try SuiteSelection.find(self.selection.options, in: context)
    ScratchFolder.removeLeftovers()
    let asks = !json && accept.isEmpty && context.environment.isInteractive
    let adapters = try adapters.adapters(in: context)
    var results = await results(
      of: selection.plan.entries, golden, adapters, explanations: asks ? Self.explanations : 0, in: context)
    await adapters.stop()
    if selection.isWhole { results.report(selection.plan.problems, context) }
    let review = Review(results.files, golden: golden, context: context) { command($0, in: context.suite) }
    if json {
      let form = ReviewRenderer.json(
        review.questions, failing: results.failing, notReviewed: results.objections + results.unreadable)
      context.output(form.canonicalText())
    } else if !accept.isEmpty {
      golden.removeLeftovers()
      guard review.accept(accept) else { return .usage }
    } else if asks {
      golden.removeLeftovers()
      await review.ask()
    } else {
      review.list()
    }
    if !json { results.reportFailing(context) }
    for name in review.written.intersection(results.kept).sorted() {
      context.report(ScenarioJudge.noteOnKeptResult(of: name))
    }
    if let remark = context.suite.remark(onMissingAdapters: results.lackingAdapter, "review") {
      context.report(remark)
    }
    if review.hasFailed || results.status == .broken { return .broken }
    if results.status != .success { return results.status }
    if results.lackingAdapter > 0, results.lackingAdapter == selection.plan.entries.count {
      return .nothingSelected
    }
    return review.hasPending ? .failed : .success
  }

  /// The maximum number of differences of a file that are explained.
  private static let explanations = 10

  /// Returns the command with further arguments, which begin with a space, as the user would type it.
  private func command(_ arguments: String, in suite: SuiteOptions) -> String {
    suite.command("review") + (allowDiagnostics ? " --allow-diagnostics" : "") + arguments
      + selection.options.text
  }
}

// Results
extension ReviewCommand {
  /// The results of the selected scenarios.
  private struct Results {
    var files: [PendingFile] = []
    /// The names of the scenarios that fail for another reason than their golden file.
    var failing: [String] = []
    /// The scenarios that are not reviewed, with the reason and how to review them.
    var objections: [ReviewObjection] = []
    /// The scenarios whose golden files cannot be read, which is reported at once.
    var unreadable: [ReviewObjection] = []
    /// The names of the scenarios whose results are those of their last test run.
    var kept: Set<String> = []
    /// The number of scenarios that did not run for lack of an adapter.
    var lackingAdapter = 0
    var status = ExitStatus.success

    /// Reports the problems that belong to no scenario.
    mutating func report(_ problems: [AuthorDiagnostic], _ context: CommandContext) {
      guard !problems.isEmpty else { return }
      status.raise(to: context.refuse(problems).status)
    }

    /// Adds a result: as a file to review, or as a scenario that is not reviewed.
    mutating func add(_ verdict: ScenarioVerdict, allowsDiagnostics: Bool, _ context: CommandContext) {
      let name = verdict.name
      do throws(FileProblem) {
        guard let file = try PendingFile(verdict) else {
          guard verdict.outcome.hasGoneWrong else { return }
          failing.append(name)
          status.raise(to: verdict.outcome.reviewStatus)
          return
        }
        if let objection = file.objection, !allowsDiagnostics {
          status.raise(to: .failed)
          objections.append(
            ReviewObjection(
              scenario: name, reason: objection, help: "if this is correct, use '--allow-diagnostics'"))
        } else {
          files.append(file)
        }
      } catch {
        context.report("error: \(error.message)\n")
        unreadable.append(ReviewObjection(scenario: name, reason: error.message))
        status.raise(to: .broken)
      }
    }

    func reportFailing(_ context: CommandContext) {
      for objection in objections {
        let help = objection.help.map { "; \($0)" } ?? ""
        context.report("\(objection.scenario) is not reviewed: \(objection.reason)\(help)\n")
      }
      guard !failing.isEmpty else { return }
      let shown = 5
      let list = failing.prefix(shown).map { " " + ShellText.quoted($0) }.joined()
      let count =
        failing.count == 1
        ? "1 scenario is not reviewed, because it fails apart from its golden file"
        : "\(failing.count) scenarios are not reviewed, because they fail apart from their golden files"
      let rest = failing.count > shown ? "; the first \(shown) are shown by" : "; see"
      context.report("\(count)\(rest): \(context.suite.command("run"))\(list)\n")
    }
  }

  private func results(
    of entries: [RunPlan.Entry], _ golden: GoldenFolder, _ adapters: AppAdapters, explanations: Int,
    in context: CommandContext,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Results {
    var judge = ScenarioJudge(execute: context.execute, golden: golden, today: context.today)
    judge.explanationLimit = explanations
    judge.executeApp = adapters.executor
    var results = Results()
    let kept = KeptResults(besides: context.suite.scenarios)
    await ScenarioRunner(judge: judge, jobs: context.suite.jobs).run(entries) { verdict in
      let name = verdict.name
      switch judge.verdictOnKeptResult(of: verdict, in: kept, below: context.suite.scenarios) {
      case nil:
        if verdict.lacksAdapter { results.lackingAdapter += 1 }
        results.add(verdict, allowsDiagnostics: allowDiagnostics, context)
      case .success(let found)?:
        results.kept.insert(name)
        results.add(found, allowsDiagnostics: allowDiagnostics, context)
      case .failure(let refusal)?:
        results.status.raise(to: .failed)
        results.objections.append(ReviewObjection(scenario: name, reason: refusal.reason))
      }
    }
    return results
  }
}

extension ScenarioOutcome {
  /// The exit status for a scenario that fails for another reason than its golden file.
  fileprivate var reviewStatus: ExitStatus {
    switch self {
    case .invalid: .invalid
    case .broken: .broken
    default: .failed
    }
  }
}
