import Foundation

/// The handler that is asked when a session has timed out, by one request at a time. Rule: `request.session-timeout`.
// Unchecked: everything is read and written under `lock` alone.
final class SessionTimeoutRegistration: @unchecked Sendable {
  private let lock = NSLock()
  private var registered: SessionTimeoutHandler?
  /// What the handler is at; it goes on when the request that has asked it is cancelled: others may wait for it.
  private var inFlight: Task<Bool, Never>?
  private var renewed = 0
  /// The runs of handlers that the task is in, or was begun in: what a handler asks for itself does not wait for the
  /// handler's end.
  @TaskLocal private static var runs: [Run] = []

  /// A handler that is being asked.
  // Unchecked: `hasEnded` is read and written under the lock of its registration alone.
  private final class Run: @unchecked Sendable {
    let registration: SessionTimeoutRegistration
    var hasEnded = false

    init(_ registration: SessionTimeoutRegistration) { self.registration = registration }

    var isUnderway: Bool { registration.lock.withLock { !hasEnded } }
  }

  /// Whether the task is what some handler does, which others may wait for.
  static var isHandling: Bool { runs.contains(where: \.isUnderway) }

  /// What has come of a session that had timed out.
  enum Renewal: Sendable {
    /// There is no handler, or it does not want the request to be made once more.
    case refused
    /// The handler has renewed it for another request meanwhile, whose session may have been the same.
    case byAnother
    case forThis
  }

  var handler: SessionTimeoutHandler? {
    get { lock.withLock { registered } }
    set { lock.withLock { registered = newValue } }
  }

  /// How often the handler has said that a request is to be made once more.
  var renewals: Int { lock.withLock { renewed } }

  /// Asks the handler, unless it is being asked for another request, or was since this one was sent.
  ///
  /// - Parameters:
  ///   - former: how many renewals there had been when the request was sent.
  ///   - hasWaited: whether the request was made once more for what another one has come to. That has not helped it, so
  ///     that now its own turn comes.
  func renew(
    _ request: ServerRequest, _ timeout: SessionTimeout, since former: Int, hasWaited: Bool
  ) async -> Renewal {
    if Self.runs.contains(where: { $0.registration === self && $0.isUnderway }) { return .refused }
    while true {
      let (task, isOwn) = begin(request, timeout, since: former, hasWaited: hasWaited)
      guard let task else { return isOwn ? .refused : .byAnother }
      let isRenewed = await task.value
      if isOwn { return isRenewed ? .forThis : .refused }
      // Whoever has waited before asks for itself when the other one has ended.
      if !hasWaited { return isRenewed ? .byAnother : .refused }
    }
  }

  /// What to wait for; without it, whether there is nobody to ask, or another request has got the answer already.
  private func begin(
    _ request: ServerRequest, _ timeout: SessionTimeout, since former: Int, hasWaited: Bool
  ) -> (task: Task<Bool, Never>?, isOwn: Bool) {
    lock.withLock {
      if let inFlight { return (inFlight, false) }
      if renewed > former, !hasWaited { return (nil, false) }
      guard let registered else { return (nil, true) }
      let task = Task { [self] in
        let run = Run(self)
        let isRenewed = await Self.$runs.withValue(Self.runs + [run]) { await registered(request, timeout) }
        lock.withLock {
          run.hasEnded = true
          inFlight = nil
          if isRenewed { renewed += 1 }
        }
        return isRenewed
      }
      inFlight = task
      return (task, true)
    }
  }
}
