import Foundation

/// Runs work on a thread of its own that has stack for the deepest document that the parser lets pass.
enum DeepStack {
  /// For 512 levels, at what a level takes in a debug build, twice over.
  private static let size = 16 << 20

  /// - Returns: nil if the system has no room for another thread.
  static func run<Success: Sendable, Failure: Error>(
    stackSize: Int = size, _ work: @escaping @Sendable () throws(Failure) -> Success
  ) async -> Result<Success, Failure>? {
    await withCheckedContinuation { continuation in
      let work = Unmanaged.passRetained(Work { continuation.resume(returning: Result(catching: work)) })
      if !start(work.toOpaque(), stackSize) {
        work.release()
        continuation.resume(returning: nil)
      }
    }
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Not with `Thread`, which does not say that none could be made.
  ///
  /// - Parameter work: retained for the thread, if there is one.
  private static func start(_ work: UnsafeMutableRawPointer, _ stackSize: Int) -> Bool {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    guard pthread_attr_init(attributes) == 0 else { return false }
    defer { pthread_attr_destroy(attributes) }
    guard pthread_attr_setstacksize(attributes, stackSize) == 0,
      pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED)) == 0
    else { return false }
    let thread = UnsafeMutablePointer<ThreadID>.allocate(capacity: 1)
    defer { thread.deallocate() }
    return pthread_create(thread, attributes, main, work) == 0
  }

  #if canImport(Darwin)
    private typealias ThreadID = pthread_t?
    private typealias Argument = UnsafeMutableRawPointer
  #else
    private typealias ThreadID = pthread_t
    private typealias Argument = UnsafeMutableRawPointer?
  #endif

  // A closure in the call itself is more than the compiler (Swift 6.3) can take.
  private static let main: @convention(c) (Argument) -> UnsafeMutableRawPointer? = { argument in
    let work: UnsafeMutableRawPointer? = argument
    if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
    return nil
  }
}
