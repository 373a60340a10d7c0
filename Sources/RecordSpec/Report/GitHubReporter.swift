internal import Foundation

/// A reporter that writes annotations, which GitHub shows beside the changed lines, and a summary of the step.
///
/// GitHub shows ten annotations of a kind for each step and drops the others silently. The tenth states how many others
/// there are.
package struct GitHubReporter: RunReporter {
  private let output: (String) -> Void
  private let appendToSummary: (String) -> Void
  private var told = ToldProblems()
  private var count = 0
  private var summary = ""

  private static let shownAnnotations = 9
  /// The maximum size of the summary in bytes. GitHub rejects a summary of more than 1 MiB.
  private static let summaryBytes = 1_000_000

  /// Creates a reporter.
  ///
  /// - Parameter appendToSummary: a function that appends text to the file that `GITHUB_STEP_SUMMARY` names.
  package init(output: @escaping (String) -> Void, appendToSummary: @escaping (String) -> Void) {
    self.output = output
    self.appendToSummary = appendToSummary
  }

  package mutating func report(_ event: RunEvent) {
    switch event {
    case .planned, .progressed: break
    case .problem(let problem): annotate(problem, title: nil)
    case .ended(let result): annotate(told.taking(result).result)
    case .runEnded(let total):
      for file in total.obsolete { annotate("this golden file has no scenario", file: file) }
      if count > Self.shownAnnotations {
        output("::error title=recordspec::and \(count - Self.shownAnnotations) more, see the summary\n")
      }
      let rest = "\n\(total.text)\n"
      if summary.utf8.count + rest.utf8.count > Self.summaryBytes {
        summary = String(summary.prefix(Self.summaryBytes / 4)) + "\n…\n"
      }
      appendToSummary("### recordspec\n\n" + summary + rest)
    }
  }

  private mutating func annotate(_ result: ScenarioResult) {
    let title = result.title ?? result.name
    switch result.outcome {
    case .passed, .skipped, .expectedFailure: break
    case .new(let file):
      annotate("no golden file: \(file)", file: result.path, title: title)
    case .invalid(let problems): for problem in problems { annotate(problem, title: title) }
    case .broken(let breakage): annotate(breakage.message, file: result.path, title: title)
    case .unexpectedPass(let mark):
      annotate(
        "the scenario passes, but is marked as an expected failure", file: result.path, span: mark.span,
        title: title)
    case .failed(let failure):
      for finding in failure.causes { annotate(finding, title: title) }
      for difference in failure.expectations.first {
        let text =
          ([DifferenceRenderer.headline(of: difference)] + DifferenceRenderer.remarks(of: difference))
        if case .expectation(let span) = difference.location {
          annotate(text.joined(separator: "\n"), file: span.file.path, span: span, title: title)
        } else {
          annotate(text.joined(separator: "\n"), file: result.path, title: title)
        }
      }
      for finding in failure.consequences { annotate(finding, title: title) }
      // The number of annotations is limited, so the author's expectations come first. Differences from the golden file
      // mostly follow from them.
      guard failure.isGoldenFileOnly else { return }
      let golden = ScenarioRenderer().text(of: failure.golden, file: failure.goldenFile)
      annotate(golden.trimmingCharacters(in: .whitespacesAndNewlines), file: result.path, title: title)
    }
  }

  private mutating func annotate(_ diagnostic: AuthorDiagnostic, title: String?) {
    guard diagnostic.severity == .error else { return }
    let text = [
      diagnostic.message, diagnostic.expected.map { "expected: \($0)" },
      diagnostic.advice.map { "help: \($0)" },
    ]
    annotate(
      text.compactMap(\.self).joined(separator: "\n"), file: diagnostic.path, span: diagnostic.span,
      title: title)
  }

  private mutating func annotate(
    _ message: String, file: String, span: SourceSpan? = nil, title: String? = nil
  ) {
    count += 1
    let line = span.map { ":\($0.start.line)" } ?? ""
    if summary.utf8.count <= Self.summaryBytes {
      summary +=
        "- `\(file)\(line)`\n\n" + message.split(separator: "\n").map { "      \($0)\n" }.joined() + "\n"
    }
    guard count <= Self.shownAnnotations else { return }
    var properties = ["file=\(Self.property(file))", "line=\(span?.start.line ?? 1)"]
    if let span {
      properties.append("endLine=\(span.end.line)")
      properties.append("col=\(span.start.column)")
      properties.append("endColumn=\(span.end.column)")
    }
    if let title { properties.append("title=\(Self.property(title))") }
    output("::error \(properties.joined(separator: ","))::\(Self.data(message))\n")
  }

  private static func data(_ text: String) -> String { escaped(text, "%\r\n") }

  private static func property(_ text: String) -> String { escaped(text, "%\r\n:,") }

  /// Percent-encodes special characters. It uses scalars, because a carriage return and a line feed are one character
  /// in Swift.
  private static func escaped(_ text: String, _ special: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if special.unicodeScalars.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "%" + (digits.count < 2 ? "0" : "") + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
