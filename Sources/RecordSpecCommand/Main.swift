import AdapterConnection
import ArgumentParser
import Foundation
import RecordSpec

@main
enum Main {
  @MainActor static func main() async {
    openMissingStreams()
    ignoreClosedPipes()
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
      today: ScenarioJudge.day(of: Date()),
      elapsed: { clock.now - start },
      onSignal: { watch.work = $0 },
      input: readInput,
      output: { write($0, to: STDOUT_FILENO) },
      errors: { write($0, to: STDERR_FILENO) },
      attemptOutput: { attempt($0, to: STDOUT_FILENO) }, attemptErrors: { attempt($0, to: STDERR_FILENO) })
    let status = await RootCommand.status(of: Array(CommandLine.arguments.dropFirst()), in: context)
    // Scenarios that the run has given up may still have files and adapters.
    AdapterProcess.endAll()
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

  /// The handler of SIGPIPE that the process was started with.
  nonisolated(unsafe) private static var inheritedPipeHandler: sig_t?

  /// Lets a write to a closed pipe return an error instead of ending the process, so that a run can complete its other
  /// reports. Started processes, such as git, inherit this.
  private static func ignoreClosedPipes() { inheritedPipeHandler = signal(SIGPIPE, SIG_IGN) }

  /// Writes a text. If that fails, for example on a full disk or a closed stream, ends the process, because the user would
  /// not see the rest.
  private static func write(_ text: String, to stream: Int32) {
    guard let code = TextOutput.write(text, to: stream) else { return }
    if code == EPIPE {
      // Like other commands, this one ends without a message when nothing reads its output. If the caller ignores the signal,
      // the message below is printed.
      signal(SIGPIPE, inheritedPipeHandler)
      raise(SIGPIPE)
    }
    if stream != STDERR_FILENO {
      let message = "error: standard output cannot be written: \(TextOutput.reason(code))\n"
      _ = TextOutput.write(message, to: STDERR_FILENO)
    }
    _exit(ExitStatus.broken.rawValue)
  }

  /// Writes a text, and returns the reason if that fails.
  private static func attempt(_ text: String, to stream: Int32) -> String? {
    TextOutput.write(text, to: stream).map(TextOutput.reason)
  }
}
