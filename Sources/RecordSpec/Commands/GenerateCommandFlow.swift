import RecordModel
import ScenarioFormat
package import ScenarioReport

/// The `recordspec generate` command. It writes the record types of a model as Swift code.
package struct GenerateCommandFlow {
  /// The destination of the Swift code.
  package enum Destination: Sendable {
    case standardOutput
    /// A file to write. A file with other contents is replaced if `isForced` is true.
    case file(String, isForced: Bool)
    /// A file to compare with the code.
    case comparison(String)
  }

  /// The options of the command.
  package struct Options: Sendable {
    /// The model file, Xcode model or scenario.
    package var source: String
    package var destination = Destination.standardOutput
    package var access = GeneratedRecordTypes.Access.internal
    /// A Boolean value that indicates whether to omit what record types cannot express.
    package var isLossy = false

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
      report(source.diagnostics(suggestingFilesBelow: suite.scenarios))
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
    switch options.destination {
    case .standardOutput:
      context.output(types.text)
      return .success
    case .file(let path, let isForced):
      return context.write(types.text, to: path, isForced: isForced, suite.color)
    case .comparison(let path): return compare(path, with: types.text)
    }
  }

  private func compare(_ path: String, with text: String) -> ExitStatus {
    do throws(FileProblem) {
      let existing = try FileBytes.read(path)
      if existing == Array(text.utf8) {
        context.output("current: \(path)\n")
        return .success
      }
      report([
        AuthorDiagnostic(
          .outdatedFile, at: .file(path),
          existing == nil ? "the file does not exist" : "the file differs from the model",
          advice: "run '\(command(writing: path))'")
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

  /// Returns the command that writes the file.
  private func command(writing path: String) -> String {
    var words = [suite.command("generate"), ShellText.quoted(options.source)]
    words += ["--output", ShellText.quoted(path)]
    if options.access != .internal { words += ["--access", options.access.rawValue] }
    if options.isLossy { words.append("--lossy") }
    return (words + ["--force"]).joined(separator: " ")
  }
}
