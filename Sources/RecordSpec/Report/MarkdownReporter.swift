/// A reporter that writes Markdown, for a comment on a change or the summary of a job: the counts, and the failures with
/// their text.
package struct MarkdownReporter: RunReporter {
  private let output: (String) -> Void
  private var told = ToldProblems()
  private var failures = ""
  private var rows = ""

  /// Creates a reporter.
  ///
  /// - Parameter output: a function that takes the text at the end of the run.
  package init(output: @escaping (String) -> Void) { self.output = output }

  package mutating func report(_ event: RunEvent) {
    switch event {
    case .planned, .started, .progressed, .detailed: break
    case .ended(let scenario): add(told.taking(scenario))
    case .problem(let problem): failures += Self.block(problem.annotation.path, problem.text)
    case .runEnded(let summary):
      var text = "## RecordSpec\n\n\(summary.text)\n"
      if !rows.isEmpty { text += "\n| outcome | scenario | reason |\n|---|---|---|\n" + rows }
      if !summary.obsolete.isEmpty {
        text += "\nThese golden files have no scenario:\n\n"
        text += summary.obsolete.map { "- \(Self.code($0))\n" }.joined()
      }
      output(text + failures)
    }
  }

  private mutating func add(_ scenario: ReportedScenario) {
    guard scenario.outcome != .passed else { return }
    let reason = scenario.reason ?? scenario.annotations.first?.message ?? ""
    let firstLine = reason.split(separator: "\n").first.map(String.init) ?? ""
    rows += "| \(scenario.outcome.rawValue) | \(Self.code(scenario.name)) | \(Self.escaped(firstLine)) |\n"
    guard scenario.outcome.isFailure else { return }
    let title = scenario.name + (scenario.title.map { ": \($0)" } ?? "")
    failures += Self.block(title, scenario.explanation)
  }

  /// Returns a text that can be unfolded.
  private static func block(_ title: String, _ text: String) -> String {
    let text = DisplayText.uncolored(text)
    // A fence that is longer than any in the text.
    let longest = text.matches(of: /`+/).map(\.output.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    let summary = XMLText.escaped(DisplayText.oneLine(title))
    return "\n<details><summary>\(summary)</summary>\n\n\(fence)text\n\(text)\(fence)\n\n</details>\n"
  }

  private static func code(_ text: String) -> String {
    let text = DisplayText.oneLine(text).replacing("|", with: "\\|")
    return text.contains("`") ? "`` \(text) ``" : "`\(text)`"
  }

  /// Returns a text on one line in which no character has a meaning.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in DisplayText.oneLine(text) {
      if "\\`*_[]<>|#~&".contains(character) { escaped += "\\" }
      escaped.append(character)
    }
    return escaped
  }
}
