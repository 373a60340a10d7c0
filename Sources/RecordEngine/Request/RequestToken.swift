import Foundation
import OrderedCollections

/// The cancellation of one request. A request is either cancelled or saved, whichever comes first. Rule: `request.cancel`.
// Unchecked: `state` is read and written under `lock` alone.
final class RequestToken: @unchecked Sendable {
  private enum State {
    case cancellable(handler: (@Sendable () -> Void)?)
    case cancelled
    case committed
  }

  private let lock = NSLock()
  private var state = State.cancellable(handler: nil)

  var isCancelled: Bool { lock.withLock { if case .cancelled = state { true } else { false } } }

  func cancel() {
    let handler = lock.withLock { () -> (@Sendable () -> Void)? in
      guard case .cancellable(let handler) = state else { return nil }
      state = .cancelled
      return handler
    }
    handler?()
  }

  /// Calls `handler` when the request is cancelled, at once if it has been.
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    if isCancelled(setting: handler) { handler() }
  }

  func forgetHandler() { _ = isCancelled(setting: nil) }

  private func isCancelled(setting handler: (@Sendable () -> Void)?) -> Bool {
    lock.withLock {
      switch state {
      case .cancellable: state = .cancellable(handler: handler)
      case .cancelled: return true
      case .committed: break
      }
      return false
    }
  }

  /// Ends the time in which the request can be cancelled: its save takes effect now.
  ///
  /// - Returns: false if it has been cancelled, and is not to be saved.
  func commit() -> Bool {
    lock.withLock {
      guard case .cancellable = state else { return false }
      state = .committed
      return true
    }
  }

  /// - Throws: `cancelled`, if the request has been, or the task in which this is called.
  func check() throws(RequestFailure) {
    if Task.isCancelled { cancel() }
    if isCancelled { throw .cancelled }
  }
}

extension RequestFailure {
  static let cancelled = RequestFailure(Diagnostic(.cancelled, message: "the request was cancelled"))
}

/// The requests of a container that have begun and not ended, by domain.
// Unchecked: `tokens` is read and written under `lock` alone.
final class InFlightRequests: @unchecked Sendable {
  private let lock = NSLock()
  /// In the order in which they began, in which they are cancelled.
  private var tokens: OrderedDictionary<ObjectIdentifier, (token: RequestToken, domain: String?)> = [:]

  /// A request begins, if it has not begun before.
  @discardableResult
  func begin(_ domain: String?, _ token: RequestToken = RequestToken()) -> RequestToken {
    lock.withLock { tokens[ObjectIdentifier(token)] = (token, domain) }
    return token
  }

  func end(_ token: RequestToken) {
    _ = lock.withLock { tokens.removeValue(forKey: ObjectIdentifier(token)) }
  }

  /// The domains of the requests that have not been cancelled, each once, in the order in which they came.
  var domains: [String] {
    lock.withLock {
      Array(OrderedSet(tokens.values.lazy.filter { !$0.token.isCancelled }.compactMap(\.domain)))
    }
  }

  func cancel(domain: String) {
    let cancelled = lock.withLock { tokens.values.filter { $0.domain == domain }.map(\.token) }
    for token in cancelled { token.cancel() }
  }
}
