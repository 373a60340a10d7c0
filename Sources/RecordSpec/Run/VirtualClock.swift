import Foundation

/// The clock of a scenario: it stands still unless a step lets time pass.
// Unchecked: `passed` is read and written under `lock` alone.
final class VirtualClock: @unchecked Sendable {
  /// The first reading, in seconds since 1970.
  private let start: Double
  private let lock = NSLock()
  private var passed = Duration.zero

  init(start: Double) { self.start = start }

  /// The time since the scenario began.
  var elapsed: Duration { lock.withLock { passed } }

  /// The reading, in seconds since 1970.
  var now: Double { start + elapsed / .seconds(1) }

  /// Goes on to a time since the scenario began; never back.
  func advance(to time: Duration) { lock.withLock { passed = max(passed, time) } }
}
