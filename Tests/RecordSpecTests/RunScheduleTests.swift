import Testing

@testable import RecordSpecCommand

/// Tests for the order in which scenarios of a run are started.
struct RunScheduleTests {
  @Test func scenariosAreStartedInTheirOrder() {
    let schedule = RunSchedule(count: 3, maximumFailures: nil, backlog: 9, lead: nil)
    #expect([schedule.start(), schedule.start(), schedule.start(), schedule.start()] == [0, 1, 2, nil])
  }

  @Test func aScenarioEndsOnce() {
    let schedule = RunSchedule(count: 2, maximumFailures: nil, backlog: 9, lead: nil)
    _ = (schedule.start(), schedule.start())
    #expect(schedule.isRunning(0) && schedule.end(0, hasFailed: false))
    #expect(!schedule.isRunning(0) && !schedule.end(0, hasFailed: true))
    #expect(schedule.isRunning(1) && schedule.start() == nil)
  }

  @Test func enoughFailuresEndTheRun() {
    let schedule = RunSchedule(count: 9, maximumFailures: 2, backlog: 9, lead: nil)
    for _ in 0..<3 { _ = schedule.start() }
    #expect(schedule.end(1, hasFailed: true) && schedule.start() == 3)
    // A scenario counts once.
    #expect(!schedule.end(1, hasFailed: true) && schedule.start() == 4)
    #expect(schedule.end(3, hasFailed: true) && schedule.start() == nil)
  }

  /// Neither a slow receiver of verdicts nor a slow scenario lets verdicts pile up.
  @Test func theStartIsDelayedUntilVerdictsAreReceived() {
    let schedule = RunSchedule(count: 9, maximumFailures: nil, backlog: 2, lead: 3)
    func startAll() -> [Int] { Array(sequence(state: ()) { _ in schedule.start() }) }
    #expect(startAll() == [0, 1])
    schedule.note(received: 2, passedOn: 0)
    #expect(startAll() == [2])
    schedule.note(received: 2, passedOn: 1)
    #expect(startAll() == [3])
    schedule.stop()
    schedule.note(received: 4, passedOn: 4)
    #expect(startAll() == [])
  }
}
