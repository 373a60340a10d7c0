import ArgumentParser
import RecordSpec

extension ContinuousIntegration: ExpressibleByArgument {}

struct InitSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract:
      "Lay out a project: an example, the schemas for editors, settings, and a job for CI. Keeps existing files.",
    discussion: """
      For example, these commands lay out a project in the current folder, and run its example:
        recordspec init --ci github
        recordspec bless example
        recordspec

      The example is written only if the folder 'Scenarios' contains no scenario. The job for CI is written at the root \
      of the Git repository.
      """)

  @Argument(help: "Folder of the project.", completion: .directory)
  var folder = "."

  @Option(help: "Service that runs the scenarios after each push.")
  var ci = ContinuousIntegration.none

  @Flag(inversion: .prefixedNo, help: "Write an example if there are no scenarios.")
  var example = true

  func validate() throws {
    if folder.isEmpty { throw ValidationError("the folder must not be empty") }
  }

  var writesFiles: Bool { true }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    var options = InitCommandFlow.Options()
    options.folder = folder.trimmedFolder
    options.integration = ci
    options.hasExample = example
    return InitCommandFlow(options: options, context: context).run()
  }
}
