import ArgumentParser
import RecordSpec
import ScenarioFormat
import ScenarioReport

extension FormatSchema.File: ExpressibleByArgument {}

/// Prints the JSON Schema of scenario files, model files, the settings or the messages of adapters.
struct SchemaCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenario files, model files, settings or adapter messages.",
    discussion: """
      For example, these commands write the schemas beside the scenarios:
        recordspec schema --output Scenarios/scenario.schema.json
        recordspec schema model --output Scenarios/model.schema.json

      With this first line, an editor with the YAML language server completes and checks 'Scenarios/feed.yaml':
        # yaml-language-server: $schema=scenario.schema.json
      """)

  @Argument(help: "Files that the schema describes.")
  var file = FormatSchema.File.scenario

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("File to write; - is standard output. (default: standard output)", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var output: String?

  @Flag(help: "Replace a file that exists.")
  var force = false

  @OptionGroup var color: ColorArgument

  func validate() throws {
    if output?.isEmpty ?? false { throw ValidationError("'--output' must not be empty") }
  }

  var writesFiles: Bool { output.outputFile != nil }

  var suiteOptions: SuiteOptions { color.options }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    try context.write(FormatSchema(of: file).text, to: output.outputFile, replacing: force)
    return .success
  }
}
