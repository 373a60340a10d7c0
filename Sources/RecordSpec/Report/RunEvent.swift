/// An event of a run, in the order in which it is reported. Only reporters print.
package enum RunEvent: Sendable {
  /// The start of the run, before the first scenario.
  case planned(count: Int)
  /// The end of a scenario, with any outcome. These events come in the order in which scenarios end, for a progress
  /// line.
  case progressed(completed: Int, hasGoneWrong: Bool)
  /// The result of a scenario. These events come in the order of the plan, even if several scenarios run concurrently.
  case ended(ScenarioResult)
  /// A problem that belongs to no scenario.
  case problem(AuthorDiagnostic)
  case runEnded(RunSummary)
}

/// A type that presents the events of a run.
package protocol RunReporter {
  mutating func report(_ event: RunEvent)
}

extension ScenarioOutcome {
  /// A Boolean value that indicates whether the outcome fails the run.
  package var isFailure: Bool {
    switch self {
    case .passed, .skipped, .expectedFailure: false
    case .failed, .new, .invalid, .unexpectedPass, .broken: true
    }
  }

  /// A Boolean value that indicates whether the outcome is a failure other than a missing golden file.
  package var hasGoneWrong: Bool {
    if case .new = self { false } else { isFailure }
  }
}
