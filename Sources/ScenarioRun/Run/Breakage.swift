package import ScenarioFormat

/// The reason why the result of a scenario is unknown although its file is valid.
package struct Breakage: Error, Hashable, Sendable {
  package var message: String
  /// The advice for the user.
  package var advice: String
  /// The step during which it happened; nil if it is about the whole scenario.
  package var span: SourceSpan?

  package init(_ message: String, advice: String = "this is a bug in recordspec") {
    self.message = message
    self.advice = advice
  }

  /// Creates a breakage for a defect of the engine or the harness, or for a problem with the temporary folder.
  package init(_ error: any Error) {
    self.init("\(error)")
    if error is TemporaryFolderProblem {
      advice = "free some disk space, or set TMPDIR to a writable folder"
    }
  }
}

/// An error that indicates that the folder for the temporary files of scenarios cannot be used.
package struct TemporaryFolderProblem: Error, CustomStringConvertible {
  package let path: String
  /// The reason with the system's message: `cannot be written: No space left on device`.
  package let reason: String

  package var description: String { "the temporary folder '\(path)' \(reason)" }
}

/// Breakages are equal if they say the same, wherever they happened.
extension Breakage {
  package static func == (left: Breakage, right: Breakage) -> Bool {
    (left.message, left.advice) == (right.message, right.advice)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(message)
    hasher.combine(advice)
  }
}
