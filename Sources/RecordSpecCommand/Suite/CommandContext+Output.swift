import ScenarioFormat
import ScenarioReport

/// Writing the output of a command to files.
extension CommandContext {
  /// Writes a text to a file, or to standard output if there is none. An existing file is replaced.
  func write(_ text: String, to file: String?) throws(Refusal) {
    guard let file else { return output(text) }
    try attempt { () throws(FileProblem) in try FileBytes.write(Array(text.utf8), to: file) }
  }

  /// Writes a text to a file and reports it, or to standard output if there is no file. A file with other contents is
  /// replaced only if the user asks for it.
  func write(_ text: String, to file: String?, replacing: Bool) throws(Refusal) {
    guard let file else { return output(text) }
    let bytes = Array(text.utf8)
    let isLink = FileAccess.isLink(file)
    let existing = try attempt { () throws(FileProblem) in isLink ? nil : try FileBytes.read(file) }
    if existing == bytes { return output("unchanged: \(file)\n") }
    if existing != nil || isLink, !replacing {
      let problem = AuthorDiagnostic(
        .existingFile, at: .file(file), "the file exists", advice: "add '--force' to replace it")
      throw refuse([problem], .usage)
    }
    try write(text, to: file)
    output("wrote \(file)\n")
  }

  /// Refuses new files that cannot be written.
  func check(_ files: NewFiles, replacing: Bool) throws(Refusal) {
    let problems = files.problems(replacing: replacing)
    guard !problems.isEmpty else { return }
    for problem in problems { report("error: \(problem.message)\n") }
    let canReplace = problems.allSatisfy(\.isExistingFile)
    throw refuse(
      canReplace ? .usage : .broken,
      "no file was written" + (canReplace ? "; '--force' replaces existing files" : ""))
  }

  /// Writes all of the files or none.
  func write(_ files: NewFiles) throws(Refusal) {
    try attempt("no file was written: ") { () throws(FileProblem) in try files.write() }
  }
}
