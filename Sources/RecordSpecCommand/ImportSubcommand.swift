import ArgumentParser
import RecordSpec

struct ImportSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Write a scenario and a model from a recorded session: a HAR file, recorded JSON or 'curl -i' output.",
    discussion: """
      For example, these commands turn a session that a browser has saved into a scenario with a golden file:
        recordspec import session.har --output books/session
        recordspec run books/session
        recordspec bless books/session

      Without '--model', a model is inferred, with a comment on each guess. Tokens, e-mail addresses and names of persons \
      are replaced by pseudonyms; review the files before you share them.
      """)

  @OptionGroup var suite: SuiteArguments

  @Argument(help: "Recordings. Their format is recognized from their content.", completion: .file())
  var recordings: [String]

  @Option(
    help: ArgumentHelp(
      "Model file, '.xcdatamodeld', '.xcdatamodel' or scenario with the model to use. (default: an inferred model)",
      valueName: "file"), completion: .models)
  var model: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Name of the scenario to write, with folders below the folder of scenarios. (default: the name of the first recording)",
      valueName: "folder/name"), completion: .scenarioFolders)
  var output: String?

  @Option(help: "URL of the first request in the output of 'curl -i', which does not contain it.")
  var url: String?

  @Flag(help: "Keep tokens, e-mail addresses and names.")
  var keepValues = false

  @Flag(help: "Replace existing files.")
  var force = false

  func validate() throws {
    if recordings.contains("") { throw ValidationError("a recording must not be empty") }
    if let model, model.isEmpty { throw ValidationError("'--model' must not be empty") }
    if let output, output.isEmpty || output.hasSuffix("/") {
      throw ValidationError("'--output' must end with the name of the scenario")
    }
    if let url, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
      throw ValidationError("'--url' must be a URL like 'https://api.test/books'")
    }
  }

  var writesFiles: Bool { true }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    var options = ImportCommandFlow.Options(recordings: recordings)
    options.model = model?.trimmedFolder
    options.output = output
    options.url = url
    options.keepsValues = keepValues
    options.replacesFiles = force
    return await ImportCommandFlow(suite: suite.options, options: options, context: context).run()
  }
}
