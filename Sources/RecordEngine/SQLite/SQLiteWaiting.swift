import Foundation

/// Retries for a file that another process or connection has locked.
///
/// The busy handler of SQLite cannot be used: while one process waits, it prevents the lock of the other, so if two
/// open a file at once, neither succeeds. Here, each process releases the file before it tries again.
enum SQLiteWaiting {
  /// The number of attempts, and the range of pauses between them in microseconds: half a second in total.
  ///
  /// The pauses are random, so that two processes that open a file at the same time do not block each other repeatedly.
  private static let (attempts, pauses) = (50, UInt32(1_000)...19_000)

  /// Calls `open` again while the file is locked, for half a second at most. `open` must release the file when it
  /// fails.
  static func untilFree<Result, Failure: Error>(
    _ isLocked: (Failure) -> Bool, _ open: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    for _ in 1..<attempts {
      do throws(Failure) {
        return try open()
      } catch {
        guard isLocked(error) else { throw error }
      }
      usleep(.random(in: pauses))
    }
    return try open()
  }
}
