package import ScenarioFormat
package import ScenarioRun

/// The outcome of one scenario in a run.
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

extension ScenarioOutcome {
  /// The kind of an outcome. The raw values are part of the JSON Lines report.
  package enum Kind: String, CaseIterable, Sendable {
    case passed, failed, new, invalid, skipped
    case expectedFailure = "expected-failure"
    case unexpectedPass = "unexpected-pass"
    case broken

    /// A Boolean value that indicates whether the outcome fails the run.
    package var isFailure: Bool {
      switch self {
      case .passed, .skipped, .expectedFailure: false
      case .failed, .new, .invalid, .unexpectedPass, .broken: true
      }
    }

    /// A Boolean value that indicates whether the outcome is a failure other than a missing golden file.
    package var hasGoneWrong: Bool { isFailure && self != .new }
  }

  package var kind: Kind {
    switch self {
    case .passed: .passed
    case .failed: .failed
    case .new: .new
    case .invalid: .invalid
    case .skipped: .skipped
    case .expectedFailure: .expectedFailure
    case .unexpectedPass: .unexpectedPass
    case .broken: .broken
    }
  }

  /// A Boolean value that indicates whether the outcome fails the run.
  package var isFailure: Bool { kind.isFailure }

  /// A Boolean value that indicates whether the outcome is a failure other than a missing golden file.
  package var hasGoneWrong: Bool { kind.hasGoneWrong }
}
