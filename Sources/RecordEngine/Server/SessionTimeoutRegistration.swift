import Foundation

/// The registered handler of session timeouts, which is called for one request at a time.
/// Rule: `request.session-timeout`.
// Unchecked: all mutable state is accessed only under `lock`.
final class SessionTimeoutRegistration: @unchecked Sendable {
  private let lock = NSLock()
  private var registered: SessionTimeoutHandler?
  /// The current call of the handler. It continues if its request is canceled, because other requests may wait for it.
  private var inFlight: Task<Bool, Never>?
  private var renewalCount = 0
  /// The calls of handlers that the task is part of or was started in. A request of a handler does not wait for that
  /// handler.
  @TaskLocal private static var runs: [Run] = []

  /// A call of a handler.
  // Unchecked: `hasEnded` is accessed only under the lock of its registration.
  private final class Run: @unchecked Sendable {
    let registration: SessionTimeoutRegistration
    var hasEnded = false

    init(_ registration: SessionTimeoutRegistration) { self.registration = registration }

    var isRunning: Bool { registration.lock.withLock { !hasEnded } }
  }

  /// A Boolean value that indicates whether the task is part of a running call of a handler, which other requests may
  /// wait for.
  static var isHandling: Bool { runs.contains(where: \.isRunning) }

  /// The result of the renewal of a session.
  enum Renewal: Sendable {
    /// No handler is registered, the handler does not want to repeat the request, or the request was made by the
    /// handler.
    case refused
    /// The handler has renewed the session for another request in the meantime. The session of this request may be the
    /// same.
    case byAnother
    /// The handler has renewed the session for this request.
    case forThis
  }

  var handler: SessionTimeoutHandler? {
    get { lock.withLock { registered } }
    set { lock.withLock { registered = newValue } }
  }

  /// The number of calls in which the handler has decided to repeat a request.
  var renewals: Int { lock.withLock { renewalCount } }

  /// Calls the handler, unless it is running for another request or has renewed a session since this request was sent.
  ///
  /// - Parameters:
  ///   - former: the number of renewals when the request was sent.
  ///   - hasWaited: a Boolean value that indicates whether the request was repeated after the renewal for another
  ///     request. That renewal did not help, so that the handler is now called for this request.
  func renew(
    _ request: ServerRequest, _ timeout: SessionTimeout, since former: Int, hasWaited: Bool
  ) async -> Renewal {
    if Self.runs.contains(where: { $0.registration === self && $0.isRunning }) { return .refused }
    while true {
      let (task, isOwn) = begin(request, timeout, since: former, hasWaited: hasWaited)
      guard let task else { return isOwn ? .refused : .byAnother }
      let isRenewed = await task.value
      if isOwn { return isRenewed ? .forThis : .refused }
      // A request that has waited before calls the handler itself after the current call.
      if !hasWaited { return isRenewed ? .byAnother : .refused }
    }
  }

  /// Returns the call of the handler to wait for, and a Boolean value that indicates whether it was started for this
  /// request. Without a call, the Boolean value is true if no handler is registered, and false if the handler has
  /// renewed a session since this request was sent.
  private func begin(
    _ request: ServerRequest, _ timeout: SessionTimeout, since former: Int, hasWaited: Bool
  ) -> (task: Task<Bool, Never>?, isOwn: Bool) {
    lock.withLock {
      if let inFlight { return (inFlight, false) }
      if renewalCount > former, !hasWaited { return (nil, false) }
      guard let registered else { return (nil, true) }
      let task = Task { [self] in
        let run = Run(self)
        let isRenewed = await Self.$runs.withValue(Self.runs + [run]) { await registered(request, timeout) }
        lock.withLock {
          run.hasEnded = true
          inFlight = nil
          if isRenewed { renewalCount += 1 }
        }
        return isRenewed
      }
      inFlight = task
      return (task, true)
    }
  }
}
