/// The `recordspec schema` command. It prints the JSON Schema of scenario files or model files.
package struct SchemaCommandFlow {
  private let file: FormatSchema.File
  private let output: String?
  private let isForced: Bool
  private let color: ColorChoice
  private let context: CommandContext

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - file: the files that the schema describes.
  ///   - output: the file to write; nil for standard output.
  ///   - isForced: a Boolean value that indicates whether to replace a file with other contents.
  package init(
    of file: FormatSchema.File, output: String?, isForced: Bool, color: ColorChoice = .auto,
    context: CommandContext
  ) {
    self.file = file
    self.output = output
    self.isForced = isForced
    self.color = color
    self.context = context
  }

  package func run() -> ExitStatus {
    let text = FormatSchema(of: file).text
    guard let output else {
      context.output(text)
      return .success
    }
    do throws(FileProblem) {
      let bytes = Array(text.utf8)
      let isLink = FileAccess.isLink(output)
      let existing = isLink ? nil : try FileBytes.read(output)
      if existing == bytes {
        context.output("unchanged: \(output)\n")
        return .success
      }
      if existing != nil || isLink, !isForced {
        let problem = AuthorDiagnostic(
          .existingFile, at: .file(output), "the file exists", advice: "add '--force' to replace it")
        context.errors(
          DiagnosticRenderer(isColored: context.environment.isColored(color)).text(of: problem))
        return .usage
      }
      try FileBytes.write(bytes, to: output)
      context.output("wrote \(output)\n")
      return .success
    } catch {
      context.report("error: \(error.message)\n")
      return .broken
    }
  }
}
