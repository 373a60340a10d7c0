import ScenarioComparison
import ScenarioFormat

/// A reporter that writes Markdown, for a comment on a change or the summary of a job: the counts, and the failures with
/// their text.
package struct MarkdownReporter: RunReporter {
  private let output: (String) -> Void
  private var told = ToldProblems()
  private var failures = ""
  private var rows = ""
  /// The number of bytes that the text may still have.
  private var room: Int
  /// The number of failures, and of other scenarios in the table, that have no room.
  private var omitted = 0

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - maximumBytes: the maximum size of the text in bytes. Failures without room are only counted.
  ///   - output: a function that takes the text at the end of the run.
  package init(maximumBytes: Int = .max, output: @escaping (String) -> Void) {
    // The heading, the counts and the number of omitted failures need little room.
    room = maximumBytes - min(maximumBytes, 2_000)
    self.output = output
  }

  package mutating func report(_ event: RunEvent) {
    switch event {
    case .planned, .started, .progressed, .detailed: break
    case .ended(let scenario): add(told.taking(scenario))
    case .problem(let problem): append(Self.block(problem.annotation.path, problem.text))
    case .runEnded(let summary):
      var text = "## RecordSpec\n\n\(summary.text)\n"
      if !rows.isEmpty { text += "\n| outcome | scenario | reason |\n|---|---|---|\n" + rows }
      if !summary.obsolete.isEmpty { text += "\nThese golden files have no scenario:\n\n" }
      for file in summary.obsolete {
        let line = "- \(Self.code(file))\n"
        if takeRoom(for: line) { text += line } else { omitted += 1 }
      }
      if omitted > 0 { failures += "\n\(ValueText.grouped(omitted)) more, which have no room here\n" }
      output(text + failures)
    }
  }

  /// Takes the room for a part of the text. Returns false if there is not enough.
  private mutating func takeRoom(for part: String) -> Bool {
    let size = part.utf8.count
    guard size <= room else { return false }
    room -= size
    return true
  }

  /// Adds the text of a failure, if there is room.
  private mutating func append(_ block: String) {
    if takeRoom(for: block) { failures += block } else { omitted += 1 }
  }

  private mutating func add(_ scenario: ReportedScenario) {
    guard scenario.outcome != .passed else { return }
    let reason = scenario.reason?.split(separator: "\n").first.map(String.init)
    let text = reason ?? scenario.annotations.first?.summary ?? ""
    let row = "| \(scenario.outcome.rawValue) | \(Self.code(scenario.name)) | \(Self.escaped(text)) |\n"
    let hasRoom = takeRoom(for: row)
    if hasRoom { rows += row }
    guard scenario.outcome.isFailure else {
      if !hasRoom { omitted += 1 }
      return
    }
    let title = scenario.name + (scenario.title.map { ": \($0)" } ?? "")
    append(Self.block(title, scenario.explanation))
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
