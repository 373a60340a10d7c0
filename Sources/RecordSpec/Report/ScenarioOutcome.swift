/// The result of one scenario in a run.
package struct ScenarioResult: Sendable {
  /// The name, such as `identity/attribute-key`.
  package var name: String
  /// The file, as the user would type it.
  package var path: String
  /// The title; nil if the file is invalid.
  package var title: String?
  package var outcome: ScenarioOutcome
  /// The warnings about the file, for every outcome.
  package var warnings: [AuthorDiagnostic]
  package var duration: Duration

  package init(
    name: String, path: String, title: String?, outcome: ScenarioOutcome, warnings: [AuthorDiagnostic] = [],
    duration: Duration = .zero
  ) {
    self.name = name
    self.path = path
    self.title = title
    self.outcome = outcome
    self.warnings = warnings
    self.duration = duration
  }
}

package enum ScenarioOutcome: Sendable {
  case passed
  case failed(ScenarioFailure)
  /// A missing golden file, although the author's expectations hold.
  case new(goldenFile: String, overview: ResultOverview = ResultOverview())
  /// An invalid file, model or recording. The scenario was not run.
  case invalid([AuthorDiagnostic])
  case skipped(reason: String)
  /// A failure of a scenario that is marked to fail.
  case expectedFailure(reason: String)
  /// A pass of a scenario that is marked to fail.
  case unexpectedPass(ExpectedFailure)
  /// A failure of the engine, the harness or the temporary folder, so that the result is unknown.
  case broken(Breakage)
}
