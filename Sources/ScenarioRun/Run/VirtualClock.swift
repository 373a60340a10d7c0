package import Foundation

/// The clock of a scenario. It stands still unless a step advances it.
///
/// The elapsed time never decreases, but the displayed time can be set back.
// Unchecked: all mutable state is read and written only under `lock`.
package final class VirtualClock: @unchecked Sendable {
  /// The start time, in seconds since 1970.
  private let start: Double
  private let lock = NSLock()
  private var passed = Duration.zero
  private var setBack = Duration.zero

  package init(start: Double) { self.start = start }

  /// The time since the scenario began.
  package var elapsed: Duration { lock.withLock { passed } }

  /// The displayed time, in seconds since 1970.
  package var now: Double { start + lock.withLock { passed - setBack } / .seconds(1) }

  /// The displayed time.
  package var date: Date { Date(timeIntervalSince1970: now) }

  /// Sets the displayed time back by a duration.
  func setBack(by time: Duration) { lock.withLock { setBack += time } }

  /// Advances to a time since the scenario began. Does nothing if that time has passed.
  package func advance(to time: Duration) { lock.withLock { passed = max(passed, time) } }
}
