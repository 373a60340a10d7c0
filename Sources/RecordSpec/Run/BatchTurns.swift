import Foundation
import RecordEngine

/// The order in which the requests of a batch are answered: when all that are under way have reached the server, one is,
/// and the next one after it has ended. So nothing depends on which of them is faster.
///
/// Their responses are chosen in the order in which the step lists the requests; then they come in the order of the clock.
/// Whoever runs the batch has it as the ``current`` one, and says of each request when it begins, before it is sent, and
/// when it has ended.
// Unchecked: everything that changes is read and written under `lock` alone.
final class BatchTurns: @unchecked Sendable {
  @TaskLocal static var current: BatchTurns?

  typealias Answer = ScenarioServer.Answer

  private struct Turn {
    var number: Int
    /// The place of the request among those of the step; what is not listed there comes behind, by its address.
    var place: Int
    var address: String
    var choose: @Sendable () -> Result<Answer, any Error>
    /// Nil until it has been chosen.
    var answer: Result<Answer, any Error>?
    var continuation: CheckedContinuation<Answer, any Error>

    var due: Duration { (try? answer?.get())?.due ?? .zero }
  }

  private let lock = NSLock()
  /// The requests of the step that have not reached the server, by place.
  private var listed: [ServerRequest?] = []
  private var underway = 0
  private var turns: [Turn] = []
  private var count = 0

  /// A request of the batch is going to be sent.
  ///
  /// - Parameter request: the request, if the step lists it.
  func begin(_ request: ServerRequest?) {
    lock.withLock {
      underway += 1
      listed.append(request)
    }
  }

  /// A request of the batch has ended, with a result or a failure, and what it led to has begun.
  func end() {
    lock.withLock { underway -= 1 }
    goOn()
  }

  /// Waits for the turn of a request that has reached the server.
  ///
  /// - Parameter choose: chooses its response.
  func turn(
    of request: ServerRequest, _ choose: @escaping @Sendable () -> Result<Answer, any Error>
  ) async throws -> Answer {
    let number = lock.withLock {
      count += 1
      return count
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lock.withLock {
          let place = listed.firstIndex { $0?.isAsking(request) == true }
          if let place { listed[place] = nil }
          turns.append(
            Turn(
              number: number, place: place ?? .max, address: request.sortText,
              choose: choose, continuation: continuation))
        }
        if Task.isCancelled { drop(number) } else { goOn() }
      }
    } onCancel: {
      drop(number)
    }
  }

  /// Nobody waits for the answer any more.
  private func drop(_ number: Int) {
    let dropped = lock.withLock {
      turns.firstIndex { $0.number == number }.map { turns.remove(at: $0) }
    }
    dropped?.continuation.resume(throwing: CancellationError())
  }

  /// Answers the next request, if all that are under way wait for it.
  private func goOn() {
    let next = lock.withLock { () -> Turn? in
      guard turns.count >= underway else { return nil }
      turns.sort { ($0.place, $0.address) < ($1.place, $1.address) }
      for index in turns.indices where turns[index].answer == nil {
        turns[index].answer = turns[index].choose()
      }
      let first = turns.indices.min { turns[$0].due < turns[$1].due }
      return first.map { turns.remove(at: $0) }
    }
    if let next, let answer = next.answer { next.continuation.resume(with: answer) }
  }
}

extension ServerRequest {
  /// Whether this asks for the same, whatever else is sent with it.
  fileprivate func isAsking(_ other: ServerRequest) -> Bool {
    method == other.method && urn == other.urn && data == other.data
  }

  fileprivate var sortText: String {
    ([method, urn] + data.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }).joined(separator: " ")
  }
}
