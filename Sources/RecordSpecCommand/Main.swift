import ArgumentParser
import Foundation
import RecordSpec

@main
enum Main {
  static func main() async {
    // As process 1 of a container a signal would otherwise be ignored. Files are renamed into place, so that there is
    // nothing to tidy up.
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
    signal(SIGTERM) { _ in _exit(ExitStatus.terminated.rawValue) }

    let clock = ContinuousClock()
    let start = clock.now
    let environment = RunEnvironment(
      variables: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1)
    let surroundings = CommandSurroundings(
      environment: environment, execute: { await ScenarioExecution.execute($0, on: $1) },
      today: CommandSurroundings.day(of: Date()),
      elapsed: { clock.now - start },
      output: { write($0, to: .standardOutput) },
      errors: { write($0, to: .standardError) })
    exit(await RootCommand.status(of: Array(CommandLine.arguments.dropFirst()), in: surroundings))
  }

  /// Writes a report. One that cannot be written, to a full disk or a closed stream, ends the run: nobody would see it.
  private static func write(_ text: String, to file: FileHandle) {
    do {
      try file.write(contentsOf: Data(text.utf8))
    } catch {
      _exit(ExitStatus.broken.rawValue)
    }
  }
}
