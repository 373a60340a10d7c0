import Foundation
import ScenarioComparison
import ScenarioFormat

/// The requests that have reached the server and wait there for their answers, by the scenario's clock.
///
/// A request with a name, which is its tag, is answered when a step awaits it. If its response takes time, it is also
/// answered when the clock reaches its due time. A request without a name is one that a step waits for. Waiting for a
/// request advances the clock to the due time of its response. The responses that are due before that are delivered
/// first, one after the other.
///
/// A request with a name is *at rest* while it is held here, while it is coalesced with another request, and after it
/// has ended. In all other states it is *moving*. A step has ended when no request is moving. When a request has ended,
/// the requests that were coalesced with it continue one after the other, in the order in which they began. The result
/// does not depend on which of them is faster.
///
/// A request that advances the clock waits for the moving requests that do not advance it. A request that waits for its
/// turn does not wait for requests that advance the clock. Therefore all requests come to rest.
// Unchecked: all mutable state is read and written only under `lock`.
package final class HeldRequests: @unchecked Sendable {
  private struct Held {
    /// The time at which the response is due; nil if only a step can release it.
    var due: Duration?
    /// The position in the order of arrival.
    var number: Int
    var domain: String?
    /// The continuation, which receives whether the request is still to be answered.
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct HeldBack {
    /// The request that this one waits for; nil if it has no name.
    var other: String?
    var domain: String?
  }

  private let lock = NSLock()
  private let clock: VirtualClock
  /// The requests that have begun and not ended, with their positions in the order in which they began.
  private var pending: [String: Int] = [:]
  /// The pending requests that are not at rest.
  private var moving: Set<String> = []
  /// The pending requests that wait for their turn to continue.
  private var queued: Set<String> = []
  /// The pending requests that advance the clock and wait for the requests that they released.
  private var passing: Set<String> = []
  private var held: [String: Held] = [:]
  /// The requests that a step awaits.
  private var awaited: Set<String> = []
  /// The requests that have received an answer and continue. They may send more requests.
  private var answered: Set<String> = []
  /// The requests that are coalesced with another one.
  private var heldBack: [String: HeldBack] = [:]
  /// A Boolean value that indicates whether several requests are being canceled. All of them must be canceled before a
  /// request that waits for one of them continues.
  private var isCancelling = false
  private var areAllReleased = false
  private var count = 0
  /// The closures to call when their conditions become true.
  private var waiting: [(condition: () -> Bool, body: () -> Void)] = []

  package init(clock: VirtualClock) { self.clock = clock }

  // MARK: For the server

  /// Returns when a request is to be answered.
  ///
  /// - Parameters:
  ///   - name: the name of the request; nil for a request that a step waits for.
  ///   - domain: the domain of the request, if it has one.
  ///   - due: the time since the scenario began at which the response arrives.
  package func pass(_ name: String?, domain: String? = nil, until due: Duration) async {
    let takesTime = due > clock.elapsed
    let (number, isHeld) = lock.withLock {
      count += 1
      guard let name, !awaited.contains(name) else { return (count, false) }
      return (count, takesTime || !answered.contains(name))
    }
    if let name, isHeld {
      guard await hold(name, domain, due: takesTime ? due : nil, number) else { return }
      guard lock.withLock({ awaited.contains(name) }) else { return }
    }
    await letPass(until: due, number, name)
  }

  /// Holds a request until it is released or canceled.
  ///
  /// - Returns: a Boolean value that indicates whether the request is still to be answered.
  private func hold(_ name: String, _ domain: String?, due: Duration?, _ number: Int) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        change {
          guard !areAllReleased, !Task.isCancelled else {
            return continuation.resume(returning: areAllReleased)
          }
          held[name] = Held(due: due, number: number, domain: domain, continuation: continuation)
          moving.remove(name)
        }
      }
    } onCancel: {
      // The request no longer waits for an answer, so it continues to its end.
      change {
        guard held[name]?.number == number else { return }
        move(name)
        held.removeValue(forKey: name)?.continuation.resume(returning: false)
      }
    }
  }

  /// Delivers the responses that are due before a time, one after the other, then advances the clock to that time.
  ///
  /// - Parameter name: the name of the request whose response is due at that time, if it has one.
  private func letPass(until time: Duration, _ number: Int, _ name: String?) async {
    while letGoOfNext(before: time, number, name) {
      await rest { [self] in moving.isSubset(of: passing) }
      if let name { lock.withLock { _ = passing.remove(name) } }
    }
    clock.advance(to: time)
  }

  /// Releases the next request that is due before a time.
  ///
  /// - Returns: a Boolean value that indicates whether there was one.
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

  /// Records that a request is coalesced with another one and waits for it to end. A step that waits for the request
  /// then also waits for the other one.
  ///
  /// - Parameters:
  ///   - name: the name of the request; nil for a request that a step waits for.
  ///   - domain: the domain of the request, if it has one.
  ///   - other: the name of the other request, if it has one.
  func holdBack(_ name: String?, domain: String? = nil, behind other: String?) {
    change {
      if let name, pending[name] != nil {
        heldBack[name] = HeldBack(other: other, domain: domain)
        moving.remove(name)
      }
      if let other, name.map(awaited.contains) ?? true { letCome(other) }
    }
  }

  /// Records that the other request has ended and that this one continues.
  func goesOn(_ name: String) {
    change {
      heldBack[name] = nil
      move(name)
    }
  }

  /// Returns when all other requests are at rest, except those that began later and wait for their turns.
  ///
  /// - Parameter name: nil for a request without a name, whose turn comes after all requests with a name.
  func waitForTurn(of name: String?) async {
    if let name { change { if moving.contains(name) { queued.insert(name) } } }
    await rest { [self] in
      let own = name.flatMap { pending[$0] } ?? .max
      let isNext = moving.subtracting(passing).allSatisfy { other in
        other == name || queued.contains(other) && pending[other] ?? 0 > own
      }
      guard isNext, !isCancelling else { return false }
      if let name { queued.remove(name) }
      return true
    }
  }

  // MARK: For the steps

  /// Records that a request is going to be sent.
  func begin(_ name: String) {
    change {
      count += 1
      pending[name] = count
      move(name)
    }
  }

  /// Records that a request has ended, whether or not it ever reached the server. Its name can be used again.
  package func end(_ name: String) {
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

  /// Calls `body` when all requests are at rest, or immediately if they are.
  func whenSettled(_ body: @escaping () -> Void) { whenever({ [self] in moving.isEmpty }, body) }

  /// Calls `body`, which cancels all requests of a domain. Coalesced requests continue only after it has canceled all of
  /// them.
  ///
  /// The canceled requests are moving from now until they end. The engine may cancel the task of a request a little after the
  /// request itself, and only then is the request released here.
  func whileCancelling(domain: String, _ body: () -> Void) {
    change {
      isCancelling = true
      for (name, request) in held where request.domain == domain { move(name) }
      for (name, request) in heldBack where request.domain == domain { move(name) }
    }
    body()
    change { isCancelling = false }
  }

  /// Advances the clock. The responses that are due before the new time are delivered one after the other.
  package func advance(by time: Duration) async {
    let number = lock.withLock {
      count += 1
      return count
    }
    await letPass(until: clock.elapsed + time, number, nil)
  }

  /// Answers a request that a step waits for, and all further requests that it sends.
  func release(_ name: String) { change { letCome(name) } }

  /// Answers all requests, including those that are sent later, because no further step awaits them.
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
    if let other = heldBack[name]?.other { letCome(other) }
  }

  private func letGo(_ name: String) {
    guard let held = held.removeValue(forKey: name) else { return }
    answered.insert(name)
    move(name)
    held.continuation.resume(returning: true)
  }

  /// Marks a request as moving unless it has ended.
  private func move(_ name: String) {
    if pending[name] != nil { moving.insert(name) }
  }

  // MARK: Rest

  /// Performs a change, and then calls the closures whose conditions have become true.
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

  /// Waits until a condition is true.
  ///
  /// - Parameter condition: the condition, which is evaluated under the lock.
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
