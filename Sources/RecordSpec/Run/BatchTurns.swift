import Foundation
import RecordEngine

/// The order in which the requests of a batch are answered: when all that have not ended wait here, one is, and the next
/// one when it has ended or asks for more. So nothing depends on which of them is faster.
///
/// Their responses are chosen in the order in which the step lists the requests; then they come in the order of the clock.
/// Which request is which is told by its tag.
// Unchecked: everything is read and written under `lock` alone.
final class BatchTurns: @unchecked Sendable {
  typealias Answer = ScenarioServer.Answer

  private struct Turn {
    var choose: () -> Result<Answer, any Error>
    /// Nil until it has been chosen.
    var answer: Result<Answer, any Error>?
    var continuation: CheckedContinuation<Answer, any Error>

    var due: Duration { (try? answer?.get())?.due ?? .zero }
  }

  private let lock = NSLock()
  /// The requests of other steps.
  private let held: HeldRequests
  /// All requests, in the order of the step.
  private var tags: [String] = []
  /// Those of them that have not ended.
  private var unfinished: [String] = []
  /// Those of them that do not come before another one has ended, and which that is; nil for one without a tag.
  private var heldBack: [String: String?] = [:]
  /// Those of them that have still to come, and wait for those before them.
  private var arriving: [String: CheckedContinuation<Void, any Error>] = [:]
  /// Those of them that wait for an answer.
  private var turns: [String: Turn] = [:]

  init(_ held: HeldRequests) { self.held = held }

  /// A batch of requests with these tags is going to be sent.
  func begin(_ tags: [String]) { lock.withLock { (self.tags, unfinished, heldBack) = (tags, tags, [:]) } }

  /// Comes back when all requests before this one in the step wait for something or have ended.
  func arrival(of tag: String) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lock.withLock { arriving[tag] = continuation }
        if Task.isCancelled { drop(tag) } else { goOn() }
      }
    } onCancel: {
      drop(tag)
    }
  }

  /// The request does not come before another one has ended.
  ///
  /// - Parameter other: the tag of that one, if it has one.
  func holdBack(_ tag: String, behind other: String?) {
    lock.withLock { _ = heldBack.updateValue(other, forKey: tag) }
    goOn()
  }

  /// The request comes, or ends.
  func expect(_ tag: String) { lock.withLock { heldBack[tag] = nil } }

  /// The request has ended, with a result or a failure; whether or not it ever reached the server.
  func finish(_ tag: String) {
    lock.withLock { unfinished.removeAll { $0 == tag } }
    goOn()
  }

  func includes(_ tag: String?) -> Bool { lock.withLock { tag.map(unfinished.contains) ?? false } }

  /// Waits for the turn of a request that has reached the server.
  ///
  /// - Parameter choose: chooses its response.
  func turn(of tag: String, _ choose: @escaping () -> Result<Answer, any Error>) async throws -> Answer {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lock.withLock { turns[tag] = Turn(choose: choose, continuation: continuation) }
        if Task.isCancelled { drop(tag) } else { goOn() }
      }
    } onCancel: {
      drop(tag)
    }
  }

  /// Nobody waits for the answer any more.
  private func drop(_ tag: String) {
    let (turn, arrival) = lock.withLock {
      (turns.removeValue(forKey: tag), arriving.removeValue(forKey: tag))
    }
    turn?.continuation.resume(throwing: CancellationError())
    arrival?.resume(throwing: CancellationError())
  }

  /// Lets come what is to come, and answers the next request when nothing of other steps moves.
  private func goOn() {
    let arrived = lock.withLock { () -> [CheckedContinuation<Void, any Error>] in
      let next = unfinished.prefix { turns[$0] != nil || heldBack[$0] != nil }.count
      let tags = arriving.keys.filter { tag in
        unfinished.prefix(next + 1).contains(tag) || !unfinished.contains(tag)
      }
      return tags.compactMap { arriving.removeValue(forKey: $0) }
    }
    for continuation in arrived { continuation.resume() }
    held.whenSettled { [self] in answerNext() }
  }

  /// Answers the next request, if all that have not ended wait for it. If all of them are held back behind requests of
  /// other steps, it lets the first of those come.
  private func answerNext() {
    let (next, other) = lock.withLock { () -> (Turn?, String?) in
      let coming = unfinished.filter(isComing)
      guard coming.allSatisfy({ turns[$0] != nil }) else { return (nil, nil) }
      if coming.isEmpty {
        return (
          nil,
          unfinished.lazy.compactMap { [self] in heldBack[$0] ?? nil }.first { [self] in !tags.contains($0) }
        )
      }
      for tag in coming {
        guard let turn = turns[tag], turn.answer == nil else { continue }
        turns[tag]?.answer = turn.choose()
      }
      // Of several that are due at once, the first one of the step.
      let first = coming.min { (turns[$0]?.due ?? .zero) < (turns[$1]?.due ?? .zero) }
      return (first.flatMap { turns.removeValue(forKey: $0) }, nil)
    }
    if let other { held.release(other) }
    if let next, let answer = next.answer { next.continuation.resume(with: answer) }
  }

  /// Whoever is behind a request of the batch that has ended is about to come. Under the lock.
  private func isComing(_ tag: String) -> Bool {
    guard let other = heldBack[tag] else { return true }
    return other.map { tags.contains($0) && !unfinished.contains($0) } ?? false
  }
}
