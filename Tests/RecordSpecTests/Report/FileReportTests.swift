import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Tests for the reports that other programs read.
struct FileReportTests {
  private static let failed = scenario(
    "a/fails", .failed, failureText: "  \u{1B}[1mbold\u{1B}[0m <&>\n",
    annotation: ScenarioAnnotation(
      message: "a \"b\" <c>\nexpected: 1", path: "Scenarios/a/fails.yaml",
      region: .init(line: 3, column: 5, endLine: 3, endColumn: 9)))
  private static let all = [
    scenario("a/passes", .passed), failed, scenario("b/skips", .skipped, reason: "not #yet"),
    scenario("known", .expectedFailure, reason: "issue | 7"),
    scenario("breaks", .broken, annotation: ScenarioAnnotation("out of `luck`", at: "Scenarios/breaks.yaml")),
  ]

  private static func scenario(
    _ name: String, _ outcome: ScenarioOutcome.Kind, reason: String? = nil, failureText: String = "",
    annotation: ScenarioAnnotation? = nil
  ) -> ReportedScenario {
    var scenario = ReportedScenario(
      name: name, path: "Scenarios/\(name).yaml", title: "T: \(name)", outcome: outcome, headline: name)
    scenario.duration = .milliseconds(1500)
    (scenario.reason, scenario.failureText) = (reason, failureText)
    scenario.otherAnnotations = [annotation].compactMap(\.self)
    return scenario
  }

  private static func text(
    _ make: (@escaping (String) -> Void) -> any RunReporter, of scenarios: [ReportedScenario] = all,
    problems: [ReportedProblem] = [], change: (inout RunSummary) -> Void = { _ in }
  ) -> String {
    var text = ""
    var reporter = make { text += $0 }
    var summary = RunSummary()
    reporter.report(.planned(PlannedRun(count: scenarios.count)))
    for problem in problems { reporter.report(.problem(problem)) }
    for scenario in scenarios {
      summary.count(scenario)
      reporter.report(.ended(scenario))
    }
    summary.problems = problems.count
    change(&summary)
    reporter.report(.runEnded(summary))
    return text
  }

  // MARK: JUnit

  @Test func eachFolderIsATestSuite() {
    #expect(
      Self.text(JUnitReporter.init) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="recordspec" tests="5" failures="1" errors="1" time="7.500">
          <testsuite name="a" tests="2" failures="1" errors="0" time="3.000" skipped="0">
            <testcase name="Scenarios/a/passes.yaml" classname="a" file="Scenarios/a/passes.yaml" line="1" time="1.500"/>
            <testcase name="Scenarios/a/fails.yaml" classname="a" file="Scenarios/a/fails.yaml" line="3" time="1.500">
              <failure message="a &quot;b&quot; &lt;c&gt;: expected 1" type="failed">  bold &lt;&amp;&gt;
        </failure>
            </testcase>
          </testsuite>
          <testsuite name="b" tests="1" failures="0" errors="0" time="1.500" skipped="1">
            <testcase name="Scenarios/b/skips.yaml" classname="b" file="Scenarios/b/skips.yaml" line="1" time="1.500">
              <skipped message="not #yet"/>
            </testcase>
          </testsuite>
          <testsuite name="scenarios" tests="2" failures="0" errors="1" time="3.000" skipped="0">
            <testcase name="Scenarios/known.yaml" classname="scenarios" file="Scenarios/known.yaml" line="1" time="1.500">
              <system-out>expected failure: issue | 7</system-out>
            </testcase>
            <testcase name="Scenarios/breaks.yaml" classname="scenarios" file="Scenarios/breaks.yaml" line="1" time="1.500">
              <error message="out of `luck`" type="broken"></error>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  /// The message of a test case states the cause with its entity and numbers, which many CI systems show alone.
  @Test(arguments: [
    (
      "the number of records differs\nexpected: 5 records of Post\nactual:   3: [Post/1]",
      "the number of records differs: expected 5 records of Post, actual 3: [Post/1]"
    ),
    (
      "Golden/a.json: Post/1: 'text' has a different value\n  expected: string \"a\"\n  actual:   nothing",
      "Golden/a.json: Post/1: 'text' has a different value: expected string \"a\", actual nothing"
    ),
    (
      "'text' has a different value in all 3 Post records\n  Post/1: expected string \"a\", actual nothing",
      "'text' has a different value in all 3 Post records"
    ),
    ("this response was never requested\nhelp: remove it", "this response was never requested"),
    ("", ""),
  ])
  func oneLineStatesTheCause(message: String, summary: String) {
    #expect(ScenarioAnnotation(message, at: "Scenarios/a.yaml").summary == summary)
  }

  /// A foreign parser reads the same counts as those of the run, for any text.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func anyTextIsValidXML(seed: UInt64) throws {
    var random = RandomReport(seed: seed)
    let scenarios = (0..<5).map { _ in random.scenario() }
    let problem = random.problem(.error)
    let text = Self.text(JUnitReporter.init, of: scenarios, problems: [problem]) {
      $0.isCI = true
      $0.obsolete = ["Golden/\u{1B}gone.json"]
    }
    let counts = try CountingParser.counts(in: text)
    let failures = scenarios.count { [.failed, .new, .unexpectedPass].contains($0.outcome) }
    let errors = scenarios.count { [.invalid, .broken].contains($0.outcome) }
    #expect(counts.elements["testcase"] == 7)
    #expect(counts.elements["failure", default: 0] == failures)
    #expect(counts.elements["error", default: 0] == errors + 2)
    #expect(counts.totals == ["tests": "7", "failures": "\(failures)", "errors": "\(errors + 2)"])
  }

