import OrderedCollections
import RecordModel
import ScenarioFormat

/// A reporter that writes JUnit XML, which most CI systems read: a test suite for each folder, and a test case for each
/// scenario. The file is written at the end of the run, because it begins with the counts.
package struct JUnitReporter: RunReporter {
  private let output: (String) -> Void
  /// The test suites, by the folders of their scenarios.
  private var suites: OrderedDictionary<String, Suite> = [:]
  private var problems: [ReportedProblem] = []
  private var told = ToldProblems()

  /// The test cases of a folder.
  private struct Suite {
    var cases = ""
    var counts = Counts()
  }

  private struct Counts {
    var (tests, failures, errors, skipped) = (0, 0, 0, 0)
    var duration = Duration.zero

    static func += (left: inout Counts, right: Counts) {
      left.tests += right.tests
      left.failures += right.failures
      left.errors += right.errors
      left.skipped += right.skipped
      left.duration += right.duration
    }

    /// The attributes of a test suite.
    var attributes: String { totals + #" skipped="\#(skipped)""# }

    /// The attributes of all test suites together. The schema of Jenkins has no `skipped` there.
    var totals: String {
      #"tests="\#(tests)" failures="\#(failures)" errors="\#(errors)" time="\#(duration.decimalText)""#
    }
  }

  /// Creates a reporter.
  ///
  /// - Parameter output: a function that takes the text of the file.
  package init(output: @escaping (String) -> Void) { self.output = output }

  package mutating func report(_ event: RunEvent) {
    switch event {
    case .planned, .started, .progressed, .detailed: break
    case .ended(let scenario): add(told.taking(scenario))
    case .problem(let problem): problems.append(problem)
    case .runEnded(let summary): output(text(of: summary))
    }
  }

  private mutating func add(_ scenario: ReportedScenario) {
    var counts = Counts()
    counts.tests = 1
    counts.duration = scenario.duration
    var content = ""
    switch scenario.outcome {
    case .passed: break
    case .expectedFailure:
      content =
        "      <system-out>\(XMLText.escaped("expected failure: \(scenario.reason ?? "")"))</system-out>\n"
    case .skipped:
      counts.skipped = 1
      content = "      <skipped message=\"\(XMLText.escaped(scenario.reason ?? "", isAttribute: true))\"/>\n"
    case .failed, .new, .unexpectedPass:
      counts.failures = 1
      content = Self.element("failure", of: scenario)
    case .invalid, .broken:
      counts.errors = 1
      content = Self.element("error", of: scenario)
    }
    let folder = FilePath.folder(of: scenario.name)
    let line =
      scenario.annotations.lazy.compactMap { $0.path == scenario.path ? $0.region?.line : nil }.first ?? 1
    // The title is not part of the name, by which CI systems recognize a test case.
    let attributes = [
      ("name", scenario.path),
      ("classname", folder.isEmpty ? Self.root : folder.replacing("/", with: ".")),
      ("file", scenario.path), ("line", String(line)), ("time", scenario.duration.decimalText),
    ]
    add(attributes, content, counts, toSuite: folder)
  }

  /// The name of the suite for scenarios that are in no folder.
  private static let root = "scenarios"

  private mutating func add(
    _ attributes: [(name: String, value: String)], _ content: String, _ counts: Counts, toSuite folder: String
  ) {
    let start =
      "    <testcase"
      + attributes.map { " \($0.name)=\"\(XMLText.escaped($0.value, isAttribute: true))\"" }.joined()
    suites[folder, default: Suite()].cases +=
      content.isEmpty ? start + "/>\n" : start + ">\n\(content)    </testcase>\n"
    suites[folder]?.counts += counts
  }

  private static func element(_ name: String, of scenario: ReportedScenario) -> String {
    element(
      name, message: scenario.annotations.first?.summary ?? "", type: scenario.outcome.rawValue,
      text: DisplayText.uncolored(scenario.explanation))
  }

  private static func element(_ name: String, message: String, type: String, text: String) -> String {
    "      <\(name) message=\"\(XMLText.escaped(message, isAttribute: true))\" type=\"\(type)\">\(XMLText.escaped(text))</\(name)>\n"
  }

  /// Adds an error that belongs to no scenario.
  private mutating func addError(
    named name: String, at annotation: ScenarioAnnotation?, _ message: String, type: String, text: String
  ) {
    var counts = Counts()
    (counts.tests, counts.errors) = (1, 1)
    var attributes = [("name", name), ("classname", "recordspec")]
    if let annotation {
      attributes += [("file", annotation.path), ("line", String(annotation.region?.line ?? 1))]
    }
    add(
      attributes + [("time", "0.000")],
      Self.element("error", message: message, type: type, text: text), counts, toSuite: "recordspec")
  }

  /// Returns the text of the file. Errors that belong to no scenario are test cases, too. Unfinished scenarios are one test
  /// case together.
  private mutating func text(of summary: RunSummary) -> String {
    for problem in problems {
      let message = problem.annotation.message
      addError(
        named: "\(problem.annotation.path): \(message.prefix { $0 != "\n" })", at: problem.annotation,
        message, type: "problem", text: DisplayText.uncolored(problem.text))
    }
    for file in summary.isCI ? summary.obsolete : [] {
      let message = "this golden file has no scenario"
      addError(
        named: "\(file): \(message)", at: ScenarioAnnotation(message, at: file), message, type: "obsolete",
        text: message)
    }
    if summary.unfinished > 0 {
      let message = "\(counted(summary.unfinished, "scenario")) not finished"
      addError(named: message, at: nil, message, type: "unfinished", text: message)
    }
    let total = suites.values.reduce(into: Counts()) { $0 += $1.counts }
    let body = suites.map { folder, suite in
      let name = XMLText.escaped(folder.isEmpty ? Self.root : folder, isAttribute: true)
      return "  <testsuite name=\"\(name)\" \(suite.counts.attributes)>\n\(suite.cases)  </testsuite>\n"
    }
    return
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"recordspec\" \(total.totals)>\n"
      + body.joined() + "</testsuites>\n"
  }
}
