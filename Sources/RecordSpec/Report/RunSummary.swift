/// How a run went, in numbers.
package struct RunSummary: Hashable, Sendable {
  package var passed = 0
  package var failed = 0
  package var new = 0
  package var invalid = 0
  package var skipped = 0
  package var expectedFailures = 0
  package var unexpectedPasses = 0
  package var broken = 0
  /// Golden files whose scenario is gone.
  package var obsolete: [String] = []
  /// What is wrong beside the scenarios: no folder, two files of one name.
  package var problems = 0

  package init() {}

  package mutating func count(_ outcome: ScenarioOutcome) {
    switch outcome {
    case .passed: passed += 1
    case .failed: failed += 1
    case .new: new += 1
    case .invalid: invalid += 1
    case .skipped: skipped += 1
    case .expectedFailure: expectedFailures += 1
    case .unexpectedPass: unexpectedPasses += 1
    case .broken: broken += 1
    }
  }

  /// `12 passed, 0 failed, 1 skipped`, with what is special before it. Every scenario counts once in the three last
  /// numbers: an expected failure among those that passed, whatever else is not well among those that failed.
  package var text: String {
    let notable: [(Int, String, String)] = [
      (new, "new golden file wanted", "new golden files wanted"),
      (unexpectedPasses, "unexpected pass", "unexpected passes"),
      (expectedFailures, "expected failure", "expected failures"),
      (invalid, "invalid file", "invalid files"),
      (broken, "broken off", "broken off"),
      (problems, "problem beside the scenarios", "problems beside the scenarios"),
      (obsolete.count, "obsolete golden file", "obsolete golden files"),
    ]
    let parts = notable.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    let green = passed + expectedFailures
    let red = failed + new + invalid + unexpectedPasses + broken
    return (parts.isEmpty ? "" : parts.joined(separator: ", ") + ": ")
      + "\(green) passed, \(red) failed, \(skipped) skipped"
  }

  package func status(inCI: Bool) -> ExitStatus {
    if broken > 0 { return .broken }
    if invalid > 0 || problems > 0 { return .invalid }
    if failed > 0 || new > 0 || unexpectedPasses > 0 { return .failed }
    return inCI && !obsolete.isEmpty ? .failed : .success
  }
}

/// What a command tells the shell.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// A scenario failed, passed though marked to fail, or wants a golden file; in CI also an obsolete golden file.
  case failed = 1
  /// A scenario, a model or an option is wrong. The other scenarios were run.
  case invalid = 2
  /// The engine or a report broke.
  case broken = 3
  case nothingSelected = 4
  case usage = 64
  case interrupted = 130
  case terminated = 143
}
