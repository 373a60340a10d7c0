import Foundation
import OrderedCollections

/// One request under way: whether it has been cancelled, and who has to know at once. Rule: `request.cancel`.
// Unchecked: everything is read and written under `lock` alone.
final class RequestToken: @unchecked Sendable {
  private let lock = NSLock()
  private var hasBeenCancelled = false
  private var onCancel: (@Sendable () -> Void)?

  var isCancelled: Bool { lock.withLock { hasBeenCancelled } }

  func cancel() {
    let handler = lock.withLock {
      hasBeenCancelled = true
      defer { onCancel = nil }
      return onCancel
    }
    handler?()
  }

  /// Calls `handler` when the request is cancelled, at once if it has been.
  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isLate = lock.withLock {
      if !hasBeenCancelled { onCancel = handler }
      return hasBeenCancelled
    }
    if isLate { handler() }
  }

  func forgetHandler() { lock.withLock { onCancel = nil } }

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
final class RequestsUnderway: @unchecked Sendable {
  private let lock = NSLock()
  /// In the order in which they began, in which they are cancelled.
  private var tokens: OrderedDictionary<ObjectIdentifier, (token: RequestToken, domain: String?)> = [:]

  /// A request begins, if it has not begun before.
  func begin(_ token: RequestToken, _ domain: String?) {
    lock.withLock { tokens[ObjectIdentifier(token)] = (token, domain) }
  }

  /// Begins a request that is yet to be prepared.
  func begin(_ domain: String?) -> RequestToken {
    let token = RequestToken()
    begin(token, domain)
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
