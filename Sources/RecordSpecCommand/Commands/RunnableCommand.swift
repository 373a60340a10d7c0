import ArgumentParser
import RecordSpec
import ScenarioReport

/// A parsed command that can run in any context.
protocol RunnableCommand: ParsableCommand {
  /// A Boolean value that indicates whether the command writes files because of its name or of its options. The folder
  /// `.recordspec` and temporary files do not count.
  var writesFiles: Bool { get }

  /// The suite that the command works on.
  var suiteOptions: SuiteOptions { get }

  /// Performs the command on the suite of the context.
  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus
}
