internal import JSONTree

/// A reporter that writes a JSON object on each line: the run, each scenario and problem, and the counts at the end. A report
/// without its last line is thus known to be incomplete.
package struct JSONLinesReporter: RunReporter {
  private let output: (String) -> Void

  /// The version of the format. A report of another version is not read.
  package static let formatVersion = 1

  /// Creates a reporter.
  ///
  /// - Parameter output: a function that takes one line with its line break.
  package init(output: @escaping (String) -> Void) { self.output = output }

  package mutating func report(_ event: RunEvent) {
    guard let line = ReportLine(event) else { return }
    output(line.form.compactText() + "\n")
  }
}
