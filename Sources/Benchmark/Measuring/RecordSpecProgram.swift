import Foundation

/// The program `recordspec`, which is built beside this one.
struct RecordSpecProgram {
  private let program: URL

  init() throws {
    guard let own = Bundle.main.executableURL else { throw BenchmarkFailure("this program has no path") }
    program = own.deletingLastPathComponent().appendingPathComponent("recordspec")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw BenchmarkFailure("'\(program.path)' is missing; 'scripts/bench' builds it")
    }
  }

  /// Runs a command that must succeed, and returns its output and its time.
  ///
  /// - Parameters:
  ///   - folder: the folder beside the scenarios.
  ///   - isCI: a Boolean value that indicates whether the command may write nothing beside the scenarios.
  func run(_ arguments: [String], in folder: String, isCI: Bool = true) throws -> ChildProcess.Outcome {
    var environment = ProcessInfo.processInfo.environment
    for name in ["CI", "TF_BUILD", "GITHUB_ACTIONS"] { environment[name] = nil }
    if isCI { environment["CI"] = "true" }
    let outcome = try ChildProcess(program: program, folder: folder, environment: environment).run(arguments)
    guard outcome.status == 0 else {
      let end = outcome.output.split(separator: "\n").suffix(5).joined(separator: "\n")
      throw BenchmarkFailure(
        "recordspec \(arguments.joined(separator: " ")): exit code \(outcome.status)\n\(end)")
    }
    return outcome
  }

  /// Returns the peak memory in bytes of a command.
  ///
  /// A process inherits the figure of its parent, which is large here. So this program is run again, and runs the command.
  func peak(_ arguments: [String], in folder: String) throws -> Int {
    guard let own = Bundle.main.executableURL else { throw BenchmarkFailure("this program has no path") }
    let outcome = try ChildProcess(program: own, folder: folder).run(["--peak-of", program.path] + arguments)
    guard outcome.status == 0, let bytes = Int(outcome.output.filter { $0 != "\n" }) else {
      throw BenchmarkFailure("the peak of 'recordspec \(arguments.joined(separator: " "))' is unknown")
    }
    return bytes
  }

  /// Runs a command in a child process, and returns the peak memory of that process in bytes.
  static func peak(of command: [String]) throws -> Int {
    let outcome = try ChildProcess(program: URL(fileURLWithPath: command[0])).run(Array(command.dropFirst()))
    guard outcome.status == 0 else {
      throw BenchmarkFailure("exit code \(outcome.status): \(outcome.output)")
    }
    return ChildProcess.usage.peak
  }
}
