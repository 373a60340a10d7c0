import Foundation
import Testing

/// The seeds that a property is tested with: `count` from 1 on, or those that `RANDOM_SEEDS` names (`500...2000`), to
/// look further than every run does.
func randomSeeds(_ count: UInt64) -> [UInt64] {
  let bounds = (ProcessInfo.processInfo.environment["RANDOM_SEEDS"] ?? "").split(separator: ".")
    .compactMap { UInt64($0) }
  guard let first = bounds.first, let last = bounds.last, first <= last else { return Array(1...count) }
  return Array(first...last)
}

/// Runs a property whose seed may meet a fault of the engine that is known. Once the fault is mended the test fails and
/// says so: then the seed goes from the table.
func withKnownIssue(of seed: UInt64, in table: [UInt64: String], _ body: () throws -> Void) rethrows {
  guard let reason = table[seed] else { return try body() }
  withKnownIssue(Comment(rawValue: reason)) { try body() }
}
