import Foundation
import JSONTree

/// The cached requests that are in flight. Of several identical requests, one asks the server and the others wait for
/// it to end. Rule: `cache.concurrent`.
// Unchecked: all mutable state is accessed only under `lock`.
final class CoalescedRequests: @unchecked Sendable {
  /// The values that are equal for identical requests.
  struct Key: Hashable, Sendable {
    var key: CacheKey
    /// The headers, as the server describes them.
    var headers: [ScalarString: ScalarString]

    init(key: CacheKey, headers: [String: String]) {
      self.key = key
      self.headers = [:]
      for (name, value) in headers { self.headers[ScalarString(name)] = ScalarString(value) }
    }
  }

  /// The role of a request among identical requests.
  enum Role: Sendable {
    /// The request asks the server.
    case leads(CoalescingLeader)
    /// The request waits for another one.
    case follows(CoalescedRequest)
  }

  private let lock = NSLock()
  /// All requests that ask the server.
  private var inFlight: [ObjectIdentifier: (shared: CoalescedRequest, key: Key)] = [:]
  /// The requests that identical requests can wait for.
  private var joinable: [Key: CoalescedRequest] = [:]

  /// Adds a request and returns its role.
  ///
  /// - Parameter mayFollow: a Boolean value that indicates whether the request may wait for another one. If it is
  ///   false, no other request waits for this one either.
  func join(_ key: Key, _ request: PreparedRequest, mayFollow: Bool) -> Role {
    lock.withLock {
      // A request that a server or a session timeout handler makes on behalf of another request must not wait for that
      // one.
      let mayFollow = mayFollow && !SessionTimeoutRegistration.isHandling
      if mayFollow, let shared = joinable[key], !shared.isWithin, shared.isInTime(for: request.serverRequest)
      {
        return .follows(shared)
      }
      let shared = CoalescedRequest(request.serverRequest) { [weak self] in self?.remove($0) }
      inFlight[ObjectIdentifier(shared)] = (shared, key)
      if mayFollow, joinable[key] == nil { joinable[key] = shared }
      return .leads(CoalescingLeader(shared, request.token))
    }
  }

  /// Marks the in-flight requests to an address as outdated because its resource has changed. Their responses are not
  /// cached, and later requests do not wait for them. Rule: `cache.invalidation`.
  func outdate(url: String) {
    lock.withLock {
      for (shared, key) in inFlight.values where key.key.url == ScalarString(url) {
        shared.outdate()
        joinable[key] = nil
      }
    }
  }

  private func remove(_ shared: CoalescedRequest) {
    lock.withLock {
      guard let key = inFlight.removeValue(forKey: ObjectIdentifier(shared))?.key else { return }
      if joinable[key] === shared { joinable[key] = nil }
    }
  }
}

/// A request to the server, and the identical requests that wait for it to end.
// Unchecked: all mutable state is accessed only under `lock`.
final class CoalescedRequest: @unchecked Sendable {
  /// The way in which a request ended, for the requests that wait for it.
  enum End: Sendable {
    /// The response is cached.
    case stored
    /// The response is not cached, or the request failed.
    case notStored
    /// The request was canceled.
    case abandoned
  }

  private struct Waiting {
    let continuation: CheckedContinuation<End, any Error>
    let goesOn: @Sendable () -> Void
  }

  /// The request to the server.
  let request: ServerRequest
  private let lock = NSLock()
  private let onEnd: @Sendable (CoalescedRequest) -> Void
  private var end: End?
  private var hasBeenOutdated = false
  private var waiting: [Int: Waiting] = [:]
  private var count = 0
  /// The requests whose calls to the server the current task is part of.
  @TaskLocal private static var enclosing: Set<ObjectIdentifier> = []

  fileprivate init(_ request: ServerRequest, onEnd: @escaping @Sendable (CoalescedRequest) -> Void) {
    (self.request, self.onEnd) = (request, onEnd)
  }

  /// Waits until the request has ended or `token` is canceled.
  ///
  /// - Parameters:
  ///   - isHeldBack: a closure that is called if the request has not ended yet.
  ///   - goesOn: a closure that is called when the wait ends, before any of the waiting requests continues.
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

  /// A Boolean value that indicates whether the current task is part of this request's call to the server.
  fileprivate var isWithin: Bool { Self.enclosing.contains(ObjectIdentifier(self)) }

  /// Returns a Boolean value that indicates whether this request ends within the timeout of another one. A request
  /// without a timeout has that of the server, which is unknown.
  fileprivate func isInTime(for other: ServerRequest) -> Bool {
    guard let limit = other.timeout else { return true }
    return request.timeout.map { $0 <= limit } ?? false
  }

  fileprivate func asking<Answer: Sendable>(_ ask: @Sendable () async throws -> Answer) async throws -> Answer
  {
    try await Self.$enclosing.withValue(Self.enclosing.union([ObjectIdentifier(self)])) { try await ask() }
  }

  fileprivate var isOutdated: Bool { lock.withLock { hasBeenOutdated } }

  fileprivate func outdate() { lock.withLock { hasBeenOutdated = true } }

  /// Ends the request. Only the first call has an effect.
  fileprivate func end(with end: End) {
    let released = lock.withLock { () -> [Waiting]? in
      guard self.end == nil else { return nil }
      self.end = end
      defer { waiting = [:] }
      return waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    guard let released else { return }
    onEnd(self)
    for waiting in released { waiting.goesOn() }
    for waiting in released { waiting.continuation.resume(returning: end) }
  }
}

/// The leader of identical requests. Its owner calls `hasStored()` after the response has been cached. Releasing the
/// leader without this call reports to the waiting requests that nothing was cached.
final class CoalescingLeader: Sendable {
  private let shared: CoalescedRequest
  private let token: RequestToken

  fileprivate init(_ shared: CoalescedRequest, _ token: RequestToken) {
    (self.shared, self.token) = (shared, token)
  }

  deinit { shared.end(with: token.isCancelled ? .abandoned : .notStored) }

  func hasStored() { shared.end(with: .stored) }

  /// A Boolean value that indicates whether the resource has changed since the request began.
  var isOutdated: Bool { shared.isOutdated }

  /// Asks the server.
  func asking<Answer: Sendable>(_ ask: @Sendable () async throws -> Answer) async throws -> Answer {
    try await shared.asking(ask)
  }
}
