import TestSupport
import Testing

/// Tests that waiting for an event ends if the task is canceled. A test that fails or times out is canceled, and must
/// not wait for events that no longer occur.
@Suite(.timeLimit(.minutes(1))) struct EventCounterTests {
  @Test func aWaitEndsWithItsEvents() async {
    let events = EventCounter()
    let waits = (1...3).map { count in Task { await events.wait(for: count) } }
    for number in 1...3 { #expect(events.note() == number) }
    for wait in waits { await wait.value }
    await events.wait(for: 3)
  }

  @Test(arguments: [false, true]) func aWaitEndsWhenItsTaskIsCancelled(isWaiting: Bool) async throws {
    let (events, ends) = (EventCounter(), EventCounter())
    let task = Task {
      await events.wait()
      ends.note()
    }
    if isWaiting { try await Task.sleep(for: .milliseconds(50)) }
    task.cancel()
    // This does not wait for the value of the task, because a failing test would then wait forever.
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(30)
    while ends.count == 0, clock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(ends.count == 1)
    // A second event must not resume the waiting task again.
    events.note()
  }
}
