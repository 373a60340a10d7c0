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
  /// What is doubtful about scenarios that went well, so that it is not told.
  package var hiddenWarnings = 0
  /// Scenarios that a signal kept from running to their end.
  package var unfinished = 0
  /// Whether obsolete golden files fail the run.
  package var isCI = false

  package init() {}

  package mutating func count(_ result: ScenarioResult) {
    if !result.outcome.hasGoneWrong { hiddenWarnings += result.warnings.count }
    switch result.outcome {
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

  /// `12 passed, 0 failed, 1 skipped`: other programs read these three numbers at the end of the last line. What is
  /// green but for skips counts as passed, and everything that is not as expected, or not finished, as failed, so that no
  /// exit status but 0 goes with `0 failed`.
  ///
  /// What of that is special stands before it: `128 new: 0 passed, 134 failed, 0 skipped`.
  package var text: String {
    let red =
      failed + new + invalid + unexpectedPasses + broken + unfinished + problems
      + (isCI ? obsolete.count : 0)
    let sums = "\(passed + expectedFailures) passed, \(red) failed, \(skipped) skipped"
    let special: [(count: Int, one: String, many: String)] = [
      (new, "new", "new"),
      (invalid, "invalid", "invalid"),
      (unexpectedPasses, "unexpected pass", "unexpected passes"),
      (broken, "broken off", "broken off"),
      (unfinished, "not finished", "not finished"),
      (expectedFailures, "expected failure", "expected failures"),
      (problems, "problem beside the scenarios", "problems beside the scenarios"),
      (obsolete.count, "obsolete golden file", "obsolete golden files"),
    ]
    let parts = special.filter { $0.count > 0 }.map { "\($0.count) \($0.count == 1 ? $0.one : $0.many)" }
    return parts.isEmpty ? sums : parts.joined(separator: ", ") + ": " + sums
  }

  package var status: ExitStatus {
    if broken > 0 { return .broken }
    if invalid > 0 || problems > 0 { return .invalid }
    if failed > 0 || new > 0 || unexpectedPasses > 0 { return .failed }
    return isCI && !obsolete.isEmpty ? .failed : .success
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
}
