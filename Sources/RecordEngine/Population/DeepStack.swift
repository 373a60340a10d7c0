import Foundation

/// A thread with a stack that is large enough for the deepest document that the parser accepts.
enum DeepStack {
  /// Twice the size that 512 levels need in a debug build.
  private static let size = 16 << 20

  /// Runs work on a new thread and returns its result.
  ///
  /// - Returns: nil if the system cannot create a thread.
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

  /// Starts a thread. Does not use `Thread`, which does not report a failure to start.
  ///
  /// - Parameter work: the retained work. The thread releases it if it starts.
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

  // The compiler (Swift 6.3) cannot handle this closure in the call itself.
  private static let main: @convention(c) (Argument) -> UnsafeMutableRawPointer? = { argument in
    let work: UnsafeMutableRawPointer? = argument
    if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
    return nil
  }
}
