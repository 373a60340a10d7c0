/// What became of one scenario of a run.
package struct ScenarioResult: Sendable {
  /// The name, `identity/attribute-key`.
  package var name: String
  /// The file, as the user would type it.
  package var path: String
  /// Nil if the file could not be read that far.
  package var title: String?
  package var outcome: ScenarioOutcome
  /// What is doubtful about the file, whatever the outcome.
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
  /// What the author expects holds, but there is no golden file yet.
  case new(goldenFile: String)
  /// The file, its model or a recording is wrong; it was not run.
  case invalid([AuthorDiagnostic])
  case skipped(reason: String)
  /// It failed, as it was marked to.
  case expectedFailure(reason: String)
  /// It is marked to fail, and passed.
  case unexpectedPass(ExpectedFailure)
  /// The engine, the harness or the temporary folder went wrong, so that nothing is known.
  case broken(Breakage)
}

/// In what a scenario failed.
package struct ScenarioFailure: Sendable {
  /// What fails it whatever it expects: requests that nobody answered, responses that nobody asked for.
  package var findings: [AuthorDiagnostic]
  /// What is not as the author expects.
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

  /// The findings that come before the differences.
  package var causes: [AuthorDiagnostic] { findings.filter { !Self.isConsequence($0) } }
  /// Those that come behind them, and mostly of them.
  package var consequences: [AuthorDiagnostic] { findings.filter(Self.isConsequence) }

  private static func isConsequence(_ finding: AuthorDiagnostic) -> Bool { finding.code == .unusedResponse }

  /// Whether nothing but the golden file speaks against what came out: it may be blessed.
  package var isGoldenFileOnly: Bool { findings.isEmpty && expectations.isEmpty }
}
