import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// A reporter that writes the Test Anything Protocol, version 14. Each scenario is a test point; details of failures are a
/// YAML block.
package struct TAPReporter: RunReporter {
  private let output: (String) -> Void
  private var told = ToldProblems()
  private var count = 0

  /// Creates a reporter.
  ///
  /// - Parameter output: a function that takes whole lines.
  package init(output: @escaping (String) -> Void) { self.output = output }

  package mutating func report(_ event: RunEvent) {
    switch event {
    case .planned: output("TAP version 14\n")
    case .started, .progressed, .detailed: break
    case .ended(let scenario): output(text(of: told.taking(scenario)))
    case .problem(let problem):
      output(point(isOK: false, problem.annotation.path, directive: nil))
      output(Self.block(problem.annotation, severity: problem.severity.rawValue, outcome: nil))
    case .runEnded(let summary): output(end(of: summary))
    }
  }

  private mutating func text(of scenario: ReportedScenario) -> String {
    let name = scenario.name + (scenario.title.map { ": \($0)" } ?? "")
    switch scenario.outcome {
    case .passed: return point(isOK: true, name, directive: nil)
    case .skipped: return point(isOK: true, name, directive: "SKIP \(scenario.reason ?? "")")
    // In TAP, an expected failure has the directive TODO.
    case .expectedFailure: return point(isOK: false, name, directive: "TODO \(scenario.reason ?? "")")
    case .failed, .new, .invalid, .unexpectedPass, .broken:
      let blocks = scenario.annotations.first.map {
        Self.block($0, severity: "fail", outcome: scenario.outcome)
      }
      return point(isOK: false, name, directive: nil) + (blocks ?? "")
    }
  }

  private mutating func point(isOK: Bool, _ description: String, directive: String?) -> String {
    count += 1
    return "\(isOK ? "ok" : "not ok") \(count) - \(Self.escaped(description))"
      + (directive.map { " # \(Self.escaped($0))" } ?? "") + "\n"
  }

  /// Returns the plan, which comes last because a run can end early.
  private mutating func end(of summary: RunSummary) -> String {
    var text = ""
    for file in summary.isCI ? summary.obsolete : [] {
      text += point(isOK: false, file, directive: nil)
      text += Self.block(
        ScenarioAnnotation("this golden file has no scenario", at: file), severity: "fail", outcome: nil)
    }
    text += "1..\(count)\n"
    if summary.unfinished > 0 {
      text += "Bail out! \(counted(summary.unfinished, "scenario")) not finished\n"
    } else if summary.notRun > 0 {
      text += "# \(counted(summary.notRun, "scenario")) not run after the maximum number of failures\n"
    }
    return text
  }

  /// Returns a YAML block. Its values are JSON, which is YAML, too.
  private static func block(
    _ annotation: ScenarioAnnotation, severity: String, outcome: ScenarioOutcome.Kind?
  ) -> String {
    var lines = ["  ---", "  message: \(quoted(annotation.message))", "  severity: \(severity)"]
    if let outcome { lines.append("  outcome: \(outcome.rawValue)") }
    lines += ["  at:", "    file: \(quoted(annotation.path))"]
    if let region = annotation.region {
      lines += ["    line: \(region.line)", "    column: \(region.column)"]
    }
    return (lines + ["  ...", ""]).joined(separator: "\n")
  }

  private static func quoted(_ text: String) -> String { JSONValue.string(text).compactText() }

  /// Returns a description on one line, in which `#` starts no directive.
  private static func escaped(_ text: String) -> String {
    DisplayText.oneLine(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }
}
