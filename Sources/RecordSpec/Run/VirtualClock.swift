import Foundation

/// The clock of a scenario: it stands still unless a step lets time pass.
///
/// Time only passes; what the clock shows may also be set back.
// Unchecked: everything that changes is read and written under `lock` alone.
final class VirtualClock: @unchecked Sendable {
  /// The first reading, in seconds since 1970.
  private let start: Double
  private let lock = NSLock()
  private var passed = Duration.zero
  private var setBack = Duration.zero

  init(start: Double) { self.start = start }

  /// The time since the scenario began.
  var elapsed: Duration { lock.withLock { passed } }

  /// The reading, in seconds since 1970.
  var now: Double { start + lock.withLock { passed - setBack } / .seconds(1) }

  /// The reading.
  var date: Date { Date(timeIntervalSince1970: now) }

  /// From now on it shows a time that is so much earlier.
  func setBack(by time: Duration) { lock.withLock { setBack += time } }

  /// Goes on to a time since the scenario began; never back.
  func advance(to time: Duration) { lock.withLock { passed = max(passed, time) } }
}
