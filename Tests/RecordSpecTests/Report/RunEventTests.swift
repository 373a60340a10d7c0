import JSONTree
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

struct RunEventTests {
  /// A line that is written and read again is the same, except for the parts that are counted again.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func linesAreReadAsTheyWereWritten(seed: UInt64) throws {
    var random = RandomReport(seed: seed)
    for line in [
      RunEvent.planned(random.run()), .ended(random.scenario()), .detailed(random.details()),
      .problem(random.problem()),
    ] {
      let text = try #require(line.form).compactText()
      #expect(!text.contains("\n"))
      let read = try RunEvent(JSONForm(JSONDocument(parsing: Array(text.utf8)).root.value))
      #expect(read == line)
    }
  }

  @Test func colorsAreNotWritten() throws {
    var scenario = ReportedScenario(
      name: "a", path: "Scenarios/a.yaml", title: nil, outcome: .failed,
      headline: "\u{1B}[1;31mFAIL\u{1B}[0m  a")
    scenario.failureText = "\u{1B}[32mexpected:\u{1B}[0m 1\n"
    let text = try #require(RunEvent.ended(scenario).form).compactText()
    #expect(text.contains(#""headline":"FAIL  a","text":"expected: 1\n""#))
  }

  @Test(arguments: [
    (#"{"type":"other"}"#, "expected 'run', 'scenario', 'details', 'problem' or 'end' at '/type'"),
    (#"{"type":"details","index":0,"details":[]}"#, "expected an object at '/details'"),
    (
      #"{"type":"details","index":0,"texts":[["1-a\" onload=","x"]],"details":{}}"#,
      "expected a digest and a text at '/texts/0'"
    ),
    (#"{"type":"run","scenarios":1,"total":1,"digest":"a","store":"disk"}"#, "expected a name at '/store'"),
    (
      #"{"type":"run","scenarios":1,"total":1,"digest":"a","store":"memory","shard":"4/3"}"#,
      "expected a shard such as '1/3' at '/shard'"
    ),
    (
      #"{"type":"run","scenarios":-9223372036854775808,"total":1,"digest":"a","store":"memory"}"#,
      "expected a number of at most 2147483647 at '/scenarios'"
    ),
    (#"{"type":"end","notRun":9223372036854775807}"#, "expected a number of at most 2147483647 at '/notRun'"),
    (#"{"type":"scenario","name":"a"}"#, "expected a value at '/path'"),
    (
      #"{"type":"problem","severity":"error","path":"a","message":"b","text":7}"#,
      "expected a string at '/text'"
    ),
  ])
  func damageIsLocated(text: String, message: String) throws {
    let form = JSONForm(try JSONDocument(parsing: Array(text.utf8)).root.value)
    let error = #expect(throws: JSONForm.Damaged.self) { try RunEvent(form) }
    #expect(error.map { "expected \($0.expected) at '\($0.pointer)'" } == message)
  }
}

/// A generator of random reports.
struct RandomReport {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func isTrue() -> Bool { Bool.random(using: &generator) }

  private mutating func count(_ range: ClosedRange<Int> = 0...3) -> Int {
    Int.random(in: range, using: &generator)
  }

  private mutating func text() -> String {
    (0..<count()).map { _ in
      [
        "a", "ü", "\n", "\"", "<&>", "\u{1F600}", " ", "\r", "\t", "\u{0}", "\u{B}", "\u{1B}", "\u{FFFE}",
        "]]>",
      ].randomElement(using: &generator) ?? ""
    }
    .joined()
  }

  mutating func run() -> PlannedRun {
    PlannedRun(
      count: count(), total: count(), digest: text(),
      shard: isTrue() ? Shard(number: count(1...3), of: 3) : nil,
      store: isTrue() ? .memory : .sqlite)
  }

  private mutating func annotation() -> ScenarioAnnotation {
    var annotation = ScenarioAnnotation(text(), at: "Scenarios/\(text()).yaml")
    if isTrue() {
      annotation.region = .init(
        line: count(1...9), column: count(1...9), endLine: count(1...9), endColumn: count(1...9))
    }
    return annotation
  }

  mutating func problem(_ severity: AuthorDiagnostic.Severity? = nil) -> ReportedProblem {
    ReportedProblem(
      severity: severity ?? (isTrue() ? .error : .warning), annotation: annotation(), text: text())
  }

  mutating func details() -> ScenarioDetails {
    ScenarioDetails(
      index: count(0...1000), texts: (0..<count()).map { _ in SharedText(text()) },
      form: ["text": .string(text()), "steps": .array((0..<count()).map { _ in .string(text()) })])
  }

  mutating func scenario() -> ReportedScenario {
    let outcome = ScenarioOutcome.Kind.allCases.randomElement(using: &generator) ?? .passed
    var scenario = ReportedScenario(
      name: text(), path: text(), title: isTrue() ? text() : nil, outcome: outcome, headline: text())
    scenario.tags = (0..<count()).map { _ in text() }
    scenario.rules = (0..<count()).map { _ in text() }
    scenario.reason = isTrue() ? text() : nil
    scenario.duration = .milliseconds(count(0...100_000))
    scenario.index = count(0...1000)
    scenario.failureText = text()
    scenario.errors = (0..<count()).map { _ in problem(.error) }
    scenario.warnings = (0..<count()).map { _ in problem(.warning) }
    scenario.otherAnnotations = (0..<count()).map { _ in annotation() }
    scenario.hasUnreadableGoldenFile = isTrue()
    return scenario
  }
}
