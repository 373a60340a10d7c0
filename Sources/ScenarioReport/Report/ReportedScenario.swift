import ScenarioComparison
package import ScenarioFormat

/// The result of a scenario as reports present it. It consists of plain values, so that a report can be written to a file
/// and read again.
package struct ReportedScenario: Hashable, Sendable {
  /// The name, such as `identity/attribute-key`.
  package var name: String
  /// The file, as the user would type it.
  package var path: String
  /// The title; nil if it is missing or invalid.
  package var title: String?
  package var tags: [String] = []
  /// The rules that the scenario covers.
  package var rules: [String] = []
  package var outcome: ScenarioOutcome.Kind
  /// The author's reason for a skipped scenario or an expected failure.
  package var reason: String?
  package var duration = Duration.zero
  /// The position among the selected scenarios of all shards, from 0.
  package var index = 0
  /// The first line of the text, such as `FAIL  posts: Two posts`.
  package var headline: String
  /// The text about a failure after the headline, without the errors of an invalid scenario and without the warnings. Texts
  /// may contain ANSI color codes.
  package var failureText = ""
  /// The errors of an invalid scenario.
  package var errors: [ReportedProblem] = []
  /// The invalid files whose errors have been reported with another scenario.
  package var toldFiles: [String] = []
  /// The warnings about the file, for every outcome.
  package var warnings: [ReportedProblem] = []
  /// The errors with their locations, without those of an invalid scenario.
  package var otherAnnotations: [ScenarioAnnotation] = []
  /// A Boolean value that indicates whether the golden file cannot be read.
  package var hasUnreadableGoldenFile = false
}

extension ReportedScenario {
  /// The errors with their locations, in the order of the report. A scenario without a failure has none.
  package var annotations: [ScenarioAnnotation] { errors.map(\.annotation) + otherAnnotations }

  /// The text about a failure, without the headline. The warnings come last, because they may explain the failure. Empty
  /// for other outcomes.
  package var explanation: String {
    guard outcome.isFailure else { return "" }
    var text = failureText
    if outcome == .invalid {
      text = DiagnosticRenderer.joined(errors.map { ($0.annotation.path, $0.text) }).indented()
      if !errors.isEmpty, !toldFiles.isEmpty { text += "\n" }
      text += toldFiles.map { "  '\($0)' has errors, see above\n" }.joined()
    }
    guard outcome.hasGoneWrong else { return text }
    return text + warnings.map { "\n" + $0.text.indented() }.joined()
  }

  /// Returns one line, or a block followed by an empty line. Unless `isVerbose` is true, the text is empty for a pass
  /// and for an expected failure.
  package func text(isVerbose: Bool) -> String {
    switch outcome {
    case .passed, .expectedFailure: isVerbose ? headline + "\n" : ""
    case .skipped: headline + "\n"
    case .failed, .new, .invalid, .unexpectedPass, .broken:
      headline + "\n\n" + explanation + "\n"
    }
  }
}

/// A diagnostic as reports present it.
package struct ReportedProblem: Hashable, Sendable {
  package var severity: AuthorDiagnostic.Severity
  /// The message and its location.
  package var annotation: ScenarioAnnotation
  /// The text with the line of the file. It may contain ANSI color codes.
  package var text: String

  package init(severity: AuthorDiagnostic.Severity, annotation: ScenarioAnnotation, text: String) {
    self.severity = severity
    self.annotation = annotation
    self.text = text
  }

  package init(_ diagnostic: AuthorDiagnostic, _ renderer: DiagnosticRenderer) {
    self.init(
      severity: diagnostic.severity, annotation: ScenarioAnnotation(diagnostic),
      text: renderer.text(of: diagnostic))
  }
}
