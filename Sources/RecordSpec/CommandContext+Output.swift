/// Writing the output of a command to a file.
extension CommandContext {
  /// Writes a text to a file, and reports it. A file with other contents is replaced only if the user asks for it.
  func write(_ text: String, to output: String, isForced: Bool, _ color: ColorChoice) -> ExitStatus {
    do throws(FileProblem) {
      let bytes = Array(text.utf8)
      let isLink = FileAccess.isLink(output)
      let existing = isLink ? nil : try FileBytes.read(output)
      if existing == bytes {
        self.output("unchanged: \(output)\n")
        return .success
      }
      if existing != nil || isLink, !isForced {
        let problem = AuthorDiagnostic(
          .existingFile, at: .file(output), "the file exists", advice: "add '--force' to replace it")
        errors(DiagnosticRenderer(isColored: environment.isColored(color)).text(of: problem))
        return .usage
      }
      try FileBytes.write(bytes, to: output)
      self.output("wrote \(output)\n")
      return .success
    } catch {
      report("error: \(error.message)\n")
      return .broken
    }
  }
}
