import Foundation
import TestSupport

/// Returns the seeds of a random test: a quarter of `count`, twice `count` if all cases of long tests are tested, or the range in
/// the environment variable `RANDOM_SEEDS`, such as `500...2000`.
func randomSeeds(_ count: UInt64) -> [UInt64] {
  let bounds = (ProcessInfo.processInfo.environment["RANDOM_SEEDS"] ?? "").split(separator: ".")
    .compactMap { UInt64($0) }
  guard let first = bounds.first, let last = bounds.last, first <= last else {
    return Array(1...(isTestingAll ? 2 * count : max(count / 4, 3)))
  }
  return Array(first...last)
}

/// A Boolean value that indicates whether failing cases are reduced before they are reported. `RANDOM_SHRINKING=no`
/// saves this time if only the failure matters.
let shrinksFailures = ProcessInfo.processInfo.environment["RANDOM_SHRINKING"] != "no"
