/// What happens in a run, in the order in which it is told. Nothing that runs prints: reporters do, from these.
package enum RunEvent: Sendable {
  /// Before the first scenario.
  case planned(count: Int)
  /// A scenario is through, whatever came out; these come in the order in which they happen, for a progress line.
  case progressed(completed: Int, hasGoneWrong: Bool)
  /// In the order of the plan, however many run at the same time.
  case ended(ScenarioResult)
  /// What is wrong beside the scenarios.
  case problem(AuthorDiagnostic)
  case runEnded(RunSummary)
}

/// Turns events into a form that someone reads.
package protocol RunReporter {
  mutating func report(_ event: RunEvent)
}

extension ScenarioOutcome {
  /// Whether a run with this outcome is not green.
  package var isFailure: Bool {
    switch self {
    case .passed, .skipped, .expectedFailure: false
    case .failed, .new, .invalid, .unexpectedPass, .broken: true
    }
  }

  /// Whether more is to be mended than that a golden file has not been written yet.
  package var hasGoneWrong: Bool {
    if case .new = self { false } else { isFailure }
  }
}
