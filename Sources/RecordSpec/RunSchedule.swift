internal import Foundation

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
  /// The scenarios that run and have not been given up, with their headings, which are empty until they have been read.
  private var running: [Int: ScenarioHeading] = [:]

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
      running[next] = ScenarioHeading()
      return next
    }
  }

  /// Notes the heading of a scenario that runs.
  func note(_ heading: ScenarioHeading, of index: Int) {
    lock.withLock { if running[index] != nil { running[index] = heading } }
  }

  /// Ends a scenario, or gives it up. Returns its heading; nil if that has happened already.
  func end(_ index: Int, hasFailed: Bool) -> ScenarioHeading? {
    lock.withLock {
      guard let heading = running.removeValue(forKey: index) else { return nil }
      if hasFailed { failures += 1 }
      return heading
    }
  }

  /// Returns a Boolean value that indicates whether a scenario runs and has not been given up.
  func isRunning(_ index: Int) -> Bool { lock.withLock { running[index] != nil } }

  /// Notes the numbers of scenarios whose verdicts have been received, and of those that have been passed on.
  func note(received: Int, passedOn: Int) {
    lock.withLock { (self.received, self.passedOn) = (received, passedOn) }
  }

  /// Starts no more scenarios.
  func stop() { lock.withLock { isStopped = true } }
}
