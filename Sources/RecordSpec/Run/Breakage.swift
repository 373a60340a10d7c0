/// Why nothing is known of a scenario, though its file is in order.
package struct Breakage: Hashable, Sendable {
  package var message: String
  /// What is to be done, or by whom.
  package var advice: String

  package init(_ message: String, advice: String = "this is a mistake of recordspec itself") {
    self.message = message
    self.advice = advice
  }

  /// A mistake of the engine or the harness, unless the temporary folder is to blame.
  package init(_ error: any Error) {
    self.init("\(error)")
    if error is TemporaryFolderProblem {
      advice = "make room there, or set TMPDIR to a folder that exists and has room"
    }
  }
}

/// The folder in which scenarios keep their files for as long as they run cannot take them.
package struct TemporaryFolderProblem: Error, CustomStringConvertible {
  let path: String
  /// `cannot be written: No space left on device`, in the system's words.
  let reason: String

  package var description: String { "the temporary folder '\(path)' \(reason)" }
}
