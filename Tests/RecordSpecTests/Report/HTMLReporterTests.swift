import Foundation
import JSONTree
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the page of the HTML report.
struct HTMLReporterTests {
  private static let hostile = [
    "</script><script>alert(1)</script>", "<!--<script>", "]]>", "\u{0}\u{1}\u{7F}\u{9B}",
    "\u{2028}\u{2029}\u{FEFF}",
    "\u{202E}txet", "\\u003c/script>", "\"&'",
    String(decoding: [0xFF, 0x3C, 0xC3] as [UInt8], as: UTF8.self),
  ]

  private static func scenario(
    _ index: Int, _ text: String, _ outcome: ScenarioOutcome.Kind = .failed
  ) -> ReportedScenario {
    var scenario = ReportedScenario(
      name: text, path: text, title: text, outcome: outcome, headline: text)
    (scenario.index, scenario.reason, scenario.failureText) = (index, text, text)
    (scenario.tags, scenario.rules) = ([text], [text])
    let annotation = ScenarioAnnotation(text, at: text)
    scenario.errors = [ReportedProblem(severity: .error, annotation: annotation, text: text)]
    scenario.warnings = [ReportedProblem(severity: .warning, annotation: annotation, text: text)]
    scenario.otherAnnotations = [annotation]
    return scenario
  }

  private static func details(_ index: Int, _ text: String) -> ScenarioDetails {
    ScenarioDetails(index: index, texts: [SharedText(text)], form: [text: .string(text)])
  }

  /// Reports the events, and returns the text that each of them adds.
  private static func outputs(of events: [RunEvent]) -> [String] {
    var output = ""
    var reporter = HTMLReporter(version: "1.2.3", rules: Rule.pageForm()) { output += $0 }
    return events.map { event in
      output = ""
      reporter.report(event)
      return output
    }
  }

  /// Each text is an element of the page, and cannot end it or begin another.
  @Test func noTextCanEndAnElement() throws {
    var events: [RunEvent] = [.planned(PlannedRun(count: Self.hostile.count))]
    for (index, text) in Self.hostile.enumerated() {
      events += [.ended(Self.scenario(index, text)), .detailed(Self.details(index, text))]
      events.append(
        .problem(
          ReportedProblem(severity: .error, annotation: ScenarioAnnotation(text, at: text), text: text)))
    }
    events.append(.runEnded(RunSummary()))
    let page = Self.outputs(of: events).joined()
    let elements = try HTMLPageElements(page)
    // Besides the data, only the script of the page ends with a tag.
    #expect(page.components(separatedBy: "</script").count - 1 == elements.all.count + 1)
    #expect(page.hasSuffix("</body>\n</html>\n"))
    #expect(elements["scenario"].map { $0["name"] } == Self.hostile.map { .string($0) })
    #expect(elements["scenario"].map { $0["reason"] } == Self.hostile.map { .string($0) })
    #expect(elements["details"] == Self.hostile.map { [$0: .string($0)] })
    #expect(elements["text"] == Self.hostile.map { .string($0) })
    #expect(elements["problem"].map { $0["message"] } == Self.hostile.map { .string($0) })
  }

  /// The results that were written are not kept, so that memory does not grow with their number.
  @Test func resultsAreWrittenAsTheyArrive() throws {
    var events: [RunEvent] = [.planned(PlannedRun(count: 100))]
    for index in 0..<100 {
      events += [.ended(Self.scenario(index, "s\(index)")), .detailed(Self.details(index, "shared text"))]
    }
    let outputs = Self.outputs(of: events)
    for (index, output) in outputs.dropFirst().enumerated() {
      let elements = try HTMLPageElements(output)
      if index.isMultiple(of: 2) {
        #expect(elements.all.map(\.kind) == ["scenario"])
        #expect(elements["scenario"].first?["name"] == .string("s\(index / 2)"))
      } else {
        // A shared text is written once, before its first use.
        #expect(elements.all.map(\.kind) == (index == 1 ? ["text", "details"] : ["details"]))
      }
    }
  }

  @Test func theEndHasTheCounts() throws {
    var summary = RunSummary()
    var events: [RunEvent] = [.planned(PlannedRun(count: 9, total: 20, shard: Shard(number: 2, of: 3)))]
    for (index, kind) in ScenarioOutcome.Kind.allCases.enumerated() {
      var scenario = Self.scenario(index, "s", kind)
      scenario.duration = .milliseconds(1500)
      summary.count(scenario)
      events.append(.ended(scenario))
    }
    summary.obsolete = ["Golden/gone.json"]
    let page = Self.outputs(of: events + [.runEnded(summary)]).joined()
    let elements = try HTMLPageElements(page)
    #expect(
      elements["run"] == [
        [
          "kind": "report", "version": "1.2.3", "stores": ["memory"], "count": 9, "total": 20, "shard": "2/3",
        ]
      ])
    let end = try #require(elements["summary"].first)
    #expect(
      end["counts"] == [
        "passed": 1, "failed": 1, "new": 1, "invalid": 1, "skipped": 1, "expected-failure": 1,
        "unexpected-pass": 1, "broken": 1,
      ])
    #expect(end["line"] == .string(summary.text))
    #expect(end["obsolete"] == ["Golden/gone.json"])
    #expect(end["status"] == 3)
    #expect(end["duration"] == .number(try #require(JSONNumber(digits: "12.000"))))
    #expect(elements["rules"].first?.compactText().contains(#""id":"identity.attribute-key""#) == true)
  }

  /// The page loads nothing: what it needs is in the file.
  @Test func thePageNeedsNoOtherFile() throws {
    let head = Self.outputs(of: [.planned(PlannedRun(count: 0))]).joined()
    #expect(head.hasPrefix("<!doctype html>\n"))
    #expect(head.components(separatedBy: "</style").count == 2)
    #expect(head.contains("default-src 'none'"))
    // The namespace of SVG is a name.
    let addresses = head.matches(of: /https?:\/\/[^"'\s]*/).map { String($0.output) }
    #expect(Set(addresses).isSubset(of: ["http://www.w3.org/2000/svg"]))
  }
}

/// The elements of data of a page in HTML.
struct HTMLPageElements {
  struct Element {
    /// The class, or the identifier of an element without a class.
    var kind: String
    var value: JSONValue
  }

  private(set) var all: [Element] = []

  /// Reads the elements as a browser does: each ends at the first end tag.
  init(_ page: String) throws {
    let element = /<script type="application\/json"(?: class="(\w+)")?(?: id="([\w-]+)")?>(.*?)<\/script/
    for match in page.matches(of: element.dotMatchesNewlines()) {
      let kind = match.output.1 ?? match.output.2 ?? ""
      let value = try JSONDocument(parsing: Array(match.output.3.utf8)).root.value
      all.append(Element(kind: String(kind), value: value))
    }
  }

  subscript(kind: String) -> [JSONValue] { all.filter { $0.kind == kind }.map(\.value) }
}
