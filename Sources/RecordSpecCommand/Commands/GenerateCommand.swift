import ArgumentParser
import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport

extension GeneratedRecordTypes.Access: ExpressibleByArgument {}

/// Writes the record types of a model as Swift code.
struct GenerateCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generate Swift record types from a model.",
    usage: "recordspec generate [<options>] <source>",
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

  var writesFiles: Bool { output.outputFile != nil && !check }

  var suiteOptions: SuiteOptions { files.options }

  private var sourcePath: String { path.trimmedFolder }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let source = ModelSource(sourcePath, allowingOutside: context.suite.allowedFolders)
    guard let model = source.model else {
      throw context.refuse(
        source.diagnostics(suggestingFilesBelow: context.suite.scenarios).sortedByLocation())
    }
    let types = GeneratedRecordTypes(model, populated: source.populated, source: sourcePath, access: access)
    // Two types of one name are not Swift code, so they cannot be omitted.
    let losses = source.diagnostics(
      of: types.losses.map { loss in
        var loss = loss
        if lossy, types.compiles { loss.severity = .warning }
        return loss
      })
    context.errors(context.renderer.text(of: (source.diagnostics + losses).sortedByLocation()))
    guard losses.allSatisfy({ $0.severity == .warning }) else {
      let advice = types.compiles ? "; '--lossy' omits the parts above" : ""
      throw context.refuse(.invalid, "no Swift code was generated\(advice)")
    }
    if check, let output {
      try compare(output, with: types.text, in: context)
    } else {
      try context.write(types.text, to: output.outputFile, replacing: force)
    }
    return .success
  }

  private func compare(_ file: String, with text: String, in context: CommandContext) throws(Refusal) {
    let existing = try context.attempt { () throws(FileProblem) in try FileBytes.read(file) }
    guard existing != Array(text.utf8) else { return context.output("current: \(file)\n") }
    let problem = AuthorDiagnostic(
      .outdatedFile, at: .file(file),
      existing == nil ? "the file does not exist" : "the file differs from the model",
      advice: "run '\(command(writing: file, in: context.suite))'")
    throw context.refuse([problem], .failed)
  }

  /// Returns the command that writes the file.
  private func command(writing file: String, in suite: SuiteOptions) -> String {
    var words = [suite.command("generate"), ShellText.quoted(sourcePath)]
    words += ["--output", ShellText.quoted(file)]
    if access != .internal { words += ["--access", access.rawValue] }
    if lossy { words.append("--lossy") }
    return (words + ["--force"]).joined(separator: " ")
  }
}
