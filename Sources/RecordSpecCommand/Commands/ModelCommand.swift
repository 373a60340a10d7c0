import ArgumentParser
import RecordSpec
import ScenarioFormat
import ScenarioReport

/// Prints a model of any source as the text of a model file.
struct ModelCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Print a model as a YAML model file.",
    usage: "recordspec model [<options>] <source>",
    discussion: """
      For example, this command converts a model of Xcode:
        recordspec model App.xcdatamodeld > Scenarios/_models/app.model.yaml

      The model of a scenario includes the names, key paths and keys of 'customize:'. The command fails if a model file \
      cannot express a part of the model, and lists these parts.
      """)

  @OptionGroup var files: FileArguments

  @Argument(
    help: ArgumentHelp(
      "Model file, '.xcdatamodeld', '.xcdatamodel' or scenario.", valueName: "source"),
    completion: .models)
  var path: String

  @Flag(help: "Omit the parts that a model file cannot express.")
  var lossy = false

  func validate() throws {
    if path.isEmpty { throw ValidationError("the source must not be empty") }
  }

  var writesFiles: Bool { false }

  var suiteOptions: SuiteOptions { files.options }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let source = ModelSource(path.trimmedFolder, allowingOutside: context.suite.allowedFolders)
    var diagnostics = source.diagnostics(suggestingFilesBelow: context.suite.scenarios)
    for var loss in source.losses {
      if lossy { loss.severity = .warning }
      diagnostics.append(loss)
    }
    // The model is the only output, so that it can be redirected to a file.
    context.errors(context.renderer.text(of: diagnostics.sortedByLocation()))
    guard let yaml = source.yaml else { return .invalid }
    guard lossy || source.losses.isEmpty else {
      throw context.refuse(
        .invalid, "the model was not printed; '--lossy' prints it without the parts above")
    }
    context.output(yaml)
    return .success
  }
}
