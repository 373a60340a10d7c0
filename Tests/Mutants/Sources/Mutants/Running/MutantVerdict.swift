/// What became of a mutant.
enum MutantVerdict: Hashable, Sendable {
  /// A scenario or a unit test did not pass.
  case caught
  case crashed
  case timedOut
  case survived(runs: Int)
  /// No run gives it a value to change.
  case notReached
  case doesNotCompile

  var isDetected: Bool {
    switch self {
    case .caught, .crashed, .timedOut: true
    case .survived, .notReached, .doesNotCompile: false
    }
  }
}
