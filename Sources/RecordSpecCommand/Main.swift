import ArgumentParser
import Foundation
import RecordSpec

@main
enum Main {
  @MainActor static func main() async {
    openMissingStreams()
    // A closed pipe is an error of the write, so that a run can complete its other reports.
    signal(SIGPIPE, SIG_IGN)
    let variables = ProcessInfo.processInfo.environment
    // Tests set it, so that the load of the machine does not affect their results.
    let grace = variables["RECORDSPEC_SIGNAL_GRACE"].flatMap { Int32($0) } ?? 5000
    let watch = SignalWatch(graceInMilliseconds: grace)
    let clock = ContinuousClock()
    let start = clock.now
    let environment = RunEnvironment(
      variables: variables, isTerminal: isatty(STDOUT_FILENO) == 1,
      hasTerminalInput: isatty(STDIN_FILENO) == 1, terminalWidth: terminalWidth)
    let context = CommandContext(
      environment: environment, execute: { await ScenarioExecution.execute($0, on: $1) },
      today: CommandContext.day(of: Date()),
      elapsed: { clock.now - start },
      onSignal: { watch.work = $0 },
      input: readInput,
      output: { write($0, to: STDOUT_FILENO) },
      attemptOutput: { failure(writing: $0, to: STDOUT_FILENO).map(words) },
      errors: { write($0, to: STDERR_FILENO) })
    let status = await RootCommand.status(of: Array(CommandLine.arguments.dropFirst()), in: context)
    // Scenarios that the run has given up may still have files.
    ScratchFolder.removeAll()
    exit(status)
  }

  /// The number of columns of the terminal of standard output; nil if there is none, or if the number is unknown.
  private static var terminalWidth: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Reads a line of standard input on another thread, so that signals end the command while it waits.
  private static func readInput() async -> String? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: readLine()) }
    }
  }

  /// Opens closed standard streams on a null device, so that no other file takes their place and receives their output.
  private static func openMissingStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
      // Standard output is opened for reading, so that writing a report to it fails.
      _ = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes a report. If that fails, for example on a full disk or a closed stream, ends the process, because the user
  /// would not see the report.
  private static func write(_ text: String, to file: Int32) {
    guard let code = failure(writing: text, to: file) else { return }
    if code == EPIPE {
      // As other programs end whose reader has seen enough.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    if file != STDERR_FILENO {
      _ = failure(writing: "error: the report could not be written: \(words(for: code))\n", to: STDERR_FILENO)
    }
    _exit(ExitStatus.broken.rawValue)
  }

  private static func words(for code: Int32) -> String { String(cString: strerror(code)) }

  /// Writes a text and returns the error number if that fails; nil if all of it was written.
  private static func failure(writing text: String, to file: Int32) -> Int32? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process shares the stream and has made it nonblocking.
        var stream = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&stream, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
