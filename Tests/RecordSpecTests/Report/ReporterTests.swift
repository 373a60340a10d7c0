import RecordModel
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

struct ReporterTests {
  private let passed = ScenarioRenderer().reported(result("a/passes", .passed))
  private let skipped = ScenarioRenderer().reported(result("a/skips", .skipped(reason: "not yet")))
  private let failed = result(
    "a/fails",
    .failed(
      ScenarioFailure(
        golden: .different(
          Differences([
            Difference(
              .changed, at: .golden("Golden/a/fails.json"), record: "User/7", property: "id",
              expected: #"string "22""#, actual: "integer 22")
          ])), goldenFile: "Golden/a/fails.json")))

  @Test func offATerminalOnlyLines() {
    #expect(
      text(of: [
        .planned(PlannedRun(count: 3)), .ended(passed), .ended(skipped),
        .ended(ScenarioRenderer().reported(failed)),
        .runEnded(RunSummary()),
      ])
        == """
        skip  a/skips: not yet
        FAIL  a/fails: A title

          Golden/a/fails.json
            User/7: 'id' has a different value
              expected: string "22"
              actual:   integer 22
          accept it with: recordspec bless a/fails

        0 passed, 0 failed, 0 skipped

        """)
  }

  @Test func verboseNamesWhatPassed() {
    #expect(text(of: [.ended(passed)], isVerbose: true) == "pass  a/passes: A title\n")
  }

