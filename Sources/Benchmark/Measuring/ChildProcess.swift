import Foundation

/// A program that runs in a process of its own.
struct ChildProcess {
  let program: URL
  /// The working directory; nil for that of this process.
  var folder: String?
  var environment = ProcessInfo.processInfo.environment

  struct Outcome {
    var status: Int32
    var output: String
    var time: TimeTaken
  }

  /// Runs the program to its end. The processor time includes that of its own child processes.
  func run(_ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = environment
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let output = Pipe()
    process.standardOutput = output
    let (before, clock) = (Self.usage.processor, ContinuousClock())
    let start = clock.now
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let wall = (clock.now - start) / .seconds(1)
    return Outcome(
      status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self),
      time: TimeTaken(processor: Self.usage.processor - before, wall: wall))
  }

  /// The processor time in seconds of all child processes that have ended, and the greatest peak memory in bytes.
  static var usage: (processor: Double, peak: Int) {
    var usage = rusage()
    #if os(Linux)
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
      let unit = 1024
    #else
      getrusage(RUSAGE_CHILDREN, &usage)
      let unit = 1
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return (seconds(usage.ru_utime) + seconds(usage.ru_stime), Int(usage.ru_maxrss) * unit)
  }
}
