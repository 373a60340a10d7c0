import Testing

@testable import RecordSpec

@Suite struct HeldRequestsTests {
  /// What waits, and what comes later, is let go when nobody goes on to await it.
  @Test(.timeLimit(.minutes(1))) func allAreReleased() async {
    let held = HeldRequests()
    let waiting = ["a", "b"].map { name in
      Task { await HeldRequests.$name.withValue(name) { await held.pass() } }
    }
    await held.arrival(of: "a")
    await held.arrival(of: "b")
    await held.releaseAll()
    for task in waiting { await task.value }
    await HeldRequests.$name.withValue("c") { await held.pass() }
  }
}
