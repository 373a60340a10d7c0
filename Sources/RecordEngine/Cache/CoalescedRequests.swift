import Foundation
import JSONTree

/// The cached requests that are under way: of those that are the same, one asks the server, and the others wait for its
/// end. Rule: `cache.concurrent`.
// Unchecked: everything that changes is read and written under `lock` alone.
final class CoalescedRequests: @unchecked Sendable {
  /// What makes two requests the same.
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

  /// What a request is among those that are the same.
  enum Role: Sendable {
    /// One that asks.
    case leads(CoalescingLeader)
    case follows(CoalescedRequest)
  }

  private let lock = NSLock()
  /// All that ask.
  private var inFlight: [ObjectIdentifier: (shared: CoalescedRequest, key: Key)] = [:]
  /// Those of them that others wait for.
  private var joinable: [Key: CoalescedRequest] = [:]

  /// - Parameter mayFollow: whether the request may wait for another one. Nobody waits for one that may not.
  func join(_ key: Key, _ request: PreparedRequest, mayFollow: Bool) -> Role {
    lock.withLock {
      // What a server or a handler asks for on behalf of a request does not wait for that request.
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

  /// Something has changed at an address: what is under way from there may be what it was before. It is not kept, and
  /// nobody who comes from now on waits for it. Rule: `cache.invalidation`.
  func outdate(url: String) {
    lock.withLock {
      for (shared, key) in inFlight.values where key.key.url == ScalarString(url) {
        shared.outdate()
        if joinable[key] === shared { joinable[key] = nil }
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

/// One request on its way to the server, and those that wait for its end.
// Unchecked: everything that changes is read and written under `lock` alone.
final class CoalescedRequest: @unchecked Sendable {
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
  private let onEnd: @Sendable (CoalescedRequest) -> Void
  private var end: End?
  private var hasBeenOutdated = false
  private var waiting: [Int: Waiting] = [:]
  private var count = 0
  /// The flights whose servers the task is in.
  @TaskLocal private static var enclosing: Set<ObjectIdentifier> = []

  fileprivate init(_ request: ServerRequest, onEnd: @escaping @Sendable (CoalescedRequest) -> Void) {
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

  /// Whether it is asked from within the request itself.
  fileprivate var isWithin: Bool { Self.enclosing.contains(ObjectIdentifier(self)) }

  /// Whether the answer comes, or fails to, in the time that another request has for its own. No timeout is the server's,
  /// which nobody else knows.
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

  /// The first end counts.
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

/// A request that others wait for. Whoever has it ends it; who lets it go has stored nothing.
final class CoalescingLeader: Sendable {
  private let shared: CoalescedRequest
  private let token: RequestToken

  fileprivate init(_ shared: CoalescedRequest, _ token: RequestToken) {
    (self.shared, self.token) = (shared, token)
  }

  deinit { shared.end(with: token.isCancelled ? .abandoned : .notStored) }

  func hasStored() { shared.end(with: .stored) }

  /// Whether what is asked has been changed since.
  var isOutdated: Bool { shared.isOutdated }

  /// Asks the server.
  func asking<Answer: Sendable>(_ ask: @Sendable () async throws -> Answer) async throws -> Answer {
    try await shared.asking(ask)
  }
}
