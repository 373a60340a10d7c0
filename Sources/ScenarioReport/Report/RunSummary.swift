/// The counts of a run.
package struct RunSummary: Hashable, Sendable {
  private var counts: [ScenarioOutcome.Kind: Int] = [:]
  /// The golden files without a scenario.
  package var obsolete: [String] = []
  /// The number of problems that belong to no scenario, such as a missing folder or two files with the same name.
  package var problems = 0
  private var warnings = WarningCount()
  /// The number of golden files that cannot be read.
  package var unreadableGoldenFiles = 0
  /// The number of scenarios that a signal prevented from finishing.
  package var unfinished = 0
  /// The number of scenarios that were not run, because `--max-failures` ended the run before.
  package var notRun = 0
  /// A Boolean value that indicates whether reports of shards are missing or were cut off.
  package var isIncomplete = false
  /// A Boolean value that indicates whether the run is in CI, where obsolete golden files fail it.
  package var isCI = false

  package init() {}

  package mutating func count(_ scenario: ReportedScenario) {
    warnings.count(scenario.warnings, areShown: scenario.outcome.hasGoneWrong)
    if scenario.hasUnreadableGoldenFile { unreadableGoldenFiles += 1 }
    self[scenario.outcome] += 1
  }

  /// The number of scenarios with an outcome.
  package subscript(outcome: ScenarioOutcome.Kind) -> Int {
    get { counts[outcome, default: 0] }
    set { counts[outcome] = newValue }
  }

  /// The number of warnings that are not shown, because no scenario that they are about has failed.
  package var hiddenWarnings: Int { warnings.hidden }

  /// The numbers of scenarios that passed or failed as expected, that did not, and that were skipped. Everything else that
  /// is not as expected or not finished counts as failed, so that zero failures always go with exit status 0.
  package var totals: (passed: Int, failed: Int, skipped: Int) {
    let red = ScenarioOutcome.Kind.allCases.filter(\.isFailure).reduce(0) { $0 + self[$1] }
    return (
      self[.passed] + self[.expectedFailure], red + unfinished + problems + (isCI ? obsolete.count : 0),
      self[.skipped]
    )
  }

  /// The summary line, which ends with the totals, such as `12 passed, 0 failed, 1 skipped`. Other programs read these
  /// three numbers.
  ///
  /// Special counts precede the three: `128 new: 0 passed, 134 failed, 0 skipped`.
  package var text: String {
    let totals = totals
    let sums = "\(totals.passed) passed, \(totals.failed) failed, \(totals.skipped) skipped"
    let special: [(count: Int, one: String, many: String)] = [
      (self[.new], "new", "new"),
      (self[.invalid], "invalid", "invalid"),
      (self[.unexpectedPass], "unexpected pass", "unexpected passes"),
      (self[.broken], "broken", "broken"),
      (unfinished, "not finished", "not finished"),
      (notRun, "not run", "not run"),
      (self[.expectedFailure], "expected failure", "expected failures"),
      (problems, "error outside the scenarios", "errors outside the scenarios"),
      (unreadableGoldenFiles, "unreadable golden file", "unreadable golden files"),
      (obsolete.count, "obsolete golden file", "obsolete golden files"),
    ]
    let parts = special.filter { $0.count > 0 }.map { "\($0.count) \($0.count == 1 ? $0.one : $0.many)" }
    return parts.isEmpty ? sums : parts.joined(separator: ", ") + ": " + sums
  }

  package var status: ExitStatus {
    if self[.broken] + unreadableGoldenFiles + unfinished > 0 || isIncomplete { return .broken }
    if self[.invalid] > 0 || problems > 0 { return .invalid }
    if self[.failed] + self[.new] + self[.unexpectedPass] > 0 { return .failed }
    return isCI && !obsolete.isEmpty ? .failed : .success
  }
}

/// The number of warnings that a report does not show. A warning about a file that several scenarios use counts once.
package struct WarningCount: Hashable, Sendable {
  private var shown: Set<ScenarioAnnotation> = []
  private var notShown: Set<ScenarioAnnotation> = []

  package init() {}

  /// The number of warnings that are not shown.
  package var hidden: Int { notShown.subtracting(shown).count }

  /// Counts the warnings of a scenario.
  package mutating func count(_ warnings: [ReportedProblem], areShown: Bool) {
    if areShown {
      shown.formUnion(warnings.map(\.annotation))
    } else {
      notShown.formUnion(warnings.map(\.annotation))
    }
  }
}

/// The exit status of a command. It states the kind of the cause, whatever the command.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// A result is not as it should be: a scenario failed, passed although it is marked to fail, or has no golden file. In CI,
  /// also an obsolete golden file.
  case failed = 1
  /// An input is invalid or does not exist. If only scenarios or models are invalid, the other scenarios were run.
  case invalid = 2
  /// The command could not do its work: the engine, the harness or a report failed, or a file cannot be read or written.
  case broken = 3
  case nothingSelected = 4
  /// The command line has to be changed, for example because a file to write exists.
  case usage = 64
}
