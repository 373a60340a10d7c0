import Foundation

/// Whose turn it is to write: one thread's at a time.
///
/// Hooks are asked while their response is populated, which is in the middle of a turn: a hook that takes another one
/// would wait for itself. That fails instead.
// Unchecked: `owner` is read and written under `mark` alone.
final class WriteLock: @unchecked Sendable {
  private let lock = NSLock()
  private let mark = NSLock()
  private var owner: Thread?

  func withLock<Result>(_ body: () throws(RequestFailure) -> Result) throws(RequestFailure) -> Result {
    let thread = Thread.current
    guard !mark.withLock({ owner === thread }) else {
      throw RequestFailure(
        Diagnostic(
          .saveError,
          message: "a hook must not save: it is asked while its own response is being populated and saved"))
    }
    lock.lock()
    mark.withLock { owner = thread }
    defer {
      mark.withLock { owner = nil }
      lock.unlock()
    }
    return try body()
  }
}
