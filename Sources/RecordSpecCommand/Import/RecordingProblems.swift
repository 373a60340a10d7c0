import JSONTree
import ScenarioFormat

/// The problems of a recording, at most 20 of them.
final class RecordingProblems {
  let file: SourceFile
  /// A Boolean value that indicates whether ranges are those of the user's file. They are not after a conversion.
  private let hasLocations: Bool
  private var found: [AuthorDiagnostic] = []
  private var omitted = 0
  private static let limit = 20

  init(_ file: SourceFile, hasLocations: Bool = true) {
    (self.file, self.hasLocations) = (file, hasLocations)
  }

  /// Creates the problems of another reader of the same file.
  convenience init(_ other: RecordingProblems) { self.init(other.file, hasLocations: other.hasLocations) }

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
      AuthorDiagnostic(
        code, at: hasLocations ? .span(file.span(range)) : .file(file.path), message, expected: expected,
        advice: advice))
  }

  /// Adds the errors of a parser.
  func add(_ diagnostics: [AuthorDiagnostic]) {
    let room = max(0, Self.limit - found.count)
    found += diagnostics.prefix(room)
    omitted += max(0, diagnostics.count - room)
  }

  /// Adds the problems of another reader of the same file.
  func add(_ others: RecordingProblems) {
    let room = Self.limit - found.count
    found += others.found.prefix(room)
    omitted += max(0, others.found.count - room) + others.omitted
  }
}
