import Foundation

@testable import RecordSpec

/// A command that runs as a process of its own.
final class RunningCommand {
  private let process: Process
  private let (output, errors) = (Pipe(), Pipe())
  private var seen = Data()
  /// Ends a command that hangs, so that its test fails and the others go on.
  private let watchdog: DispatchWorkItem

  init(_ process: Process) throws {
    self.process = process
    #if os(Linux)
      // A report is longer than the pipe, so that a command whose report nobody reads cannot end by itself.
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

  /// Waits until it has said something, or has ended.
  func waitForOutput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var count = 0
    repeat {
      count = read(output.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
    } while count < 0 && errno == EINTR
    seen += buffer.prefix(max(0, count))
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end, and reads all that it says.
  func end() -> CommandSuite.Outcome {
    seen += output.fileHandleForReading.readDataToEndOfFile()
    let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return CommandSuite.Outcome(
      status: endUnread(), output: String(decoding: seen, as: UTF8.self), errors: errorText)
  }

  /// Waits for the end, and reads nothing of what it says.
  func endUnread() -> Int32 {
    process.waitUntilExit()
    watchdog.cancel()
    return process.terminationStatus
  }
}

extension CommandSuite {
  /// Starts the command in the suite's folder. Its temporary files go into `temporary` there.
  ///
  /// - Parameters:
  ///   - line: what is said to bash before it becomes the command.
  ///   - grace: the milliseconds that the command has to end after a signal; an hour by default.
  func start(_ arguments: String, before line: String = "true", grace: Int = 3_600_000) throws
    -> RunningCommand
  {
    let variables = "TMPDIR=$PWD/temporary RECORDSPEC_SIGNAL_GRACE=\(grace)"
    return try RunningCommand(process("\(line); \(variables) exec \"$recordspec\" \(arguments)"))
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// What lies in one of its folders, hidden files too.
  func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
  }
}
