import RecordModel

/// The `recordspec generate` command. It writes the record types of a model as Swift code.
package struct GenerateCommandFlow {
  /// The options of the command.
  package struct Options: Sendable {
    /// The model file, Xcode model or scenario.
    package var source: String
    /// The file to write or to check; nil for standard output.
    package var output: String?
    package var access = GeneratedRecordTypes.Access.internal
    /// A Boolean value that indicates whether to omit what record types cannot express.
    package var isLossy = false
    /// A Boolean value that indicates whether to replace a file with other contents.
    package var isForced = false
    /// A Boolean value that indicates whether to compare the file instead of writing it.
    package var isCheck = false

    package init(source: String) { self.source = source }
  }

  private let options: Options
  private let suite: SuiteOptions
  private let context: CommandContext

  package init(_ options: Options, suite: SuiteOptions, context: CommandContext) {
    self.options = options
    self.suite = suite
    self.context = context
  }

  package func run() -> ExitStatus {
    let source = ModelSource(options.source, allowingOutside: suite.allowedFolders)
    guard let model = source.model else {
      report(source.diagnostics)
      return .invalid
    }
    let types = GeneratedRecordTypes(
      model, populated: source.populated, source: options.source, access: options.access)
    // Two types of one name are not Swift code, so they cannot be omitted.
    let losses = source.diagnostics(
      of: types.losses.map { loss in
        var loss = loss
        if options.isLossy, types.compiles { loss.severity = .warning }
        return loss
      })
    report(source.diagnostics + losses)
    guard losses.allSatisfy({ $0.severity == .warning }) else {
      let advice = types.compiles ? "; '--lossy' omits the parts above" : ""
      context.report("error: no Swift code was generated\(advice)\n")
      return .invalid
    }
    guard let output = options.output else {
      context.output(types.text)
      return .success
    }
    if options.isCheck { return check(types.text, output) }
    return context.write(types.text, to: output, isForced: options.isForced, suite.color)
  }

  /// Compares the file with the text.
  private func check(_ text: String, _ output: String) -> ExitStatus {
    do throws(FileProblem) {
      let existing = try FileBytes.read(output)
      if existing == Array(text.utf8) {
        context.output("current: \(output)\n")
        return .success
      }
      report([
        AuthorDiagnostic(
          .outdatedFile, at: .file(output),
          existing == nil ? "the file does not exist" : "the file differs from the model",
          advice: "run '\(command)'")
      ])
      return .failed
    } catch {
      context.report("error: \(error.message)\n")
      return .broken
    }
  }

  private func report(_ diagnostics: [AuthorDiagnostic]) {
    guard !diagnostics.isEmpty else { return }
    let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
    context.errors(renderer.text(of: diagnostics.sortedByLocation()))
  }

  /// The command that writes the file.
  private var command: String {
    var words = [suite.command("generate"), ShellText.quoted(options.source)]
    words += ["--output", ShellText.quoted(options.output ?? "-")]
    if options.access != .internal { words += ["--access", options.access.rawValue] }
    if options.isLossy { words.append("--lossy") }
    return (words + ["--force"]).joined(separator: " ")
  }
}
