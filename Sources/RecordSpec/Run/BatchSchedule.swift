import Foundation
import HeapModule
import RecordEngine

/// The order in which the requests of a batch are answered: when all that have not ended wait here, one is, and the next
/// one when it has ended or asks for more. So nothing depends on which of them is faster.
///
/// Their responses are chosen in the order in which the step lists the requests; then they come in the order of the clock.
/// Which request is which is told by its tag.
// Unchecked: everything is read and written under `lock` alone.
final class BatchSchedule: @unchecked Sendable {
  typealias Answer = ScenarioServer.Answer

  /// A request of the step.
  private struct Member {
    var hasEnded = false
    /// The request does not come before another one has ended, and which that is; nil for one without a tag.
    var heldBack: String??
    /// It has still to come, and waits for those before it.
    var arrival: CheckedContinuation<Void, any Error>?
    /// It waits for an answer.
    var pending: PendingAnswer?
  }

  private struct PendingAnswer {
    var choose: () -> Result<Answer, any Error>
    /// Nil until it has been chosen.
    var answer: Result<Answer, any Error>?
    var continuation: CheckedContinuation<Answer, any Error>

    var due: Duration { (try? answer?.get())?.due ?? .zero }
  }

  /// The position of a request whose response has been chosen.
  private struct DueAnswer: Comparable {
    var due: Duration
    var position: Int

    /// Of several that are due at once, the first one of the step.
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
  /// By tag the requests that have been held back behind the one with it.
  private var followers: [String: [Int]] = [:]

  // Positions stay in heaps when what they stand for has ended, and are left out when they come up.
  /// The requests that those behind them wait for before they come.
  private var blocking = Heap<Int>()
  private var arriving = Heap<Int>()
  /// The requests that have reached the server and whose responses have not been chosen.
  private var unchosen = Heap<Int>()
  private var chosen = Heap<DueAnswer>()
  /// The requests that have been held back behind those of other steps.
  private var led = Heap<Int>()
  /// The number of requests that are about to reach the server.
  private var comingCount = 0

  init(_ held: HeldRequests) { self.held = held }

  /// A batch of requests with these tags is going to be sent.
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

  /// Comes back when all requests before this one in the step wait for something or have ended.
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

  /// The request does not come before another one has ended.
  ///
  /// - Parameter other: the tag of that one, if it has one.
  func holdBack(_ tag: String, behind other: String?) {
    lock.withLock {
      guard let position = positions[tag] else { return }
      if let other { followers[other, default: []].append(position) }
      change(position) { $0.heldBack = .some(other) }
    }
    goOn()
  }

  /// The request comes, or ends.
  func expect(_ tag: String) {
    lock.withLock {
      guard let position = positions[tag] else { return }
      change(position) { $0.heldBack = nil }
    }
  }

  /// The request has ended, with a result or a failure; whether or not it ever reached the server.
  func finish(_ tag: String) {
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

  func includes(_ tag: String?) -> Bool {
    lock.withLock { tag.flatMap { positions[$0] }.map { !members[$0].hasEnded } ?? false }
  }

  /// Waits for the turn of a request that has reached the server.
  ///
  /// - Parameter choose: chooses its response.
  func answer(of tag: String, _ choose: @escaping () -> Result<Answer, any Error>) async throws -> Answer {
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

  /// Nobody waits for the answer any more.
  private func drop(_ tag: String) {
    let member = lock.withLock { () -> Member? in
      guard let position = positions[tag] else { return nil }
      defer { change(position) { ($0.pending, $0.arrival) = (nil, nil) } }
      return members[position]
    }
    member?.pending?.continuation.resume(throwing: CancellationError())
    member?.arrival?.resume(throwing: CancellationError())
  }

  /// Lets come what is to come, and answers the next request when nothing of other steps moves.
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

  /// Answers the next request, if all that have not ended wait for it. If all of them are held back behind requests of
  /// other steps, it lets the first of those come.
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

  /// Takes the first of the requests that wait for answers.
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

  /// Returns the request of another step that a request waits for; nil if there is none.
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

  /// Whoever is behind a request of the batch that has ended is about to come.
  private func isDue(_ position: Int) -> Bool {
    guard !members[position].hasEnded else { return false }
    guard let other = members[position].heldBack else { return true }
    return other.flatMap { positions[$0] }.map { members[$0].hasEnded } ?? false
  }
}
