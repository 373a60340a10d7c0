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
  case new(goldenFile: String)
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

/// The reasons why a scenario failed.
package struct ScenarioFailure: Sendable {
  /// The findings that fail the scenario regardless of its expectations: requests without a response, and unused
  /// responses.
  package var findings: [AuthorDiagnostic]
  /// The differences from the author's expectations.
  package var expectations: Differences
  package var golden: GoldenComparison
  package var goldenFile: String

  package init(
    findings: [AuthorDiagnostic] = [], expectations: Differences = Differences(),
    golden: GoldenComparison = .same, goldenFile: String
  ) {
    self.findings = findings
    self.expectations = expectations
    self.golden = golden
    self.goldenFile = goldenFile
  }

  /// The findings that are reported before the differences.
  package var causes: [AuthorDiagnostic] { findings.filter { !Self.isConsequence($0) } }
  /// The findings that are reported after the differences and mostly follow from them.
  package var consequences: [AuthorDiagnostic] { findings.filter(Self.isConsequence) }

  private static func isConsequence(_ finding: AuthorDiagnostic) -> Bool { finding.code == .unusedResponse }

  /// A Boolean value that indicates whether the golden file is the only cause of the failure. Only then it may be
  /// blessed.
  package var isGoldenFileOnly: Bool { findings.isEmpty && expectations.isEmpty }
}
