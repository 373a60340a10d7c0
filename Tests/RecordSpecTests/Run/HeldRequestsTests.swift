import Foundation
import Testing

@testable import ScenarioReport
@testable import ScenarioRun

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

  /// Waiting requests and later ones are released when no step awaits them any more.
  @Test(.timeLimit(.minutes(10))) func allAreReleased() async {
    let held = HeldRequests(clock: clock)
    let waiting = [await request(held, "a"), await request(held, "b", delay: .seconds(1))]
    clock.advance(to: .seconds(1))
    held.releaseAll()
    for task in waiting { await task.value }
    await held.pass("c", until: clock.elapsed)
  }

  /// Responses arrive in the order of the clock, regardless of the awaited request.
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
    // A request without a name is one that its step awaits.
    await held.pass(nil, until: .seconds(15))
    await late.value
    #expect(clock.elapsed == .seconds(15))
    held.release("untimed")
    await untimed.value
    #expect(clock.elapsed == .seconds(15))
  }

  /// A canceled request is released immediately.
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

  /// A step that cancels requests has not ended before they have, even if their tasks are canceled late.
  @Test(.timeLimit(.minutes(10))) func cancelledRequestsAreMovingUntilTheirEnd() async {
    let held = HeldRequests(clock: clock)
    for name in ["a", "b", "c"] { held.begin(name) }
    let tasks = [("a", "list"), ("b", "other")].map { name, domain -> Task<Void, Never> in
      Task { await held.pass(name, domain: domain, until: .zero) }
    }
    held.holdBack("c", domain: "list", behind: "b")
    await held.settle()
    let ended = Order()
    for (domain, names) in [("none", []), ("list", ["a", "c"]), ("other", ["b"])] {
      held.whileCancelling(domain: domain) {}
      held.whenSettled { ended.note(domain) }
      for name in names {
        #expect(ended.names.last != domain, "\(name)")
        held.end(name)
      }
      #expect(ended.names.last == domain)
    }
    for task in tasks {
      task.cancel()
      await task.value
    }
  }

  /// Requests that continue at the same time run one after another, in the order in which they began. A request without
  /// a name runs last.
  @Test(.timeLimit(.minutes(10)), arguments: 0..<20) func continuingRequestsRunOneAtATime(round: Int) async {
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
        // The request stops running: it is held, or it ends.
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

  /// A request that advances the clock continues only after the requests that it released have stopped. This includes
  /// requests that those released in turn, even if they have to wait.
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

  /// A reused name is independent of the earlier request with this name.
  @Test(.timeLimit(.minutes(10))) func aNameIsFreeAtTheEnd() async {
    let held = HeldRequests(clock: clock)
    let first = await request(held, "a")
    held.begin("b")
    held.holdBack("b", behind: "a")
    held.release("b")
    await first.value
    held.end("b")
    // Calls for requests that have ended have no effect.
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

// Unchecked: `noted` is accessed only under `lock`.
private final class Order: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [String] = []

  var names: [String] { lock.withLock { noted } }
  func note(_ name: String) { lock.withLock { noted.append(name) } }
}
