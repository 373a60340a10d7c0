import Foundation
import HeapModule
import RecordEngine
import ScenarioFormat

/// The order in which the requests of a batch are answered. One request is answered when all unfinished requests wait
/// here. The next one is answered when that request has ended or asks for more. The result does not depend on which
/// request is faster.
///
/// Responses are chosen in the order in which the step lists the requests, and arrive in the order of the clock. The
/// requests are identified by their tags.
// Unchecked: all state is read and written only under `lock`.
package final class BatchSchedule: @unchecked Sendable {
  package typealias Answer = ScenarioServer.Answer

  /// A request of the step.
  private struct Member {
    var hasEnded = false
    /// The tag of the in-flight request that this one is coalesced with and waits for. `.some(nil)` means a request
    /// without a tag, and `.none` means that it does not wait.
    var heldBack: String??
    /// The continuation of a request that has not arrived and waits for the requests before it.
    var arrival: CheckedContinuation<Void, any Error>?
    /// The answer that the request waits for.
    var pending: PendingAnswer?
  }

  private struct PendingAnswer {
    var choose: () -> Result<Answer, any Error>
    /// The answer; nil until it is chosen.
    var answer: Result<Answer, any Error>?
    var continuation: CheckedContinuation<Answer, any Error>

    var due: Duration { (try? answer?.get())?.due ?? .zero }
  }

  /// The position of a request with a chosen answer.
  private struct DueAnswer: Comparable {
    var due: Duration
    var position: Int

    /// Returns a Boolean value that indicates whether a request is answered before another. Of requests that are due at
    /// the same time, the first one in the step comes first.
    static func < (left: Self, right: Self) -> Bool {
      (left.due, left.position) < (right.due, right.position)
    }
  }

  private let lock = NSLock()
  /// The requests of other steps.
  private let held: HeldRequests
  /// All requests, in the order of the step.
  private var members: [Member] = []
  private var positions: [String: Int] = [:]
  /// The positions of the requests that wait for the request with a tag, by that tag.
  private var followers: [String: [Int]] = [:]

  // Heaps keep positions whose state has changed. These positions are skipped when they come up.
  /// The requests that have to arrive before the requests after them can.
  private var blocking = Heap<Int>()
  private var arriving = Heap<Int>()
  /// The requests that have reached the server and whose responses have not been chosen.
  private var unchosen = Heap<Int>()
  private var chosen = Heap<DueAnswer>()
  /// The requests that are coalesced with requests of other steps.
  private var led = Heap<Int>()
  /// The number of requests that have yet to reach the server.
  private var comingCount = 0

  package init(_ held: HeldRequests) { self.held = held }

  /// Begins a batch of requests with these tags.
  func begin(_ tags: [String]) {
    lock.withLock {
      members = tags.map { _ in Member() }
      positions = Dictionary(tags.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      followers = [:]
      (blocking, arriving) = (Heap(members.indices), Heap())
      (unchosen, chosen, led) = (Heap(), Heap(), Heap())
      comingCount = members.count
    }
  }

  /// Returns when all requests before this one in the step are waiting or have ended.
  func arrival(of tag: String) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isWaiting = lock.withLock {
          guard let position = positions[tag], !members[position].hasEnded else { return false }
          members[position].arrival = continuation
          arriving.insert(position)
          return true
        }
        if Task.isCancelled, isWaiting { return drop(tag) }
        if !isWaiting { continuation.resume() }
        goOn()
      }
    } onCancel: {
      drop(tag)
    }
  }

  /// Records that a request is coalesced with another one and waits for it to end.
  ///
  /// - Parameter other: the tag of the other request, if it has one.
  func holdBack(_ tag: String, behind other: String?) {
    lock.withLock {
      guard let position = positions[tag] else { return }
      if let other { followers[other, default: []].append(position) }
      change(position) { $0.heldBack = .some(other) }
    }
    goOn()
  }

  /// Records that a request no longer waits for another one: it will reach the server or end.
  package func expect(_ tag: String) {
    lock.withLock {
      guard let position = positions[tag] else { return }
      change(position) { $0.heldBack = nil }
    }
  }

  /// Records that a request has ended, with a result or a failure, whether or not it ever reached the server.
  package func finish(_ tag: String) {
    let arrival = lock.withLock { () -> CheckedContinuation<Void, any Error>? in
      guard let position = positions[tag] else { return nil }
      defer { members[position].arrival = nil }
      let followers = Set(followers.removeValue(forKey: tag) ?? []).subtracting([position])
      let former = followers.count(where: isComing)
      change(position) { $0.hasEnded = true }
      comingCount += followers.count(where: isComing) - former
      for follower in followers { enqueue(follower) }
      return members[position].arrival
    }
    arrival?.resume()
    goOn()
  }

  package func includes(_ tag: String?) -> Bool {
    lock.withLock { tag.flatMap { positions[$0] }.map { !members[$0].hasEnded } ?? false }
  }

  /// Waits until a request that has reached the server is the next to be answered.
  ///
  /// - Parameter choose: a function that chooses the response.
  package func answer(of tag: String, _ choose: @escaping () -> Result<Answer, any Error>) async throws
    -> Answer
  {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lock.withLock {
          guard let position = positions[tag] else {
            return continuation.resume(throwing: CancellationError())
          }
          change(position) { $0.pending = PendingAnswer(choose: choose, continuation: continuation) }
        }
        if Task.isCancelled { drop(tag) } else { goOn() }
      }
    } onCancel: {
      drop(tag)
    }
  }

  /// Resumes a canceled request with an error.
  private func drop(_ tag: String) {
    let member = lock.withLock { () -> Member? in
      guard let position = positions[tag] else { return nil }
      defer { change(position) { ($0.pending, $0.arrival) = (nil, nil) } }
      return members[position]
    }
    member?.pending?.continuation.resume(throwing: CancellationError())
    member?.arrival?.resume(throwing: CancellationError())
  }

  /// Lets requests arrive that can, and answers the next request when no request of other steps is moving.
  private func goOn() {
    let arrived = lock.withLock { () -> [CheckedContinuation<Void, any Error>] in
      while let first = blocking.min, !isBlocking(members[first]) { blocking.removeMin() }
      var arrived: [CheckedContinuation<Void, any Error>] = []
      while let next = arriving.min, next <= blocking.min ?? next {
        arriving.removeMin()
        if let arrival = members[next].arrival { arrived.append(arrival) }
        members[next].arrival = nil
      }
      return arrived
    }
    for continuation in arrived { continuation.resume() }
    held.whenSettled { [self] in answerNext() }
  }

  /// Answers the next request if all unfinished requests wait for an answer. If all of them wait for requests of other
  /// steps, releases the first of those.
  private func answerNext() {
    let (next, other) = lock.withLock { () -> (PendingAnswer?, String?) in
      guard comingCount == 0 else { return (nil, nil) }
      if let next = takeNext() { return (next, nil) }
      while let first = led.min, leader(of: members[first]) == nil { led.removeMin() }
      return (nil, led.min.flatMap { leader(of: members[$0]) })
    }
    if let other { held.release(other) }
    if let next, let answer = next.answer { next.continuation.resume(with: answer) }
  }

  // MARK: Under the lock

  /// Removes and returns the first request that waits for an answer.
  private func takeNext() -> PendingAnswer? {
    while let position = unchosen.popMin() {
      guard let pending = members[position].pending, pending.answer == nil, isDue(position) else { continue }
      members[position].pending?.answer = pending.choose()
      enqueue(position)
    }
    while let next = chosen.popMin() {
      guard let pending = members[next.position].pending, pending.answer != nil, pending.due == next.due,
        isDue(next.position)
      else { continue }
      change(next.position) { $0.pending = nil }
      return pending
    }
    return nil
  }

  /// Returns the tag of the request of another step that a request waits for; nil if there is none.
  private func leader(of member: Member) -> String? {
    guard !member.hasEnded, case let other?? = member.heldBack, positions[other] == nil else { return nil }
    return other
  }

  private func change(_ position: Int, _ body: (inout Member) -> Void) {
    let wasComing = isComing(position)
    body(&members[position])
    comingCount += (isComing(position) ? 1 : 0) - (wasComing ? 1 : 0)
    enqueue(position)
  }

  private func enqueue(_ position: Int) {
    let member = members[position]
    if isBlocking(member) { blocking.insert(position) }
    if leader(of: member) != nil { led.insert(position) }
    guard let pending = member.pending, isDue(position) else { return }
    if pending.answer == nil {
      unchosen.insert(position)
    } else {
      chosen.insert(DueAnswer(due: pending.due, position: position))
    }
  }

  private func isBlocking(_ member: Member) -> Bool {
    !member.hasEnded && member.pending == nil && member.heldBack == nil
  }

  private func isComing(_ position: Int) -> Bool { members[position].pending == nil && isDue(position) }

  /// Returns a Boolean value that indicates whether an unfinished request waits for no other request, or only for a
  /// request of the batch that has ended.
  private func isDue(_ position: Int) -> Bool {
    guard !members[position].hasEnded else { return false }
    guard let other = members[position].heldBack else { return true }
    return other.flatMap { positions[$0] }.map { members[$0].hasEnded } ?? false
  }
}
