import Foundation

@testable import RecordSpec

/// A command that runs as a separate process.
final class RunningCommand {
  private let process: Process
  private let (output, errors) = (Pipe(), Pipe())
  private var seen = Data()
  /// The output that has been read.
  var outputSoFar: String { String(decoding: seen, as: UTF8.self) }
  /// Kills a command that hangs, so that its test fails and the other tests continue.
  private let watchdog: DispatchWorkItem

  init(_ process: Process) throws {
    self.process = process
    #if os(Linux)
      // Reports are longer than the pipe, so a command cannot end by itself until the test reads its report.
      let setsPipeSize: Int32 = 1031  // F_SETPIPE_SZ
      _ = fcntl(output.fileHandleForWriting.fileDescriptor, setsPipeSize, 4096)
    #endif
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let identifier = process.processIdentifier
    watchdog = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 240, execute: watchdog)
  }

  /// Waits until the command writes output or ends.
  func waitForOutput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var count = 0
    repeat {
      count = read(output.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
    } while count < 0 && errno == EINTR
    seen += buffer.prefix(max(0, count))
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the command to end, and reads all of its output.
  func end() -> CommandSuite.Outcome {
    seen += output.fileHandleForReading.readDataToEndOfFile()
    let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return CommandSuite.Outcome(
      status: endUnread(), output: String(decoding: seen, as: UTF8.self), errors: errorText)
  }

  /// Waits for the command to end without reading its output.
  func endUnread() -> Int32 {
    process.waitUntilExit()
    watchdog.cancel()
    return process.terminationStatus
  }
}

extension CommandSuite {
  /// Starts the command in the suite's folder. It writes its temporary files to the folder `temporary` there.
  ///
  /// - Parameters:
  ///   - line: A line of bash that runs before the command.
  ///   - grace: The time in milliseconds that the command has to end after a signal; an hour by default.
  func start(_ arguments: String, before line: String = "true", grace: Int = 3_600_000) throws
    -> RunningCommand
  {
    let variables = "TMPDIR=$PWD/temporary RECORDSPEC_SIGNAL_GRACE=\(grace)"
    return try RunningCommand(process("\(line); \(variables) exec \"$recordspec\" \(arguments)"))
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// Returns the names of the entries of a folder, including hidden ones.
  func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
  }
}
