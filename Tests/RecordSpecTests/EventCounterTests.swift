import TestSupport
import Testing

/// A test that fails or takes too long is cancelled. It then must not wait for events that do not come any more.
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
    // Not the task's value, for which a failing test would wait for ever.
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(30)
    while ends.count == 0, clock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(ends.count == 1)
    // Nothing is left that an event would resume a second time.
    events.note()
  }
}
