import Foundation

/// Runs work on a thread of its own that has stack for the deepest document that the parser lets pass.
enum DeepStack {
  /// For 512 levels, at what a level takes in a debug build, twice over.
  private static let size = 16 << 20

  static func run<Success: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Success
  ) async -> Result<Success, Failure> {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: Result(catching: work)) }
      thread.stackSize = size
      thread.start()
    }
  }
}
