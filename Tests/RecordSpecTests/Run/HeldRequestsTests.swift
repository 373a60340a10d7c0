import Foundation
import Testing

@testable import RecordSpec

@Suite struct HeldRequestsTests {
  private let clock = VirtualClock(start: 100)

  private func request(_ held: HeldRequests, _ name: String, delay: Duration = .zero) async -> Task<
    Void, Never
  > {
    let due = clock.elapsed + delay
    held.begin(name)
    let task = Task {
      await held.pass(name, until: due)
      #expect(delay == .zero || clock.elapsed == due, "\(name)")
      held.end(name)
    }
    await held.settle()
    return task
  }

  /// What waits, and what comes later, is let go when nobody goes on to await it.
  @Test(.timeLimit(.minutes(10))) func allAreReleased() async {
    let held = HeldRequests(clock: clock)
    let waiting = [await request(held, "a"), await request(held, "b", delay: .seconds(1))]
    clock.advance(to: .seconds(1))
    held.releaseAll()
    for task in waiting { await task.value }
    await held.pass("c", until: clock.elapsed)
  }

  /// Answers come in the order of the clock, whoever is waited for.
  @Test(.timeLimit(.minutes(10))) func whatIsDueBeforeComesBefore() async {
    let held = HeldRequests(clock: clock)
    let late = await request(held, "late", delay: .seconds(9))
    let early = await request(held, "early", delay: .seconds(2))
    let middle = await request(held, "middle", delay: .seconds(5))
    let untimed = await request(held, "untimed")
    held.release("middle")
    await middle.value
    await early.value
    #expect(clock.elapsed == .seconds(5) && clock.now == 105)
    // A request without a name is one that a step waits for.
    await held.pass(nil, until: .seconds(15))
    await late.value
    #expect(clock.elapsed == .seconds(15))
    held.release("untimed")
    await untimed.value
    #expect(clock.elapsed == .seconds(15))
  }

  /// What nobody waits for any more is let go at once.
  @Test(.timeLimit(.minutes(10))) func aCancelledRequestIsLetGo() async {
    let held = HeldRequests(clock: clock)
    held.begin("a")
    let task = Task {
      await held.pass("a", until: .seconds(1))
      held.end("a")
    }
    await held.settle()
    task.cancel()
    await held.settle()
    await task.value
    #expect(clock.elapsed == .zero)
  }

  /// Those that go on at once do so one after the other, in the order in which they began; the last one is who has no name.
  @Test(.timeLimit(.minutes(10)), arguments: 0..<20) func thoseThatGoOnTakeTurns(round: Int) async {
    let held = HeldRequests(clock: clock)
    let order = Order()
    let names = ["b", "c", "d"]
    for name in ["a"] + names { held.begin(name) }
    for name in names { held.holdBack(name, behind: "a") }
    held.holdBack(nil, behind: "a")
    for name in names.reversed() { held.goesOn(name) }
    let tasks = ([nil] + names.reversed()).map { name in
      Task {
        await held.waitForTurn(of: name)
        order.note(name ?? "-")
        // It rests: it is held, or it ends.
        if name == "c" { await held.pass(name, until: .zero) }
        if let name { held.end(name) }
      }
    }
    await Task.yield()
    order.note("a")
    held.end("a")
    await held.settle()
    held.release("c")
    for task in tasks { await task.value }
    #expect(order.names == ["a", "b", "c", "d", "-"])
  }

  /// Who lets time pass goes on when what it has let go is at rest, and so are those that this one lets go on, though they
  /// have to wait for their turns.
  @Test(.timeLimit(.minutes(10))) func timePassesWhenAllAreAtRest() async {
    let held = HeldRequests(clock: clock)
    let last = await request(held, "last", delay: .seconds(3))
    held.begin("first")
    let first = Task {
      await held.pass("first", until: .seconds(1))
      held.goesOn("behind")
      held.end("first")
    }
    await held.settle()
    held.begin("behind")
    held.holdBack("behind", behind: "first")
    let behind = Task {
      await held.waitForTurn(of: "behind")
      #expect(clock.elapsed == .seconds(1))
      await held.pass("behind", until: clock.elapsed + .seconds(1))
      #expect(clock.elapsed == .seconds(2))
      held.end("behind")
    }
    held.release("last")
    await last.value
    await first.value
    await behind.value
    await held.settle()
    #expect(clock.elapsed == .seconds(3))
  }

  /// A name that is used again has nothing of the request that had it before.
  @Test(.timeLimit(.minutes(10))) func aNameIsFreeAtTheEnd() async {
    let held = HeldRequests(clock: clock)
    let first = await request(held, "a")
    held.begin("b")
    held.holdBack("b", behind: "a")
    held.release("b")
    await first.value
    held.end("b")
    // What comes too late is for nobody.
    held.goesOn("b")
    held.holdBack("b", behind: "a")
    held.release("a")
    await held.settle()
    let second = await request(held, "a", delay: .seconds(1))
    #expect(clock.elapsed == .zero)
    held.release("a")
    await second.value
  }
}

// Unchecked: `names` is read and written under `lock` alone.
private final class Order: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [String] = []

  var names: [String] { lock.withLock { noted } }
  func note(_ name: String) { lock.withLock { noted.append(name) } }
}
