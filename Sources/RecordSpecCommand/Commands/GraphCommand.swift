import ArgumentParser
import RecordSpec
import ScenarioReport

extension DrawingFormat: ExpressibleByArgument {}

/// Draws the actual graph of a scenario after one of its steps.
struct GraphCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Draw the actual graph of a scenario, with the changes of a step.",
    usage: "recordspec graph [<options>] <scenario>",
    discussion: """
      For example, this command draws the graph after the second step:
        recordspec graph books/list --step 2 --output books.svg

      A graph of more than 60 records, including those that the step deleted, is drawn with one node for each \
      entity.
      """)

  @OptionGroup var arguments: StepArguments

  @Option(help: "Format of the drawing. (default: that of the output file's extension, or svg)")
  var format: DrawingFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("File to write; - is standard output. (default: standard output)", valueName: "file"),
    completion: .file())
  var output: String?

  func validate() throws {
    guard let output else { return }
    if output.isEmpty { throw ValidationError("'--output' must not be empty") }
    if format == nil, output != "-", DrawingFormat(file: output) == nil {
      throw ValidationError(
        "'--output \(output)' has no extension of a format: .svg, .dot, .gv, .mmd or .mermaid; name the format with '--format'"
      )
    }
  }

  var writesFiles: Bool { output.outputFile != nil }

  var suiteOptions: SuiteOptions { arguments.result.suiteOptions }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let (result, step) = try await arguments.actualResult(in: context)
    let file = output.outputFile
    let format = format ?? file.flatMap(DrawingFormat.init(file:)) ?? .svg
    try context.write(format.text(of: GraphDrawing(of: result, afterStep: step)), to: file)
    return arguments.result.reportErrors(of: result, in: context)
  }
}
