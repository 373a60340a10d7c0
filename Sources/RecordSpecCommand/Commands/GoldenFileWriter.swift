import RecordSpec
import ScenarioFormat
import ScenarioReport

/// A writer that blesses scenarios one after the other and counts the results.
final class GoldenFileWriter {
  private let golden: GoldenFolder
  private let allowsDiagnostics: Bool
  private let context: CommandContext
  private let renderer: ScenarioRenderer
  private var isVerbose: Bool { context.suite.isVerbose }
  private(set) var status = ExitStatus.success
  private var warnings = WarningCount()
  /// The number of warnings that are not shown.
  var hiddenWarnings: Int { warnings.hidden }
  private var told = ToldProblems()
  private var blessed = 0
  private var unchanged = 0
  private var refused = 0
  /// The number of scenarios that did not run for lack of an adapter.
  private(set) var lackingAdapter = 0
  /// The number of scenarios that have not been processed.
  private var left: Int

  init(_ golden: GoldenFolder, count: Int, allowsDiagnostics: Bool, context: CommandContext) {
    self.golden = golden
    left = count
    self.allowsDiagnostics = allowsDiagnostics
    self.context = context
    renderer = ScenarioRenderer(
      isColored: context.isColored, blessCommand: context.suite.command("bless"))
  }

  var summary: String {
    let rest = left > 0 ? ", \(left) not finished" : ""
    return "\(blessed) blessed, \(unchanged) unchanged, \(refused) refused" + rest
  }

  /// Shows the problems that belong to no scenario.
  func show(_ problems: [AuthorDiagnostic]) {
    if !problems.isEmpty { status.raise(to: .invalid) }
    for problem in problems { context.output(context.renderer.text(of: problem) + "\n") }
  }

  /// Shows the result of one scenario, then writes its golden file. If the output fails, the process ends before the
  /// file is written.
  ///
  /// - Returns: true if the golden file was written.
  @discardableResult
  func bless(_ verdict: ScenarioVerdict) -> Bool {
    left -= 1
    let name = verdict.name
    if verdict.lacksAdapter { lackingAdapter += 1 }
    warnings.count(renderer.reported(verdict).warnings, areShown: verdict.isRefused)
    switch verdict.outcome {
    case .passed:
      unchanged += 1
      if isVerbose { context.output("same    \(name)\n") }
    case .skipped, .expectedFailure: context.output(renderer.text(of: verdict, isVerbose: true))
    case .new(_, let overview) where overview.objection != nil && !allowsDiagnostics:
      refuse(verdict, as: .failed, "not blessed, because the result may be a mistake")
    case .new: return write(verdict)
    case .failed(let failure) where !failure.isGoldenFileOnly:
      if !failure.golden.canBeBlessed { status.raise(to: .broken) }
      refuse(verdict, as: .failed, "not blessed: fix the failed expectations first")
    case .failed(let failure) where !failure.golden.canBeBlessed:
      refuse(
        verdict, as: .broken, "not blessed: the golden file cannot be read, and blessing would overwrite it")
    case .failed: return write(verdict)
    case .unexpectedPass: refuse(verdict, as: .failed, "not blessed: remove 'xfail' first")
    case .invalid: refuse(verdict, as: .invalid, "not blessed: the scenario is invalid")
    case .broken: refuse(verdict, as: .broken, "not blessed: the scenario did not run to its end")
    }
    return false
  }

  /// Returns true if the golden file was written.
  private func write(_ verdict: ScenarioVerdict) -> Bool {
    guard let snapshot = verdict.snapshot else { return false }
    context.output(renderer.blessing(of: verdict, isVerbose: isVerbose) ?? "")
    do {
      try golden.write(snapshot, of: verdict.name)
      blessed += 1
      return true
    } catch {
      status.raise(to: .broken)
      refused += 1
      context.output("error: \(error.message)\n")
      return false
    }
  }

  /// Shows that the scenario cannot be run here, and why its last result in a test cannot be blessed.
  func refuse(_ verdict: ScenarioVerdict, _ reason: String) {
    left -= 1
    let command = "RECORDSPEC_BLESS=\(ShellText.quoted(verdict.name)) swift test"
    refuse(
      verdict, as: .invalid,
      "not blessed: \(DisplayText.oneLine(reason)); run the test, or bless it there: \(command)")
  }

  /// Refuses a scenario whose results on several adapters differ.
  func refuse(_ verdict: ScenarioVerdict, becauseAdaptersDiffer reason: String) {
    left -= 1
    status.raise(to: .failed)
    refused += 1
    context.output("\(verdict.name) is not blessed: \(reason)\n\n")
  }

  private func refuse(_ verdict: ScenarioVerdict, as status: ExitStatus, _ reason: String) {
    self.status.raise(to: status)
    refused += 1
    let text = told.taking(renderer.reported(verdict)).text(isVerbose: false)
    context.output(text + "  \(reason)\n\n")
  }
}

extension ScenarioVerdict {
  /// A Boolean value that indicates whether the scenario is refused and shown in full, with its warnings.
  fileprivate var isRefused: Bool {
    if case .failed(let failure) = outcome, failure.isGoldenFileOnly { return false }
    return outcome.hasGoneWrong
  }
}
