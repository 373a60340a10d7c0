internal import Foundation

/// An error of a scenario at its location, for reports that show errors beside the lines of a file.
package struct ScenarioAnnotation: Sendable {
  /// The message, in one or several lines.
  package var message: String
  /// The file, as the user would type it.
  package var path: String
  /// The location in the file; nil if the error is about the whole file.
  package var span: SourceSpan?

  package init(_ message: String, at path: String, _ span: SourceSpan? = nil) {
    self.message = message
    self.path = path
    self.span = span
  }

  package init(_ diagnostic: AuthorDiagnostic) {
    let lines = [
      diagnostic.message, diagnostic.expected.map { "expected: \($0)" },
      diagnostic.advice.map { "help: \($0)" },
    ]
    self.init(lines.compactMap(\.self).joined(separator: "\n"), at: diagnostic.path, diagnostic.span)
  }
}

extension ScenarioResult {
  /// The errors of the scenario, in the order of the report. A scenario without a failure has none.
  package var annotations: [ScenarioAnnotation] {
    switch outcome {
    case .passed, .skipped, .expectedFailure: []
    case .new(let file): [ScenarioAnnotation("no golden file: \(file)", at: path)]
    case .invalid(let problems): problems.filter { $0.severity == .error }.map { ScenarioAnnotation($0) }
    case .broken(let breakage): [ScenarioAnnotation(breakage.message, at: path)]
    case .unexpectedPass(let mark):
      [
        ScenarioAnnotation(
          "the scenario passes, but is marked as an expected failure", at: path, mark.span)
      ]
    case .failed(let failure): annotations(of: failure)
    }
  }

  private func annotations(of failure: ScenarioFailure) -> [ScenarioAnnotation] {
    // The number of shown annotations may be limited, so the author's expectations come first. Differences from the
    // golden file mostly follow from them.
    guard !failure.isGoldenFileOnly else {
      let text = ScenarioRenderer().text(of: failure.golden, file: failure.goldenFile)
      return [ScenarioAnnotation(text.trimmingCharacters(in: .whitespacesAndNewlines), at: path)]
    }
    let differences = failure.expectations.first.map { difference in
      let lines = [DifferenceRenderer.headline(of: difference)] + DifferenceRenderer.remarks(of: difference)
      let text = lines.joined(separator: "\n")
      guard case .expectation(let span) = difference.location else {
        return ScenarioAnnotation(text, at: path)
      }
      return ScenarioAnnotation(text, at: span.file.path, span)
    }
    return failure.causes.map { ScenarioAnnotation($0) } + differences
      + failure.consequences.map { ScenarioAnnotation($0) }
  }
}
