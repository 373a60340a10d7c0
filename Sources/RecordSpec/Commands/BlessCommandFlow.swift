import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec bless` command. It writes a golden file if nothing else differs from the result, and shows the
/// changes. It never overrides what an author expects.
package struct BlessCommandFlow {
  private let suite: SuiteOptions
  private let options: SelectionOptions
  private let context: CommandContext
  private let renderer: ScenarioRenderer
  private let golden: GoldenFolder

  /// A Boolean value that indicates whether new golden files are written for responses without records that scenarios
  /// do not expect.
  private let allowsDiagnostics: Bool

  package init(
    suite: SuiteOptions, options: SelectionOptions, allowsDiagnostics: Bool = false, context: CommandContext
  ) {
    self.suite = suite
    golden = suite.goldenFolder
    self.options = options
    self.allowsDiagnostics = allowsDiagnostics
    self.context = context
    renderer = ScenarioRenderer(
      isColored: context.environment.isColored(suite.color), blessCommand: suite.command("bless"))
  }

  /// Returns a Boolean value that indicates whether the command is refused, because it runs in CI. A person must review
  /// the changes.
  private func isRefusedInCI() -> Bool {
    guard context.environment.isCI else { return false }
    context.report(
      "error: golden files cannot be blessed in CI ('CI' or 'TF_BUILD' is set); bless them on your machine and commit them\n"
    )
    return true
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    if isRefusedInCI() { return .usage }
    if let problem = golden.problem(besides: suite.scenarios) { return context.refuse(problem, suite) }
    let selection: SuiteSelection
    switch SuiteSelection.find(suite: suite, options: options, context: context) {
    case .success(let found): selection = found
    case .failure(let refusal): return refusal.status
    }
    let blessing = GoldenFileWriter(
      golden: golden, renderer: renderer, isVerbose: suite.isVerbose, allowsDiagnostics: allowsDiagnostics,
      count: selection.plan.entries.count)
    context.onSignal {
      context.output(blessing.summary + "\n")
      return nil
    }
    ScratchFolder.removeLeftovers()
    golden.removeLeftovers()
    if selection.isWhole { context.output(blessing.tell(selection.plan.problems)) }
    let judge = ScenarioJudge(execute: context.execute, golden: golden, today: context.today)
    let kept = KeptResults(besides: suite.scenarios)
    await ScenarioRunner(judge: judge, jobs: suite.jobs).run(selection.plan.entries) { verdict in
      guard verdict.needsSwiftCode else {
        blessing.bless(verdict, show: context.output)
        return
      }
      switch judge.verdictOnKeptResult(of: verdict, in: kept, below: suite.scenarios) {
      case .failure(let refusal): blessing.refuse(verdict, refusal.reason, show: context.output)
      case .success(let kept):
        guard blessing.bless(kept, show: context.output) else { return }
        context.report(ScenarioJudge.noteOnKeptResult(of: kept.name))
      }
    }
    if let remark = ScenarioRenderer.remark(
      hiddenWarnings: blessing.hiddenWarnings, checkCommand: suite.command("check"))
    {
      context.output(remark)
    }
    context.output(blessing.summary + "\n")
    return blessing.status
  }

  /// Performs `recordspec bless --prune`, which removes golden files without a scenario and blesses nothing.
  package func prune() -> ExitStatus {
    if isRefusedInCI() { return .usage }
    if let problem = golden.problem(besides: suite.scenarios) { return context.refuse(problem, suite) }
    let found = ScenarioFiles(below: suite.scenarios, allowingOutside: suite.allowedFolders)
    guard found.diagnostics.isEmpty else {
      context.errors(DiagnosticRenderer(isColored: renderer.isColored).text(of: found.diagnostics))
      context.report(
        "error: no golden file was removed, because some scenarios could not be found; fix the errors above first\n"
      )
      return .invalid
    }
    guard golden.isThere else {
      return context.refuse(
        AuthorDiagnostic(.unreadableFile, at: .file(golden.path), "the folder does not exist"), suite)
    }
    if let problem = golden.unreadableFolder {
      context.report("error: \(problem.message)\n")
      return .broken
    }
    golden.removeLeftovers()
    var removed = 0
    var kept = 0
    var isBroken = false
    for file in golden.obsolete(besides: found.files.map(\.name)) {
      do throws(FileProblem) {
        switch try golden.remove(file) {
        case .removed:
          context.output("removed \(file)\n")
          removed += 1
        case .gone: break
        case .foreign:
          // The user may have named a folder of other JSON files by mistake.
          context.report(
            "error: '\(file)' is not a golden file; remove it by hand if it is not needed\n")
          kept += 1
        }
      } catch {
        context.report("error: \(error.message)\n")
        kept += 1
        isBroken = true
      }
    }
    context.output(removed + kept == 0 ? "no golden files to remove\n" : "\(removed) removed, \(kept) kept\n")
    return isBroken ? .broken : kept > 0 ? .failed : .success
  }
}

/// A writer that blesses scenarios one after the other and counts the results.
private final class GoldenFileWriter {
  let golden: GoldenFolder
  let renderer: ScenarioRenderer
  let isVerbose: Bool
  let allowsDiagnostics: Bool
  private(set) var status = ExitStatus.success
  private var warnings = WarningCount()
  /// The number of warnings that are not shown.
  var hiddenWarnings: Int { warnings.hidden }
  private var told = ToldProblems()
  private var blessed = 0
  private var unchanged = 0
  private var refused = 0
  /// The number of scenarios that have not been processed.
  private var left: Int

  init(
    golden: GoldenFolder, renderer: ScenarioRenderer, isVerbose: Bool, allowsDiagnostics: Bool, count: Int
  ) {
    left = count
    self.allowsDiagnostics = allowsDiagnostics
    self.golden = golden
    self.renderer = renderer
    self.isVerbose = isVerbose
  }

  var summary: String {
    let rest = left > 0 ? ", \(left) not finished" : ""
    return "\(blessed) blessed, \(unchanged) unchanged, \(refused) refused" + rest
  }

  /// Returns the text of the problems that belong to no scenario.
  func tell(_ problems: [AuthorDiagnostic]) -> String {
    if !problems.isEmpty { raise(.invalid) }
    return problems.map { DiagnosticRenderer(isColored: renderer.isColored).text(of: $0) + "\n" }.joined()
  }

  /// Shows the result of one scenario, then writes its golden file. If the output fails, the process ends before the
  /// file is written.
  ///
  /// - Returns: true if the golden file was written.
  @discardableResult
  func bless(_ verdict: ScenarioVerdict, show: (String) -> Void) -> Bool {
    left -= 1
    let name = verdict.name
    warnings.count(renderer.reported(verdict).warnings, areShown: verdict.isRefused)
    switch verdict.outcome {
    case .passed:
      unchanged += 1
      if isVerbose { show("same    \(name)\n") }
    case .skipped, .expectedFailure: show(renderer.text(of: verdict, isVerbose: true))
    case .new(_, let overview) where overview.objection != nil && !allowsDiagnostics:
      show(refuse(verdict, .failed, "not blessed, because the result may be a mistake"))
    case .new: return write(verdict, show)
    case .failed(let failure) where !failure.isGoldenFileOnly:
      if !failure.golden.canBeBlessed { raise(.broken) }
      show(refuse(verdict, .failed, "not blessed: fix the failed expectations first"))
    case .failed(let failure) where !failure.golden.canBeBlessed:
      show(
        refuse(
          verdict, .broken, "not blessed: the golden file cannot be read, and blessing would overwrite it"))
    case .failed: return write(verdict, show)
    case .unexpectedPass: show(refuse(verdict, .failed, "not blessed: remove 'xfail' first"))
    case .invalid: show(refuse(verdict, .invalid, "not blessed: the scenario is invalid"))
    case .broken: show(refuse(verdict, .broken, "not blessed: the scenario did not run to its end"))
    }
    return false
  }

  /// Returns true if the golden file was written.
  private func write(_ verdict: ScenarioVerdict, _ show: (String) -> Void) -> Bool {
    guard let snapshot = verdict.snapshot else { return false }
    show(renderer.blessing(of: verdict, isVerbose: isVerbose) ?? "")
    do {
      try golden.write(snapshot, of: verdict.name)
      blessed += 1
      return true
    } catch {
      raise(.broken)
      refused += 1
      show("error: \(error.message)\n")
      return false
    }
  }

  /// Shows that the scenario cannot be run here, and why its last result in a test cannot be blessed.
  func refuse(_ verdict: ScenarioVerdict, _ reason: String, show: (String) -> Void) {
    left -= 1
    let command = "RECORDSPEC_BLESS=\(ShellText.quoted(verdict.name)) swift test"
    show(
      refuse(
        verdict, .invalid,
        "not blessed: \(DisplayText.oneLine(reason)); run the test, or bless it there: \(command)"))
  }

  private func refuse(_ verdict: ScenarioVerdict, _ status: ExitStatus, _ reason: String) -> String {
    raise(status)
    refused += 1
    let text = told.taking(renderer.reported(verdict)).text(isVerbose: false)
    return text + "  \(reason)\n\n"
  }

  /// Keeps the worse of two statuses: 3 before 2 before 1.
  private func raise(_ status: ExitStatus) {
    if status.rawValue > self.status.rawValue { self.status = status }
  }
}

extension ScenarioVerdict {
  /// A Boolean value that indicates whether the scenario is refused and shown in full, with its warnings.
  fileprivate var isRefused: Bool {
    if case .failed(let failure) = outcome, failure.isGoldenFileOnly { return false }
    return outcome.hasGoneWrong
  }
}
