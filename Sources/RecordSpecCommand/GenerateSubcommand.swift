import ArgumentParser
import RecordSpec

extension GeneratedRecordTypes.Access: ExpressibleByArgument {}

struct GenerateSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generate Swift record types from a model.",
    discussion: """
      For example, these commands write the record types of a model, and check in CI that they are current:
        recordspec generate App.xcdatamodeld --output Sources/App/AppRecords.swift
        recordspec generate App.xcdatamodeld --output Sources/App/AppRecords.swift --check

      The record types are the model: 'PersistentContainer(recordTypes: .app)' needs no other description. The command \
      fails if record types cannot express a part of the model, and lists these parts.
      """)

  @OptionGroup var files: FileArguments

  @Argument(
    help: ArgumentHelp(
      "Model file, '.xcdatamodeld', '.xcdatamodel' or scenario.", valueName: "source"),
    completion: .models)
  var path: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("File to write; - is standard output. (default: standard output)", valueName: "file"),
    completion: .file(extensions: ["swift"]))
  var output: String?

  @Option(help: "Access level of the record types and their properties.")
  var access = GeneratedRecordTypes.Access.internal

  @Flag(help: "Omit the parts that record types cannot express.")
  var lossy = false

  @Flag(help: "Replace a file that exists.")
  var force = false

  @Flag(help: "Write nothing, and exit with 1 if the file differs from what would be written.")
  var check = false

  func validate() throws {
    if path.isEmpty { throw ValidationError("the source must not be empty") }
    if output?.isEmpty ?? false { throw ValidationError("'--output' must not be empty") }
    if check, output == nil || output == "-" { throw ValidationError("'--check' needs '--output'") }
    if check, force { throw ValidationError("'--check' cannot be combined with '--force'") }
  }

  var writesFiles: Bool { ![nil, "-"].contains(output) && !check }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    var options = GenerateCommandFlow.Options(source: path.trimmedFolder)
    if let output, output != "-" {
      options.destination = check ? .comparison(output) : .file(output, isForced: force)
    }
    options.access = access
    options.isLossy = lossy
    return GenerateCommandFlow(options, suite: files.options, context: context).run()
  }
}
