import ScenarioFormat

/// A reporter that writes text. Results appear in the order of the plan as they arrive, except failures, which follow
/// at the end with the slowest scenarios and the counts. On a terminal, a progress line shows the state of a long run and
/// is overwritten.
package struct TextReporter: RunReporter {
  private let isVerbose: Bool
  private let checkCommand: String
  private let pruneCommand: String
  private let output: (String) -> Void
  private var told = ToldProblems()
  private var slowest: SlowestScenarios
  /// The text of the failures, which is written at the end.
  private var failures = ""
  /// The progress line; nil without a terminal.
  private var progress: ProgressLine?

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - slowest: the number of slow scenarios to list. Default 0.
  ///   - checkCommand: the command that shows the warnings, which are only counted here.
  ///   - pruneCommand: the command that removes golden files without a scenario.
  ///   - elapsed: a function that returns the time since the run began. It is called only for the progress line.
  ///   - output: a function that takes text that ends with a line break, or a progress line.
  package init(
    isVerbose: Bool = false, slowest: Int = 0, isTerminal: Bool = false,
    checkCommand: String = "recordspec check", pruneCommand: String = "recordspec bless --prune",
    elapsed: @escaping () -> Duration = { .zero },
    output: @escaping (String) -> Void
  ) {
    self.checkCommand = checkCommand
    self.pruneCommand = pruneCommand
    self.isVerbose = isVerbose
    self.slowest = SlowestScenarios(limit: slowest)
    self.output = output
    progress = isTerminal ? ProgressLine(elapsed: elapsed) : nil
  }

  package mutating func report(_ event: RunEvent) {
    switch event {
    case .detailed: break
    case .planned(let run): progress?.total = run.count
    case .started(let name): progress?.start(name)
    case .progressed(let completed, let name, let hasGoneWrong):
      if let line = progress?.update(completed: completed, name, hasFailed: hasGoneWrong) { output(line) }
    case .ended(let scenario):
      slowest.add(scenario)
      let text = told.taking(scenario).text(isVerbose: isVerbose)
      if scenario.outcome.hasGoneWrong { failures += text } else { write(text) }
    case .problem(let problem): write(problem.text + "\n")
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
      write(text + failures + slowest.text + summary.text + "\n")
    }
  }

  private mutating func write(_ text: String) {
    guard !text.isEmpty else { return }
    output((progress?.clear() ?? "") + text)
  }
}

/// The scenarios that took the most time.
private struct SlowestScenarios {
  let limit: Int
  /// The slowest scenarios so far, the slowest first. Of equally slow ones, those that come first in the plan remain.
  private var scenarios: [ReportedScenario] = []

  init(limit: Int) { self.limit = limit }

  mutating func add(_ scenario: ReportedScenario) {
    guard limit > 0, scenario.outcome != .skipped else { return }
    if scenarios.count == limit, let last = scenarios.last, last.duration >= scenario.duration { return }
    let index = scenarios.firstIndex { $0.duration < scenario.duration } ?? scenarios.endIndex
    scenarios.insert(scenario, at: index)
    if scenarios.count > limit { scenarios.removeLast() }
  }

  var text: String {
    guard let slowest = scenarios.first else { return "" }
    let width = slowest.duration.decimalText.count
    let lines = scenarios.map { scenario in
      let text = scenario.duration.decimalText
      return "  \(String(repeating: " ", count: width - text.count))\(text) s  \(scenario.name)\n"
    }
    return "slowest scenarios:\n" + lines.joined() + "\n"
  }
}

/// The progress line, such as `  412 of 1000, 2 failed, 12 s left, 3 s: identity/keys`, which is shown after the first
/// second. The last part is the scenario that has been running longest, if that is more than a second.
private struct ProgressLine {
  let elapsed: () -> Duration
  var total = 0
  private var failed = 0
  private var lastUpdate = Duration.zero
  private var isShown = false
  /// The running scenarios in the order of their starts, with the time of the start.
  private var running: [(name: String, start: Duration)] = []

  private static let eraseLine = "\r\u{1B}[K"

  init(elapsed: @escaping () -> Duration) { self.elapsed = elapsed }

  mutating func start(_ name: String) { running.append((name, elapsed())) }

  /// Returns the line that overwrites the last one; nil if it is too early for an update.
  mutating func update(completed: Int, _ name: String, hasFailed: Bool) -> String? {
    running.removeAll { $0.name == name }
    if hasFailed { failed += 1 }
    let now = elapsed()
    guard now >= .seconds(1), now - lastUpdate >= .milliseconds(100), completed > 0 else { return nil }
    lastUpdate = now
    isShown = true
    let left = now * Double(total - completed) / Double(completed)
    let failures = failed > 0 ? ", \(failed) failed" : ""
    let longest = running.first.map { ($0.name, (now - $0.start).components.seconds) }
    let slow = longest.flatMap { $0.1 > 0 ? ", \($0.1) s: \(DisplayText.oneLine($0.0))" : nil } ?? ""
    return Self.eraseLine + "  \(completed) of \(total)\(failures), \(left.components.seconds) s left\(slow)"
  }

  mutating func clear() -> String {
    defer { isShown = false }
    return isShown ? Self.eraseLine : ""
  }
}
