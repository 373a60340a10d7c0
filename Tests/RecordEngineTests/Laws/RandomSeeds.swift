import Foundation

/// The seeds that a property is tested with: `count` from 1 on, or those that `RANDOM_SEEDS` names (`500...2000`), to
/// look further than every run does.
func randomSeeds(_ count: UInt64) -> [UInt64] {
  let bounds = (ProcessInfo.processInfo.environment["RANDOM_SEEDS"] ?? "").split(separator: ".")
    .compactMap { UInt64($0) }
  guard let first = bounds.first, let last = bounds.last, first <= last else { return Array(1...count) }
  return Array(first...last)
}

/// A Boolean value that indicates whether a failing case is made smaller before it is reported. `RANDOM_SHRINKING=no` saves
/// that time where only the failure counts.
let shrinksFailures = ProcessInfo.processInfo.environment["RANDOM_SHRINKING"] != "no"
