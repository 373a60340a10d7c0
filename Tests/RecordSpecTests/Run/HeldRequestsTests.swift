import Testing

@testable import RecordSpec

@Suite struct HeldRequestsTests {
  private let clock = VirtualClock(start: 100)

  private func request(_ held: HeldRequests, _ name: String, delay: Duration = .zero) async -> Task<
    Void, Never
  > {
    let due = clock.elapsed + delay
    let task = Task {
      await held.pass(name, until: due)
      #expect(delay == .zero || clock.elapsed == due, "\(name)")
      await held.noteRest(of: name)
    }
    await held.rest(of: name)
    return task
  }

  /// What waits, and what comes later, is let go when nobody goes on to await it.
  @Test(.timeLimit(.minutes(1))) func allAreReleased() async {
    let held = HeldRequests(clock: clock)
    let waiting = [await request(held, "a"), await request(held, "b", delay: .seconds(1))]
    clock.advance(to: .seconds(1))
    await held.releaseAll()
    for task in waiting { await task.value }
    await held.pass("c", until: clock.elapsed)
  }

  /// Answers come in the order of the clock, whoever is waited for.
  @Test(.timeLimit(.minutes(1))) func whatIsDueBeforeComesBefore() async {
    let held = HeldRequests(clock: clock)
    let late = await request(held, "late", delay: .seconds(9))
    let early = await request(held, "early", delay: .seconds(2))
    let middle = await request(held, "middle", delay: .seconds(5))
    let untimed = await request(held, "untimed")
    await held.release("middle")
    await middle.value
    await early.value
    #expect(clock.elapsed == .seconds(5) && clock.now == 105)
    // A request without a name is one that a step waits for.
    await held.pass(nil, until: .seconds(15))
    await late.value
    #expect(clock.elapsed == .seconds(15))
    await held.release("untimed")
    await untimed.value
    #expect(clock.elapsed == .seconds(15))
  }

  /// What nobody waits for any more is let go at once.
  @Test(.timeLimit(.minutes(1))) func aCancelledRequestIsLetGo() async {
    let held = HeldRequests(clock: clock)
    let task = Task { await held.pass("a", until: .seconds(1)) }
    await held.rest(of: "a")
    task.cancel()
    await task.value
    #expect(clock.elapsed == .zero)
  }
}
