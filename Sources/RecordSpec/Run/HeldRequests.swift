import Foundation

/// Requests that have reached the server and wait there for their answers, by the scenario's clock.
///
/// A request with a name, which is its tag, is answered when a step awaits it; one whose answer takes time also when the clock gets there
/// before. A request without a name is one that a step waits for. Whoever is waited for lets time pass up to its answer, and
/// with it come, one after the other, the answers that are due before.
///
/// A request with a name is at rest while it is held here, or held back behind another one, and when it has ended; else it
/// moves. A step has ended when nothing moves, and those that have been held back go on one after the other, in the order
/// in which they began: so nothing depends on which of them is faster. Who lets time pass waits for all that do not, and
/// whose turn it has to be for none that does: so all come to rest.
// Unchecked: everything that changes is read and written under `lock` alone.
final class HeldRequests: @unchecked Sendable {
  private struct Held {
    /// When the answer is due by the clock; nil if only a step can let it come.
    var due: Duration?
    /// The order of arrival.
    var number: Int
    /// Gets whether there is somebody to answer.
    var continuation: CheckedContinuation<Bool, Never>
  }

  private let lock = NSLock()
  private let clock: VirtualClock
  /// The requests that have begun and not ended, and the order in which they began.
  private var pending: [String: Int] = [:]
  /// Those of them that are not at rest.
  private var moving: Set<String> = []
  /// Those of them whose turn to go on it has to be.
  private var queued: Set<String> = []
  /// Those of them that let time pass, and wait for what they let go.
  private var passing: Set<String> = []
  private var held: [String: Held] = [:]
  /// What a step waits for.
  private var awaited: Set<String> = []
  /// What has had an answer and goes on: it may ask for more.
  private var answered: Set<String> = []
  /// What each request waits for that does not come to the server before another one has ended; nil for one without a name.
  private var heldBack: [String: String?] = [:]
  /// Whether several are being let go of, and are to count as moving before any of those behind them goes on.
  private var isLettingGo = false
  private var areAllReleased = false
  private var count = 0
  /// Who waits for others to come to rest.
  private var waiting: [(condition: () -> Bool, body: () -> Void)] = []

  init(clock: VirtualClock) { self.clock = clock }

  // MARK: For the server

  /// Comes back when the request is to be answered.
  ///
  /// - Parameters:
  ///   - name: nil for a request that a step waits for.
  ///   - due: the time since the scenario began at which the answer arrives.
  func pass(_ name: String?, until due: Duration) async {
    let takesTime = due > clock.elapsed
    let (number, isHeld) = lock.withLock {
      count += 1
      guard let name, !awaited.contains(name) else { return (count, false) }
      return (count, takesTime || !answered.contains(name))
    }
    if let name, isHeld {
      guard await hold(name, due: takesTime ? due : nil, number) else { return }
      guard lock.withLock({ awaited.contains(name) }) else { return }
    }
    await letPass(until: due, number, name)
  }