  /// Counts the elements of a document.
  private final class CountingParser: NSObject, XMLParserDelegate {
    private(set) var elements: [String: Int] = [:]
    private(set) var totals: [String: String] = [:]

    static func counts(in text: String) throws -> CountingParser {
      let counts = CountingParser()
      let parser = XMLParser(data: Data(text.utf8))
      parser.delegate = counts
      #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "") \(text)")
      return counts
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      elements[name, default: 0] += 1
      guard name == "testsuites" else { return }
      totals = attributes.filter { ["tests", "failures", "errors"].contains($0.key) }
    }
  }

  // MARK: TAP

  @Test func eachScenarioIsATestPoint() {
    #expect(
      Self.text(TAPReporter.init) == ##"""
        TAP version 14
        ok 1 - a/passes: T: a/passes
        not ok 2 - a/fails: T: a/fails
          ---
          message: "a \"b\" <c>\nexpected: 1"
          severity: fail
          outcome: failed
          at:
            file: "Scenarios/a/fails.yaml"
            line: 3
            column: 5
          ...
        ok 3 - b/skips: T: b/skips # SKIP not \#yet
        not ok 4 - known: T: known # TODO issue | 7
        not ok 5 - breaks: T: breaks
          ---
          message: "out of `luck`"
          severity: fail
          outcome: broken
          at:
            file: "Scenarios/breaks.yaml"
          ...
        1..5

        """##)
  }

  @Test func aRunThatEndsEarlySaysSo() {
    let interrupted = Self.text(TAPReporter.init, of: []) { $0.unfinished = 3 }
    #expect(interrupted == "TAP version 14\n1..0\nBail out! 3 scenarios not finished\n")
    let stopped = Self.text(TAPReporter.init, of: []) { $0.notRun = 1 }
    #expect(stopped.hasSuffix("1..0\n# 1 scenario not run after the maximum number of failures\n"))
  }

  // MARK: Markdown

  @Test func failuresCanBeUnfolded() {
    #expect(
      Self.text({ MarkdownReporter(output: $0) }) == """
        ## RecordSpec

        1 broken, 1 expected failure: 2 passed, 2 failed, 1 skipped

        | outcome | scenario | reason |
        |---|---|---|
        | failed | `a/fails` | a "b" \\<c\\>: expected 1 |
        | skipped | `b/skips` | not \\#yet |
        | expected-failure | `known` | issue \\| 7 |
        | broken | `breaks` | out of \\`luck\\` |

        <details><summary>a/fails: T: a/fails</summary>

        ```text
          bold <&>
        ```

        </details>

        <details><summary>breaks: T: breaks</summary>

        ```text
        ```

        </details>

        """)
  }
}
