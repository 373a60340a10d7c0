import Foundation

/// The cached requests that are under way: of those that are the same, one asks the server, and the others wait for its
/// end. Rule: `cache.concurrent`.
// Unchecked: `flights` is read and written under `lock` alone.
final class RequestFlights: @unchecked Sendable {
  /// What makes two requests the same.
  struct Key: Hashable, Sendable {
    var key: CacheKey
    /// The headers, as the server describes them.
    var headers: [String: String]
  }

  /// What a request is among those that are the same.
  enum Role: Sendable {
    /// The one that asks.
    case leads(FlightLead)
    case follows(Flight)
  }

  private let lock = NSLock()
  private var flights: [Key: Flight] = [:]

  func join(_ key: Key, _ request: ServerRequest) -> Role {
    lock.withLock {
      if let flight = flights[key] { return .follows(flight) }
      let flight = Flight(request) { [weak self] in self?.remove(key) }
      flights[key] = flight
      return .leads(FlightLead(flight))
    }
  }

  private func remove(_ key: Key) { _ = lock.withLock { flights.removeValue(forKey: key) } }
}

/// One request on its way to the server, and those that wait for its end.
// Unchecked: everything that changes is read and written under `lock` alone.
final class Flight: @unchecked Sendable {
  /// How a request has ended, to those that wait.
  enum End: Sendable {
    /// Its answer is stored.
    case stored
    /// There is an answer, or a failure, that nobody else can use.
    case notStored
    /// There is neither: it was cancelled.
    case abandoned
  }

  private struct Waiting {
    let continuation: CheckedContinuation<End, any Error>
    let goesOn: @Sendable () -> Void
  }

  /// What is asked.
  let request: ServerRequest
  private let lock = NSLock()
  private let onEnd: @Sendable () -> Void
  private var end: End?
  private var waiting: [Int: Waiting] = [:]
  private var count = 0

  fileprivate init(_ request: ServerRequest, onEnd: @escaping @Sendable () -> Void) {
    (self.request, self.onEnd) = (request, onEnd)
  }

  /// Waits until the request has ended, or `token` is cancelled.
  ///
  /// - Parameters:
  ///   - isHeldBack: called if there is something to wait for.
  ///   - goesOn: called when there no longer is, before anybody else goes on.
  func waitForEnd(
    _ token: RequestToken, isHeldBack: () -> Void, goesOn: @escaping @Sendable () -> Void
  ) async throws -> End {
    defer { token.forgetHandler() }
    return try await withCheckedThrowingContinuation { continuation in
      let (number, former) = lock.withLock { () -> (Int, End?) in
        count += 1
        if end == nil {
          waiting[count] = Waiting(continuation: continuation, goesOn: goesOn)
          isHeldBack()
        }
        return (count, end)
      }
      if let former { return continuation.resume(returning: former) }
      token.onCancel { [self] in
        let cancelled = lock.withLock { waiting.removeValue(forKey: number) }
        cancelled?.goesOn()
        cancelled?.continuation.resume(throwing: RequestFailure.cancelled)
      }
    }
  }

  /// The first end counts.
  fileprivate func end(with end: End) {
    let released = lock.withLock { () -> [Waiting]? in
      guard self.end == nil else { return nil }
      self.end = end
      defer { waiting = [:] }
      return waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    guard let released else { return }
    onEnd()
    for waiting in released { waiting.goesOn() }
    for waiting in released { waiting.continuation.resume(returning: end) }
  }
}

/// The request that others wait for. Whoever has it ends it; who lets it go has abandoned it.
final class FlightLead: Sendable {
  private let flight: Flight

  fileprivate init(_ flight: Flight) { self.flight = flight }

  deinit { flight.end(with: .abandoned) }

  func end(with end: Flight.End) { flight.end(with: end) }
}
