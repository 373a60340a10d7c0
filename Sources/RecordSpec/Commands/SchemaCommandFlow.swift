package import ScenarioFormat
package import ScenarioReport

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
    return context.write(text, to: output, isForced: isForced, color)
  }
}
