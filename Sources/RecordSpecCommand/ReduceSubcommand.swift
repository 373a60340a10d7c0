import ArgumentParser
import RecordSpec

struct ReduceSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reduce",
    abstract: "Write a smaller scenario that fails in the same way.",
    discussion: """
      For example, this command writes the scenario 'feed/home.reduced':
        recordspec reduce feed/home

      Everything that the first failure of the scenario does not need is removed, such as steps, responses, keys of \
      bodies, entities and expectations. Models and recorded bodies become part of the scenario. Comments on the rest \
      remain. The original is not changed.
      """)

  @OptionGroup var suite: SuiteArguments

  @Option(
    help: ArgumentHelp(
      "Folder of golden files. (default: Golden beside the scenarios)", valueName: "folder"),
    completion: .directory)
  var golden: String?

  @OptionGroup var store: StoreArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Name of the scenario to write, with folders below the folder of scenarios. (default: NAME.reduced)",
      valueName: "folder/name"), completion: .scenarioFolders)
  var output: String?

  @Flag(help: "Replace existing files.")
  var force = false

  @Option(help: "Maximum number of runs.")
  var runs = ReduceCommandFlow.Options.standardMaximumRuns

  @Argument(help: "File, name or pattern of one scenario.", completion: .scenarios)
  var scenario: String

  func validate() throws {
    if golden?.isEmpty ?? false { throw ValidationError("'--golden' must not be empty") }
    if output?.isEmpty ?? false { throw ValidationError("'--output' must not be empty") }
    if runs < 1 { throw ValidationError("'--runs' must be at least 1, not \(runs)") }
  }

  var writesFiles: Bool { true }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    var suite = suite.options.with(store)
    if let golden { suite.golden = golden.trimmedFolder }
    var options = ReduceCommandFlow.Options(scenario: scenario)
    options.output = output
    options.isForced = force
    options.maximumRuns = runs
    return await ReduceCommandFlow(suite: suite, options: options, context: context).run()
  }
}
