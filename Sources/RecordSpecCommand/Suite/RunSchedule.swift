import Foundation

/// The order in which the workers of a run take scenarios, by their index in the plan.
// Unchecked: the properties below `lock` are accessed only while it is held.
final class RunSchedule: @unchecked Sendable {
  private let count: Int
  /// The number of failures after which no more scenarios are started; nil for no limit.
  private let maximumFailures: Int?
  /// The maximum number of scenarios that are started before the verdict on the first of them has been received.
  private let backlog: Int
  /// The maximum number of scenarios that are started before the first of them has been passed on; nil for no limit.
  private let lead: Int?

  private let lock = NSLock()
  private var next = 0
  private var received = 0
  private var passedOn = 0
  private var failures = 0
  private var isStopped = false
  /// The scenarios that run, and that have not been given up.
  private var running: Set<Int> = []

  init(count: Int, maximumFailures: Int?, backlog: Int, lead: Int?) {
    self.count = count
    self.maximumFailures = maximumFailures
    self.backlog = backlog
    self.lead = lead
  }

  /// Starts the next scenario. Returns nil if none may be started now.
  ///
  /// Scenarios are started in the order of the plan. Once the maximum number of them has failed, those that are running
  /// or have ended thus include all that are reported.
  func start() -> Int? {
    lock.withLock {
      guard !isStopped, next < count, next - received < backlog, next - passedOn < lead ?? .max,
        failures < maximumFailures ?? .max
      else { return nil }
      defer { next += 1 }
      running.insert(next)
      return next
    }
  }

  /// Ends a scenario, or gives it up. Returns false if that has happened already.
  func end(_ index: Int, hasFailed: Bool) -> Bool {
    lock.withLock {
      guard running.remove(index) != nil else { return false }
      if hasFailed { failures += 1 }
      return true
    }
  }

  /// Returns a Boolean value that indicates whether a scenario runs and has not been given up.
  func isRunning(_ index: Int) -> Bool { lock.withLock { running.contains(index) } }

  /// Notes the numbers of scenarios whose verdicts have been received, and of those that have been passed on.
  func note(received: Int, passedOn: Int) {
    lock.withLock { (self.received, self.passedOn) = (received, passedOn) }
  }

  /// Starts no more scenarios.
  func stop() { lock.withLock { isStopped = true } }
}
