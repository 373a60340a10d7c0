@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

/// Conditions that all diagnostics about files satisfy.
enum DiagnosticsOracle {
  /// Checks diagnostics.
  ///
  /// - Parameter sizes: the number of bytes of each file that diagnostics may refer to, by its path.
  static func check(_ diagnostics: [AuthorDiagnostic], sizes: [String: Int]) {
    for diagnostic in diagnostics {
      expect(!diagnostic.message.isEmpty, "nothing is said")
      expect(
        sizes[diagnostic.path] != nil, "\(diagnostic.message): in '\(diagnostic.path)', which was not read")
      for span in [diagnostic.span].compactMap(\.self) + diagnostic.notes.map(\.span) {
        let size = sizes[span.file.path] ?? 0
        expect(
          0 <= span.start.offset && span.start.offset <= span.end.offset && span.end.offset <= size,
          "\(diagnostic.message): \(span.start.offset) to \(span.end.offset) of \(size) bytes")
      }
    }
    check(shown: DiagnosticRenderer().text(of: diagnostics))
  }

  static func check(_ differences: Differences) { check(shown: DifferenceRenderer().text(of: differences)) }

  /// Checks that a text contains no characters that garble a terminal.
  static func check(shown text: String) {
    for line in text.split(separator: "\n") {
      expect(
        !DisplayText.hasControlCharacters(String(line)),
        "a control character is shown: \(line.debugDescription)")
    }
  }
}
