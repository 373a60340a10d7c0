import ArgumentParser
import RecordSpec
import ScenarioReport

/// Writes a scenario of a model and responses, or of a template.
struct NewCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a scenario from a template, or from a model and the bodies of responses.",
    discussion: """
      For example, these commands write 'Scenarios/books/list.yaml' and run it:
        recordspec new books/list --model App.xcdatamodeld --response books.json
        recordspec run books/list

      The entity of each request is the one that reads most keys of its response. The address of a response is made up \
      from the name of its file. A response outside of the project is copied beside the scenario.

      Without '--model', the scenario uses the only model file in the folder of scenarios that fits the responses. If \
      there is none, or with '--infer-model', the model is inferred from the responses. Without '--response', the \
      scenario has a made-up response of the only model file, or is an example with its own model.

      A scenario that runs an app has 'tables', which the app shows when it performs the actions once:
        recordspec new feed/refresh --adapter web --call refresh --response posts=posts.json
      """)

  @OptionGroup var suite: SuiteArguments

  @Argument(
    help: ArgumentHelp(
      "Name of the scenario, with folders below the folder of scenarios.", valueName: "folder/name"),
    completion: .scenarioFolders)
  var name: String

  @Option(
    help: ArgumentHelp(
      "Model file, '.xcdatamodeld', '.xcdatamodel' or scenario with the model to use.", valueName: "file"),
    completion: .models)
  var model: String?

  @Flag(help: "Infer a new model from the responses, even if a model file fits them.")
  var inferModel = false

  @OptionGroup var calls: CallArguments

  @Option(
    help: ArgumentHelp(
      "JSON file with the body of a response, with or without its address before it. Repeatable.",
      valueName: "address=file"),
    completion: .file(extensions: ["json"]))
  var response: [String] = []

  @Option(help: "Entity of the requests. (default: the one that reads most keys of a response)")
  var entity: String?

  @Option(help: "Title of the scenario. (default: one that names the entities)")
  var title: String?

  @Flag(help: "Replace existing files.")
  var force = false

  func validate() throws {
    if name.isEmpty { throw ValidationError("the name must not be empty") }
    for (option, value) in [("--model", model), ("--entity", entity), ("--title", title)] where value == "" {
      throw ValidationError("'\(option)' must not be empty")
    }
    if calls.areGiven,
      let option = model != nil ? "--model" : inferModel ? "--infer-model" : entity != nil ? "--entity" : nil
    {
      throw ValidationError("'--call' cannot be combined with '\(option)', because an app has its own model")
    }
    if inferModel, let option = model != nil ? "--model" : entity != nil ? "--entity" : nil {
      throw ValidationError("'--infer-model' cannot be combined with '\(option)'")
    }
    if inferModel, response.isEmpty {
      throw ValidationError("'--infer-model' needs the body of a response; name it with '--response'")
    }
    if response.contains("") { throw ValidationError("'--response' must not be empty") }
  }

  var writesFiles: Bool { true }

  var suiteOptions: SuiteOptions { suite.options() }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let name = try context.newScenarioName(name)
    try context.check(name)
    try await NewScenario(arguments: self, name: name, context: context).write()
    return .success
  }
}
