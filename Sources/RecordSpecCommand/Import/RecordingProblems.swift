import JSONTree
import ScenarioFormat

/// The problems of a recording, at most 20 of them.
final class RecordingProblems {
  let file: SourceFile
  private var found: [AuthorDiagnostic] = []
  private var omitted = 0
  private static let limit = 20

  init(_ file: SourceFile) { self.file = file }

  var isEmpty: Bool { found.isEmpty }

  /// The problems, and a last one that counts the others.
  var diagnostics: [AuthorDiagnostic] {
    guard omitted > 0 else { return found }
    return found + [
      AuthorDiagnostic(
        .invalidRecording, at: .file(file.path), "and \(omitted) more errors in this recording")
    ]
  }

  func report(
    _ code: AuthorDiagnostic.Code = .invalidRecording, at range: Range<Int>, _ message: String,
    expected: String? = nil, advice: String? = nil
  ) {
    guard found.count < Self.limit else {
      omitted += 1
      return
    }
    found.append(
      AuthorDiagnostic(code, at: file.span(range), message, expected: expected, advice: advice))
  }

  /// Adds the problems of another reader of the same file.
  func add(_ others: RecordingProblems) {
    let room = Self.limit - found.count
    found += others.found.prefix(room)
    omitted += max(0, others.found.count - room) + others.omitted
  }
}
