import ArgumentParser
import RecordSpec

extension DrawingFormat: ExpressibleByArgument {}

/// The arguments that name the result of one scenario.
struct ResultArguments: ParsableArguments {
  @OptionGroup var suite: SuiteArguments
  @Option(help: "Store to run on. Results are identical on every store. (default: memory)")
  var store: StoreKind?

  @Argument(help: "Name, file or pattern of one scenario.", completion: .scenarios)
  var scenario: String

  @Option(
    help: ArgumentHelp(
      "Read the result from a folder of kept results, instead of running the scenario.", valueName: "folder"),
    completion: .directory)
  var from: String?

  func finder(in context: CommandContext) -> ResultFinder {
    var options = suite.options
    if let store { options.store = store }
    return ResultFinder(
      scenario: scenario, keptResults: from?.trimmedFolder, suite: options, context: context)
  }

  func validate() throws {
    if scenario.isEmpty { throw ValidationError("the scenario must not be empty") }
    guard let from else { return }
    if from.isEmpty { throw ValidationError("'--from' must not be empty") }
    let unused = [
      store == nil ? nil : "--store", suite.files.allowOutside.isEmpty ? nil : "--allow-outside",
    ].compactMap(\.self)
    if let option = unused.first {
      throw ValidationError("'\(option)' cannot be combined with '--from', which does not run the scenario")
    }
  }
}

struct StepArgument: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help:
      "Number of the step after which to show the graph; 0 is before the first step. (default: the last step)"
  )
  var step: Int?
}

struct ShowSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the actual result of a scenario: its steps and the graph. Compares nothing.",
    discussion: """
      For example, these commands print the graph after the last step, and one record after the second step:
        recordspec show books/list
        recordspec show books/list Book/a-1 --step 2

      If the scenario uses Swift code of a test target, the command prints the result that its last failed test has \
      kept.
      """)

  @OptionGroup var result: ResultArguments
  @OptionGroup var step: StepArgument

  @Argument(help: "Label of one record, whose values are printed in full.")
  var label: String?

  @Flag(help: "Print JSON.")
  var json = false

  var writesFiles: Bool { false }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    var options = ShowCommandFlow.Options()
    options.label = label
    options.step = step.step
    options.isJSON = json
    return await ShowCommandFlow(finder: result.finder(in: context), options: options).run()
  }
}

struct ExplainSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain where the records of a scenario and their values come from.",
    discussion: """
      For example, this command explains a value: the response and the JSON pointer that it comes from, the path that \
      found it, and the duplicates that lost. For a property without a value, it lists the paths that were tried.
        recordspec explain feed Post/1.title

      Labels are those of golden files. If the scenario uses Swift code of a test target, the command explains the result \
      that its last failed test has kept.
      """)

  @OptionGroup var result: ResultArguments

  @Argument(
    help: ArgumentHelp(
      "Label of a record, or a label and a property. (default: all records)",
      valueName: "label[.property]"))
  var subject: String?

  /// A property that is not joined with its label, which is a mistake.
  @Argument(help: .hidden)
  var property: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard let subject, let property else { return }
    throw ValidationError("write the property after the label and a dot: '\(subject).\(property)'")
  }

  var writesFiles: Bool { false }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    await ExplainCommandFlow(finder: result.finder(in: context), subject: subject, isJSON: json).run()
  }
}

struct GraphSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Draw the actual graph of a scenario, with the changes of a step.",
    discussion: """
      For example, this command draws the graph after the second step:
        recordspec graph books/list --step 2 --output books.svg

      A graph of more than 60 records, including those that the step deleted, is drawn with one node for each \
      entity.
      """)

  @OptionGroup var result: ResultArguments
  @OptionGroup var step: StepArgument

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

  var writesFiles: Bool { ![nil, "-"].contains(output) }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    var options = GraphCommandFlow.Options()
    options.step = step.step
    options.format = format
    options.output = output == "-" ? nil : output
    return await GraphCommandFlow(finder: result.finder(in: context), options: options).run()
  }
}
