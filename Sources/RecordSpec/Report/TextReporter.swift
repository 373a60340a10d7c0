/// A reporter that writes text. Results appear in the order of the plan as they arrive, except failures, which follow
/// at the end with the counts. On a terminal, a progress line shows the state of a long run and is overwritten.
package struct TextReporter: RunReporter {
  private let renderer: ScenarioRenderer
  private let isVerbose: Bool
  private let checkCommand: String
  private let pruneCommand: String
  private let output: (String) -> Void
  private var told = ToldProblems()
  /// The text of the failures, which is written at the end.
  private var failures = ""
  /// The progress line; nil without a terminal.
  private var progress: ProgressLine?

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - checkCommand: the command that shows the warnings, which are only counted here.
  ///   - pruneCommand: the command that removes golden files without a scenario.
  ///   - elapsed: a function that returns the time since the run began. It is called only for the progress line.
  ///   - output: a function that takes text that ends with a line break, or a progress line.
  package init(
    renderer: ScenarioRenderer, isVerbose: Bool = false, isTerminal: Bool = false,
    checkCommand: String = "recordspec check", pruneCommand: String = "recordspec bless --prune",
    elapsed: @escaping () -> Duration = { .zero },
    output: @escaping (String) -> Void
  ) {
    self.checkCommand = checkCommand
    self.pruneCommand = pruneCommand
    self.renderer = renderer
    self.isVerbose = isVerbose
    self.output = output
    progress = isTerminal ? ProgressLine(elapsed: elapsed) : nil
  }

  package mutating func report(_ event: RunEvent) {
    switch event {
    case .planned(let count): progress?.total = count
    case .progressed(let completed, let hasGoneWrong):
      if let line = progress?.update(completed: completed, hasFailed: hasGoneWrong) { output(line) }
    case .ended(let result):
      let (result, toldFiles) = told.taking(result)
      let text = renderer.text(of: result, isVerbose: isVerbose, toldFiles: toldFiles)
      if result.outcome.hasGoneWrong { failures += text } else { write(text) }
    case .problem(let problem):
      write(DiagnosticRenderer(isColored: renderer.isColored).text(of: problem) + "\n")
    case .runEnded(let summary):
      var text = ""
      if !summary.obsolete.isEmpty {
        text += "these golden files have no scenario:\n"
        text += summary.obsolete.map { "  \($0)\n" }.joined()
        text += "remove them with: \(pruneCommand)\n\n"
      }
      if let remark = ScenarioRenderer.remark(
        hiddenWarnings: summary.hiddenWarnings, checkCommand: checkCommand)
      {
        text += failures.isEmpty ? remark : remark + "\n"
      }
      write(text + failures + summary.text + "\n")
    }
  }

  private mutating func write(_ text: String) {
    guard !text.isEmpty else { return }
    output((progress?.clear() ?? "") + text)
  }
}

/// The progress line, such as `  412 of 1000, 2 failed, 12 s left`, which is shown after the first second.
private struct ProgressLine {
  let elapsed: () -> Duration
  var total = 0
  private var failed = 0
  private var lastUpdate = Duration.zero
  private var isShown = false

  private static let eraseLine = "\r\u{1B}[K"

  init(elapsed: @escaping () -> Duration) { self.elapsed = elapsed }

  /// Returns the line that overwrites the last one; nil if it is too early for an update.
  mutating func update(completed: Int, hasFailed: Bool) -> String? {
    if hasFailed { failed += 1 }
    let now = elapsed()
    guard now >= .seconds(1), now - lastUpdate >= .milliseconds(100), completed > 0 else { return nil }
    lastUpdate = now
    isShown = true
    let left = now * Double(total - completed) / Double(completed)
    let failures = failed > 0 ? ", \(failed) failed" : ""
    return Self.eraseLine + "  \(completed) of \(total)\(failures), \(left.components.seconds) s left"
  }

  mutating func clear() -> String {
    defer { isShown = false }
    return isShown ? Self.eraseLine : ""
  }
}
