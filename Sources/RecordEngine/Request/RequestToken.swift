import Foundation
import OrderedCollections

/// The cancellation state of one request. A request is either canceled or saved, whichever happens first.
/// Rule: `request.cancel`.
// Unchecked: `state` is accessed only while `lock` is held.
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

  /// Calls `handler` when the request is canceled, or immediately if it already is.
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

  /// Ends the time in which the request can be canceled, because its save takes effect now.
  ///
  /// - Returns: false if the request has been canceled and must not be saved.
  func commit() -> Bool {
    lock.withLock {
      guard case .cancellable = state else { return false }
      state = .committed
      return true
    }
  }

  /// Checks that the request can continue.
  ///
  /// - Throws: `cancelled` if the request or the current task has been canceled.
  func check() throws(RequestFailure) {
    if Task.isCancelled { cancel() }
    if isCancelled { throw .cancelled }
  }
}

extension RequestFailure {
  static let cancelled = RequestFailure(Diagnostic(.cancelled, message: "the request was canceled"))
}

/// The in-flight requests of a container, with their domains.
// Unchecked: `tokens` is accessed only while `lock` is held.
final class InFlightRequests: @unchecked Sendable {
  private let lock = NSLock()
  /// The tokens in the order in which the requests began, which is also the order of their cancellation.
  private var tokens: OrderedDictionary<ObjectIdentifier, (token: RequestToken, domain: String?)> = [:]

  /// Adds a request, or updates the domain of one that has already begun.
  @discardableResult
  func begin(_ domain: String?, _ token: RequestToken = RequestToken()) -> RequestToken {
    lock.withLock { tokens[ObjectIdentifier(token)] = (token, domain) }
    return token
  }

  func end(_ token: RequestToken) {
    _ = lock.withLock { tokens.removeValue(forKey: ObjectIdentifier(token)) }
  }

  /// The domains of the requests that have not been canceled, each once, in the order in which the requests began.
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
