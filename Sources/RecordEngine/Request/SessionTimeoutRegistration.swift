import Foundation

/// The handler that is asked when a session has timed out.
// Unchecked: `registered` is read and written under `lock` alone.
final class SessionTimeoutRegistration: @unchecked Sendable {
  private let lock = NSLock()
  private var registered: SessionTimeoutHandler?

  var handler: SessionTimeoutHandler? {
    get { lock.withLock { registered } }
    set { lock.withLock { registered = newValue } }
  }
}
