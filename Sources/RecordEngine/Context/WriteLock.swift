import Foundation

/// The lock for writing, which one thread holds at a time.
///
/// A response is populated while the lock is held, and hooks are called during that time. A hook that acquires the lock
/// would wait for itself, so this fails with an error instead.
// Unchecked: `owner` is accessed only while `ownerLock` is held.
final class WriteLock: @unchecked Sendable {
  private let lock = NSLock()
  private let ownerLock = NSLock()
  private var owner: Thread?

  func withLock<Result>(_ body: () throws(RequestFailure) -> Result) throws(RequestFailure) -> Result {
    let thread = Thread.current
    guard !ownerLock.withLock({ owner === thread }) else {
      throw RequestFailure(
        Diagnostic(
          .saveError,
          message: "a hook cannot save while its response is being populated and saved"))
    }
    lock.lock()
    ownerLock.withLock { owner = thread }
    defer {
      ownerLock.withLock { owner = nil }
      lock.unlock()
    }
    return try body()
  }
}
