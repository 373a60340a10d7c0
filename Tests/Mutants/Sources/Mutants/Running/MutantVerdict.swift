/// The result of running a mutant.
enum MutantVerdict: Hashable, Sendable {
  /// A scenario or a unit test failed.
  case caught
  case crashed
  case timedOut
  case survived(runs: Int)
  /// No run reaches the mutant with a value that it changes.
  case notReached
  case doesNotCompile

  var isDetected: Bool {
    switch self {
    case .caught, .crashed, .timedOut: true
    case .survived, .notReached, .doesNotCompile: false
    }
  }
}
