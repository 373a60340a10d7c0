import Foundation

/// Waiting for a file that somebody else has.
///
/// SQLite's own waiting would not do: who waits keeps the file from being locked by whoever waits as well, so that of
/// two that open a file at once neither gets it. Here each lets go of the file before it tries again.
enum SQLiteWaiting {
  /// How often to try, and how long to wait in between, in microseconds: half a second in all.
  ///
  /// By chance, so that two who open a file in the same moment are not in each other's way in step ever after.
  private static let (attempts, pauses) = (50, UInt32(1_000)...19_000)

  /// Tries again as long as the file is somebody else's, half a second at most. `open` must not keep the file when it
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
