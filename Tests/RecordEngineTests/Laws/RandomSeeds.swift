import Foundation
import TestSupport

/// Returns the seeds of a random test: 1 to `count`, twice as many if all cases of long tests are tested, or the range in the
/// environment variable `RANDOM_SEEDS`, such as `500...2000`.
func randomSeeds(_ count: UInt64) -> [UInt64] {
  let bounds = (ProcessInfo.processInfo.environment["RANDOM_SEEDS"] ?? "").split(separator: ".")
    .compactMap { UInt64($0) }
  guard let first = bounds.first, let last = bounds.last, first <= last else {
    return Array(1...(isTestingAll ? 2 * count : count))
  }
  return Array(first...last)
}

/// A Boolean value that indicates whether failing cases are reduced before they are reported. `RANDOM_SHRINKING=no`
/// saves this time if only the failure matters.
let shrinksFailures = ProcessInfo.processInfo.environment["RANDOM_SHRINKING"] != "no"
