import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// Writing the output of a command to files.
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

  /// Reports why new files cannot be written, and returns the exit status; nil if they can be written.
  func refusal(of files: NewFiles, replacing: Bool) -> ExitStatus? {
    let problems = files.problems(replacing: replacing)
    guard !problems.isEmpty else { return nil }
    for problem in problems { report("error: \(problem.message)\n") }
    let canReplace = problems.allSatisfy(\.isExistingFile)
    report("error: no file was written" + (canReplace ? "; '--force' replaces existing files" : "") + "\n")
    return canReplace ? .usage : .broken
  }

  /// Writes all of the files or none. If that fails, reports the reason and returns the exit status.
  func write(_ files: NewFiles) -> ExitStatus? {
    do throws(FileProblem) { try files.write() } catch {
      report("error: no file was written: \(error.message)\n")
      return .broken
    }
    return nil
  }
}
