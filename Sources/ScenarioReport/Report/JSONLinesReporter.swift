import JSONTree

/// A reporter that writes a JSON object on each line: the run, each scenario and problem, and the counts at the end. A report
/// without its last line is thus known to be incomplete. The details of a scenario are a line of their own, after its result. A text
/// that several scenarios share is in the first of these lines.
package struct JSONLinesReporter: RunReporter {
  private let output: (String) -> Void
  private let includesDetails: Bool
  private var written = WrittenTexts()

  /// The version of the format. A report of another version is not read.
  package static let formatVersion = 2

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - includesDetails: a Boolean value that indicates whether the report has the details of scenarios.
  ///   - output: a function that takes one line with its line break.
  package init(includesDetails: Bool = false, output: @escaping (String) -> Void) {
    self.includesDetails = includesDetails
    self.output = output
  }

  package mutating func report(_ event: RunEvent) {
    var event = event
    if case .detailed(let details) = event {
      guard includesDetails else { return }
      // The shards of a run keep the order of the plan, so that the first use of a text remains the first after merging.
      event = .detailed(written.taking(details))
    }
    if let form = event.form { output(form.compactText() + "\n") }
  }
}