  /// - Returns: whether there is somebody to answer.
  private func hold(_ name: String, due: Duration?, _ number: Int) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        change {
          guard !areAllReleased, !Task.isCancelled else {
            return continuation.resume(returning: areAllReleased)
          }
          held[name] = Held(due: due, number: number, continuation: continuation)
          moving.remove(name)
        }
      }
    } onCancel: {
      // Nobody waits for the answer any more: the request goes to its end.
      change {
        guard held[name]?.number == number else { return }
        move(name)
        held.removeValue(forKey: name)?.continuation.resume(returning: false)
      }
    }
  }

  /// Answers one after the other what is due before, and leaves the clock at the time that was to come.
  ///
  /// - Parameter name: whose answer comes at that time, if it has a name.
  private func letPass(until time: Duration, _ number: Int, _ name: String?) async {
    while letGoOfNext(before: time, number, name) {
      await rest { [self] in moving.isSubset(of: passing) }
      if let name { lock.withLock { _ = passing.remove(name) } }
    }
    clock.advance(to: time)
  }

  /// - Returns: whether there was one.
  private func letGoOfNext(before time: Duration, _ number: Int, _ name: String?) -> Bool {
    change {
      let next = held.compactMap { name, held in held.due.map { (name: name, due: $0, number: held.number) } }
        .filter { ($0.due, $0.number) < (time, number) }
        .min { ($0.due, $0.number) < ($1.due, $1.number) }
      guard !areAllReleased, let next else { return false }
      clock.advance(to: next.due)
      if let name, moving.contains(name) { passing.insert(name) }
      letGo(next.name)
      return true
    }
  }

  /// The request does not come before another one has ended: who waits for it waits for that one.
  ///
  /// - Parameters:
  ///   - name: nil for a request that a step waits for.
  ///   - other: nil if that one has no name.
  func holdBack(_ name: String?, behind other: String?) {
    change {
      if let name, pending[name] != nil {
        heldBack.updateValue(other, forKey: name)
        moving.remove(name)
      }
      if let other, name.map(awaited.contains) ?? true { letCome(other) }
    }
  }

  /// The other one has ended: the request moves again.
  func goesOn(_ name: String) {
    change {
      heldBack[name] = nil
      move(name)
    }
  }

  /// Comes back when all others are at rest, but for those that have begun later and wait for their turns.
  ///
  /// - Parameter name: nil for a request without a name, which comes after all that have one.
  func waitForTurn(of name: String?) async {
    if let name { change { if moving.contains(name) { queued.insert(name) } } }
    await rest { [self] in
      let own = name.flatMap { pending[$0] } ?? .max
      let isNext = moving.subtracting(passing).allSatisfy { other in
        other == name || queued.contains(other) && pending[other] ?? 0 > own
      }
      guard isNext, !isLettingGo else { return false }
      if let name { queued.remove(name) }
      return true
    }
  }

  // MARK: For the steps

  /// The request is going to be sent.
  func begin(_ name: String) {
    change {
      count += 1
      pending[name] = count
      move(name)
    }
  }

  /// The request has ended, whether or not it ever reached the server, and its name is free.
  func end(_ name: String) {
    change {
      pending[name] = nil
      moving.remove(name)
      queued.remove(name)
      passing.remove(name)
      heldBack[name] = nil
      awaited.remove(name)
      answered.remove(name)
    }
  }

  /// Waits until all requests are at rest.
  func settle() async { await rest { [self] in moving.isEmpty } }

  /// Calls `body` when all requests are at rest, at once if they are.
  func whenSettled(_ body: @escaping () -> Void) { whenever({ [self] in moving.isEmpty }, body) }

  /// Nobody goes on who is held back before `letGo` has let go of all that it does.
  func together(_ letGo: () -> Void) {
    change { isLettingGo = true }
    letGo()
    change { isLettingGo = false }
  }

  /// Lets time pass. What is due before is answered, one after the other.
  func advance(by time: Duration) async {
    let number = lock.withLock {
      count += 1
      return count
    }
    await letPass(until: clock.elapsed + time, number, nil)
  }

  /// A step waits for the request: it is answered, as is whatever else it asks for.
  func release(_ name: String) { change { letCome(name) } }

  /// Lets all requests be answered, those that are still to come too: nobody goes on to await them.
  func releaseAll() {
    change {
      areAllReleased = true
      for (name, _) in held.sorted(by: { $0.value.number < $1.value.number }) { letGo(name) }
    }
  }

  // MARK: Under the lock

  private func letCome(_ name: String) {
    guard pending[name] != nil, awaited.insert(name).inserted else { return }
    letGo(name)
    if case let other?? = heldBack[name] { letCome(other) }
  }

  private func letGo(_ name: String) {
    guard let held = held.removeValue(forKey: name) else { return }
    answered.insert(name)
    move(name)
    held.continuation.resume(returning: true)
  }

  /// One that has ended moves no more.
  private func move(_ name: String) {
    if pending[name] != nil { moving.insert(name) }
  }

  // MARK: Rest

  /// Changes something, and tells who has waited for it.
  private func change<Value>(_ body: () -> Value) -> Value {
    let (value, ready) = lock.withLock { () -> (Value, [() -> Void]) in
      let value = body()
      let ready = waiting.map { $0.condition() }
      defer { waiting = zip(waiting, ready).filter { !$1 }.map(\.0) }
      return (value, zip(waiting, ready).filter(\.1).map(\.0.body))
    }
    for body in ready { body() }
    return value
  }

  /// - Parameter condition: looked at under the lock.
  private func rest(_ condition: @escaping () -> Bool) async {
    await withCheckedContinuation { continuation in whenever(condition) { continuation.resume() } }
  }

  private func whenever(_ condition: @escaping () -> Bool, _ body: @escaping () -> Void) {
    let isNow = lock.withLock {
      if condition() { return true }
      waiting.append((condition, body))
      return false
    }
    if isNow { body() }
  }
}