  @Test func aNewGoldenFileNamesTheCommandThatWritesIt() {
    #expect(
      ScenarioRenderer().text(of: Self.result("a/it's new", .new(goldenFile: "Golden/a/it's new.json")))
        == """
        NEW   a/it's new: A title

          no golden file: Golden/a/it's new.json
          no records
          create it with: recordspec bless 'a/it'\\''s new'


        """)
  }

  @Test func anExpectationShowsItsLineAndTheNearestRecord() {
    let file = SourceFile(path: "Scenarios/a.yaml", bytes: Array("expect:\n  Tag: [{text: a}]\n".utf8))
    let nearest = Difference(
      .changed, at: .graph, record: "Tag~1", property: "text", expected: #"string "a""#,
      actual: #"string "b""#)
    let difference = Difference(
      .missing, at: .expectation(file.span(16..<25)), expected: #"Tag {text: string "a"}"#, actual: "nothing",
      nearest: Difference.Nearest(record: "Tag~1", differences: [nearest]))
    let failure = ScenarioFailure(
      expectations: Differences([difference]), golden: .notCanonical(hasWindowsLineEnds: false),
      goldenFile: "Golden/a.json")
    #expect(
      ScenarioRenderer().text(of: Self.result("a", .failed(failure))) == """
        FAIL  a: A title

          Scenarios/a.yaml:2:9: error: no record matches [missing]
              2 |   Tag: [{text: a}]
                |         ^^^^^^^^^
                = expected: Tag {text: string "a"}
                = actual:   nothing
                = nearest:  Tag~1, where text is string "b", not string "a"


        """)
  }

  /// Names and values come from servers, and can contain control sequences of terminals.
  @Test func controlCharactersOfResponsesAreNotShown() {
    let difference = Difference(
      .extra, at: .graph, record: "Post/\u{9B}2J", property: "\u{1B}[3J", expected: "\u{202E}",
      actual: "[\u{7}]", extra: ["\u{1B}[1A"], note: "\u{85}")
    #expect(
      DifferenceRenderer().text(of: difference) == """
        Post/\u{FFFD}2J: unexpected entry in '\u{FFFD}[3J'
          expected: \u{FFFD}
          actual:   [\u{FFFD}]
          extra:    \u{FFFD}[1A
          note:     \u{FFFD}

        """)
  }

  @Test func moreThanFiftyDifferencesAreCounted() {
    let differences = Differences(
      (1...60).map { Difference(.extra, at: .graph, record: RecordLabel("Post\($0)/1")) })
    let text = DifferenceRenderer(hint: ", shown elsewhere").text(of: differences)
    #expect(text.contains("Post50/1: unexpected record"))
    #expect(!text.contains("Post51"))
    #expect(text.hasSuffix("and 10 more, shown elsewhere\n"))
    #expect(DifferenceRenderer(isUnfolded: true).text(of: differences).contains("Post60/1"))
  }

  @Test func equalDifferencesOfManyRecordsAreFolded() {
    var differences = Differences(
      (1...20_000).map { number in
        Difference(
          .changed, at: .golden("a.json"), record: RecordLabel("Post/\(number)"), property: "text",
          expected: "string \"a\"", actual: number.isMultiple(of: 2) ? "string \"b\"" : "nothing")
      })
    differences.recordCounts.actual["Post"] = 30_000
    #expect(
      DifferenceRenderer(hint: ", shown by '--verbose'").text(of: differences) == """
        'text' has no value in 10,000 of 30,000 Post records
          Post/1: expected string "a", actual nothing
          Post/3: expected string "a", actual nothing
          Post/5: expected string "a", actual nothing
          and 9,997 more, shown by '--verbose'

        'text' has a different value in 10,000 of 30,000 Post records
          Post/2: expected string "a", actual string "b"
          Post/4: expected string "a", actual string "b"
          Post/6: expected string "a", actual string "b"
          and 9,997 more, shown by '--verbose'

        """)
    let unfolded = DifferenceRenderer(isUnfolded: true).text(of: differences)
    #expect(unfolded.contains("Post/9999: 'text' has a different value\n"))
    #expect(unfolded.hasSuffix("and 10,000 more\n"))
  }

  @Test func aTerminalShowsHowFarALongRunIs() {
    var elapsed = Duration.milliseconds(500)
    var output = ""
    var reporter = TextReporter(
      isTerminal: true, elapsed: { elapsed }, output: { output += $0 })
    reporter.report(.planned(PlannedRun(count: 100)))
    for name in ["first", "slow", "last"] { reporter.report(.started(name: name)) }
    reporter.report(.progressed(completed: 10, name: "first", hasGoneWrong: false))
    #expect(output.isEmpty, "short runs show no progress")
    elapsed = .seconds(10)
    reporter.report(.progressed(completed: 20, name: "last", hasGoneWrong: true))
    reporter.report(.progressed(completed: 21, name: "other", hasGoneWrong: false))
    #expect(output == "\r\u{1B}[K  20 of 100, 1 failed, 40 s left, 9 s: slow")
    output = ""
    reporter.report(.ended(skipped))
    #expect(output == "\r\u{1B}[Kskip  a/skips: not yet\n")
  }

  /// Of equally slow scenarios, those that come first in the plan are listed. Skipped ones did not run.
  @Test func theSlowestScenariosAreListed() {
    var output = ""
    var reporter = TextReporter(slowest: 3, output: { output += $0 })
    for (name, milliseconds) in [("a", 20), ("b", 900), ("c", 20), ("d", 12_345), ("e", 10)] {
      var scenario = passed
      (scenario.name, scenario.duration) = (name, .milliseconds(milliseconds))
      reporter.report(.ended(scenario))
    }
    var slow = skipped
    slow.duration = .seconds(100)
    reporter.report(.ended(slow))
    reporter.report(.runEnded(RunSummary()))
    #expect(
      output.hasSuffix(
        "slowest scenarios:\n  12.345 s  d\n   0.900 s  b\n   0.020 s  a\n\n0 passed, 0 failed, 0 skipped\n"))
  }

  @Test func colorsAreEscapesAroundTheSameText() {
    let plain = ScenarioRenderer().text(of: failed)
    let colored = ScenarioRenderer(isColored: true).text(of: failed)
    #expect(colored != plain)
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test func annotationsPointAtTheLineAndEscape() {
    let file = SourceFile(path: "Scenarios/a,b.yaml", bytes: Array("expect: 100%\n".utf8))
    let difference = Difference(
      .changed, at: .expectation(file.span(8..<12)), record: "Post/1", property: "text", expected: "100%",
      actual: "x\r\ny")
    let failure = ScenarioFailure(expectations: Differences([difference]), goldenFile: "Golden/a.json")
    #expect(
      annotations(of: [Self.result("a", .failed(failure), title: "A: b, 5%")]).output == """
        ::error file=Scenarios/a%2Cb.yaml,line=1,endLine=1,col=9,endColumn=13,title=A%3A b%2C 5%25::Post/1: \
        'text' has a different value%0Aexpected: 100%25%0Aactual:   x\u{FFFD}y

        """)
  }

  @Test func aGoldenFileIsAnnotatedWhereNothingElseIsWrong() {
    let difference = Difference(.missing, at: .golden("Golden/a.json"), step: 2, expected: "{}")
    var failure = ScenarioFailure(
      golden: .different(Differences([difference])), goldenFile: "Golden/a.json")
    #expect(
      annotations(of: [Self.result("a", .failed(failure))]).output == """
        ::error file=Scenarios/a.yaml,line=1,title=A title::Golden/a.json: step 2 is only in the golden file%0A  \
        expected: {}

        """)
    failure.expectations = Differences([Difference(.count, at: .graph)])
    failure.golden = .new
    #expect(annotations(of: [Self.result("a", .failed(failure))]).output.split(separator: "\n").count == 1)
  }

  @Test func theTenthAnnotationCountsTheRest() {
    let (output, summary) = annotations(
      of: (1...12).map { Self.result("s\($0)", .new(goldenFile: "G/\($0)")) })
    #expect(output.split(separator: "\n").count == 10)
    #expect(output.hasSuffix("::error title=recordspec::and 3 more, see the summary\n"))
    #expect(summary.contains("G/12"))
  }

  @Test func theSummaryStaysBelowItsLimit() {
    let long = String(repeating: "x", count: 400_000)
    let (_, summary) = annotations(of: (1...5).map { Self.result("s\($0)", .broken(Breakage(long))) })
    #expect(summary.utf8.count < 1_048_576)
    #expect(summary.contains("0 passed, 0 failed, 0 skipped"))
    // Failures without room are counted. Those that are shown are complete, so that what follows is not part of them.
    #expect(
      summary.contains("| broken | `s5` | ") && summary.hasSuffix("\n3 more, which have no room here\n"))
    #expect(summary.split(separator: "\n").count { $0 == "</details>" } == 2)
  }

  @Test func skippedScenariosWithoutRoomAreCounted() {
    let long = String(repeating: "x", count: 600_000)
    let (_, summary) = annotations(of: (1...3).map { Self.result("s\($0)", .skipped(reason: long)) })
    #expect(summary.contains("| skipped | `s1` | ") && !summary.contains("`s2`"))
    #expect(summary.hasSuffix("\n2 more, which have no room here\n"))
  }

  private static func result(
    _ name: String, _ outcome: ScenarioOutcome, title: String = "A title"
  ) -> ScenarioVerdict {
    ScenarioVerdict(
      name: name, path: "Scenarios/\(name).yaml", heading: ScenarioHeading(title: title), outcome: outcome)
  }

  private func text(of events: [RunEvent], isVerbose: Bool = false) -> String {
    var output = ""
    var reporter = TextReporter(isVerbose: isVerbose, output: { output += $0 })
    for event in events { reporter.report(event) }
    return output
  }

  private func annotations(of results: [ScenarioVerdict]) -> (output: String, summary: String) {
    var output = ""
    var summary = ""
    var reporter = GitHubReporter(output: { output += $0 }, appendToSummary: { summary += $0 })
    for result in results { reporter.report(.ended(ScenarioRenderer().reported(result))) }
    reporter.report(.runEnded(RunSummary()))
    return (output, summary)
  }
}
