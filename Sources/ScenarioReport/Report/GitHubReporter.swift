package import ScenarioFormat

/// A reporter that writes annotations, which GitHub shows beside the changed lines, and a Markdown report as the summary of
/// the step.
///
/// GitHub shows ten annotations of a kind for each step and drops the others silently. The tenth states how many others
/// there are.
package struct GitHubReporter: RunReporter {
  private let output: (String) -> Void
  private let located: (String) -> String
  private var summary: MarkdownReporter
  private var told = ToldProblems()
  private var count = 0

  private static let shownAnnotations = 9
  /// The maximum size of the summary in bytes. GitHub rejects a summary of more than 1 MiB.
  private static let summaryBytes = 1_000_000

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - located: a function that returns the path of a file in the repository, to which annotations belong.
  ///   - usedSummaryBytes: the size of the summary to which earlier commands of the step have written.
  ///   - appendToSummary: a function that appends text to the file that `GITHUB_STEP_SUMMARY` names.
  package init(
    output: @escaping (String) -> Void, located: @escaping (String) -> String = { $0 },
    usedSummaryBytes: Int = 0, appendToSummary: @escaping (String) -> Void
  ) {
    self.output = output
    self.located = located
    summary = MarkdownReporter(
      maximumBytes: max(0, Self.summaryBytes - usedSummaryBytes), output: appendToSummary)
  }

  /// Returns the annotations of errors, one on each line.
  package static func annotations(of errors: [AuthorDiagnostic], located: @escaping (String) -> String)
    -> String
  {
    var text = ""
    var reporter = GitHubReporter(output: { text += $0 }, located: located, appendToSummary: { _ in })
    for error in errors where error.severity == .error { reporter.annotate(ScenarioAnnotation(error)) }
    reporter.tellOmitted("see the log")
    return text
  }

  package mutating func report(_ event: RunEvent) {
    summary.report(event)
    switch event {
    case .planned, .started, .progressed, .detailed: break
    case .problem(let problem): if problem.severity == .error { annotate(problem.annotation) }
    case .ended(let scenario):
      for annotation in told.taking(scenario).annotations {
        annotate(annotation, title: scenario.title ?? scenario.name)
      }
    case .runEnded(let total):
      for file in total.obsolete {
        annotate(ScenarioAnnotation("this golden file has no scenario", at: file))
      }
      tellOmitted("see the summary")
    }
  }

  private func tellOmitted(_ advice: String) {
    guard count > Self.shownAnnotations else { return }
    output("::error title=recordspec::and \(count - Self.shownAnnotations) more, \(advice)\n")
  }

  private mutating func annotate(_ annotation: ScenarioAnnotation, title: String? = nil) {
    count += 1
    let (message, region) = (annotation.message, annotation.region)
    guard count <= Self.shownAnnotations else { return }
    var properties = ["file=\(Self.property(located(annotation.path)))", "line=\(region?.line ?? 1)"]
    if let region {
      properties.append("endLine=\(region.endLine)")
      properties.append("col=\(region.column)")
      properties.append("endColumn=\(region.endColumn)")
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
