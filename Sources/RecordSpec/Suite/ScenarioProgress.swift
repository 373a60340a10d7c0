import Foundation
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The progress of the scenarios of a folder in a test target. Test cases may report their outcomes concurrently.
// Unchecked: `completed` and `failed` are read and written only under `lock`.
final class ScenarioProgress: @unchecked Sendable {
  /// The number of scenarios of the folder.
  private let total: Int
  private let lock = NSLock()
  private var completed: Set<String> = []
  private var failed: Set<String> = []

  init(total: Int) { self.total = total }

  /// Counts a scenario and writes a line such as `[12/340, 1 failed] books/linked: passed`. Lines are written in the
  /// order of their counts. A scenario that several tests check counts once.
  func report(_ name: String, _ outcome: String, hasFailed: Bool, output: (String) -> Void) {
    lock.withLock {
      completed.insert(name)
      if hasFailed { failed.insert(name) }
      let failures = failed.isEmpty ? "" : ", \(failed.count) failed"
      output("[\(completed.count)/\(total)\(failures)] \(name): \(outcome)\n")
    }
  }
}

extension ScenarioTest.Outcome {
  /// The outcome in a few words, for a line of progress.
  var progressText: String {
    switch self {
    case .passed: "passed"
    case .skipped: "skipped"
    case .expectedFailure: "failed as expected"
    case .blessed: "blessed"
    }
  }
}

extension ScenarioTest.Failure.Kind {
  /// The failure in a few words, for a line of progress.
  var progressText: String {
    switch self {
    case .failed: "failed"
    case .new: "no golden file"
    case .invalid: "invalid"
    case .unexpectedPass: "passed, but marked with 'xfail'"
    case .broken: "result unknown"
    }
  }
}
