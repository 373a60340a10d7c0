import Foundation

/// The duration of an operation, in seconds.
struct TimeTaken {
  /// The processor time of all threads, in the program and in the system. It depends little on the load of the machine.
  var processor: Double
  /// The elapsed time.
  var wall: Double
}

enum Stopwatch {
  static func measure<Result>(_ work: () async throws -> Result) async throws -> (Result, TimeTaken) {
    let start = (seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC))
    let result = try await work()
    let end = (seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC))
    return (result, TimeTaken(processor: end.0 - start.0, wall: end.1 - start.1))
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
