import Foundation
import ScenarioComparison
package import ScenarioFormat
import ScenarioRun

/// An error of a scenario at its location, for reports that show errors beside the lines of a file.
package struct ScenarioAnnotation: Hashable, Sendable {
  /// The message, in one or several lines.
  package var message: String
  /// The file, as the user would type it.
  package var path: String
  /// The location in the file; nil if the error is about the whole file.
  package var region: Region?

  /// A range of lines and columns, both from 1.
  package struct Region: Hashable, Sendable {
    package var line: Int
    package var column: Int
    package var endLine: Int
    package var endColumn: Int
  }
}

extension ScenarioAnnotation {
  package init(_ message: String, at path: String) { self.init(message: message, path: path) }

  package init(_ message: String, at span: SourceSpan) {
    self.init(message, at: span.file.path)
    region = Region(
      line: span.start.line, column: span.start.column, endLine: span.end.line, endColumn: span.end.column)
  }

  package init(_ diagnostic: AuthorDiagnostic) {
    let lines =
      [diagnostic.message, diagnostic.expected.map { "expected: \($0)" }]
      + diagnostic.notes.map { "line \($0.span.start.line): \($0.text)" }
      + [diagnostic.advice.map { "help: \($0)" }]
    let text = lines.compactMap(\.self).joined(separator: "\n")
    if let span = diagnostic.span { self.init(text, at: span) } else { self.init(text, at: diagnostic.path) }
  }

  /// The first line of the message, with the expected and the actual value, for reports that show one line.
  package var summary: String {
    let lines = message.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
    func value(_ name: String) -> String? {
      lines.dropFirst().prefix(2).first { $0.hasPrefix(name + ":") }
        .map { "\(name) \($0.dropFirst(name.count + 1).drop(while: \.isWhitespace))" }
    }
    let values = [value("expected"), value("actual")].compactMap(\.self).joined(separator: ", ")
    return ValueText.clipped(
      (lines.first.map(String.init) ?? "") + (values.isEmpty ? "" : ": " + values), to: 300)
  }
}

extension ScenarioVerdict {
  /// The errors of the scenario, in the order of the report. A scenario without a failure has none.
  package var annotations: [ScenarioAnnotation] {
    switch outcome {
    case .passed, .skipped, .expectedFailure: []
    case .new(let file, _): [ScenarioAnnotation("no golden file: \(file)", at: path)]
    case .invalid(let problems): problems.filter { $0.severity == .error }.map { ScenarioAnnotation($0) }
    case .broken(let breakage):
      [
        breakage.span.map { ScenarioAnnotation(breakage.message, at: $0) }
          ?? ScenarioAnnotation(breakage.message, at: path)
      ]
    case .unexpectedPass(let mark):
      [ScenarioAnnotation("the scenario passes, but is marked as an expected failure", at: mark.span)]
    case .failed(let failure): annotations(of: failure)
    }
  }

  private func annotations(of failure: ScenarioFailure) -> [ScenarioAnnotation] {
    // The number of shown annotations may be limited, so causes and the author's expectations come first. Differences
    // from the golden file mostly follow from them.
    let report = failure.report
    var annotations = (report.causes + report.others).flatMap(annotations)
    if let first = report.consequences.first {
      annotations.append(
        annotation(ScenarioRenderer.consequenceLines(report.consequences), at: first.span))
    }
    if failure.isGoldenFileOnly {
      var renderer = ScenarioRenderer()
      renderer.mentionsVerbose = false
      let text = renderer.text(of: failure.golden, file: failure.goldenFile)
      annotations.append(ScenarioAnnotation(Self.message(text, about: failure.goldenFile), at: path))
    }
    return annotations
  }

  /// Returns the text about a golden file with the first difference in its first line, which some reports show alone.
  private static func message(_ text: String, about file: String) -> String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.hasPrefix(file + "\n") else { return text }
    let lines = text.dropFirst(file.count + 1).split(separator: "\n", omittingEmptySubsequences: false)
    // The text is indented below the name of the file.
    return "\(file): " + lines.map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(separator: "\n")
  }

  private func annotations(of entry: ScenarioFailure.Entry) -> [ScenarioAnnotation] {
    switch entry {
    case .finding(let finding): [ScenarioAnnotation(finding)]
    case .diagnostics(let found):
      [
        annotation(
          [DisplayText.oneLine(entry.headline)] + ScenarioRenderer.remarks(of: found), at: found.span)
      ]
    case .remark(let remark): [annotation([DisplayText.oneLine(entry.headline)], at: remark.span)]
    case .differences(let group) where group.isFolded:
      [
        annotation(
          [DifferenceRenderer.headline(of: group)] + DifferenceRenderer.remarks(of: group),
          at: entry.span)
      ]
    case .differences(let group):
      group.first.map { difference in
        annotation(
          [DifferenceRenderer.headline(of: difference)] + DifferenceRenderer.remarks(of: difference),
          at: difference.location.span)
      }
    }
  }

  /// Returns an annotation in the file of a span; for the whole scenario without one.
  private func annotation(_ lines: [String], at span: SourceSpan?) -> ScenarioAnnotation {
    let text = lines.joined(separator: "\n")
    return span.map { ScenarioAnnotation(text, at: $0) } ?? ScenarioAnnotation(text, at: path)
  }
}
