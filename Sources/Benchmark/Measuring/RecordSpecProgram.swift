import Foundation

/// The program `recordspec`, in the release build that users install.
struct RecordSpecProgram {
  private let program: URL
  var path: String { program.path }

  init() throws {
    guard let path = ProcessInfo.processInfo.environment["RECORDSPEC"] else {
      throw BenchmarkFailure("'RECORDSPEC' does not name the program; 'scripts/bench' sets it")
    }
    program = URL(fileURLWithPath: path)
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchmarkFailure("'\(path)' is missing; 'scripts/bench' builds it")
    }
  }

  /// Runs a command, and returns its output and its time.
  ///
  /// - Parameters:
  ///   - folder: the folder beside the scenarios.
  ///   - succeeds: a Boolean value that indicates whether the exit code must be 0 instead of 1.
  ///   - isCI: a Boolean value that indicates whether the command may write nothing beside the scenarios.
  func run(
    _ arguments: [String], in folder: String, succeeds: Bool = true, isCI: Bool = true
  ) throws -> ChildProcess.Outcome {
    var environment = ProcessInfo.processInfo.environment
    for name in ["CI", "TF_BUILD", "GITHUB_ACTIONS"] { environment[name] = nil }
    if isCI { environment["CI"] = "true" }
    let outcome = try ChildProcess(program: program, folder: folder, environment: environment).run(arguments)
    guard outcome.status == (succeeds ? 0 : 1) else {
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
