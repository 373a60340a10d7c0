import Foundation
import JSONTree
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the options of `recordspec run` that set the order, the limits and the reports of a run.
struct RunControlTests {
  /// A suite of passing scenarios `a` to `f`, of which some fail.
  private func suite(failing: [String] = ["b", "d", "e"]) async throws -> CommandSuite {
    let names = ["a", "b", "c", "d", "e", "f"]
    let suite = try CommandSuite(Dictionary(uniqueKeysWithValues: names.map { ($0, scenario(title: $0)) }))
    #expect(await suite.recordspec("bless").status == 0)
    for name in failing {
      try suite.folder.write(scenario(expected: "Bye", title: name), to: "Scenarios/\(name).yaml")
    }
    return suite
  }

  /// The names of the scenarios in a verbose report, with their outcomes.
  private func outcomes(_ output: String) -> [String] {
    output.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^(pass|FAIL|BROKEN|NEW) +([a-z]+)/).map { "\($0.1) \($0.2)" }
    }
  }

  // MARK: Limits

  @Test(arguments: sampled(["1", "2", "6", "9223372036854775807"]))
  func theFirstFailuresEndTheRun(jobs: String) async throws {
    let suite = try await suite()
    let first = await suite.recordspec("run", "--fail-fast", "--verbose", "--jobs", jobs)
    #expect(first.status == 1)
    #expect(outcomes(first.output) == ["pass a", "FAIL b"])
    #expect(first.output.hasSuffix("\n4 not run: 1 passed, 1 failed, 0 skipped\n"))
    let second = await suite.recordspec("run", "--max-failures", "2", "--verbose", "--jobs", jobs)
    #expect(outcomes(second.output) == ["pass a", "pass c", "FAIL b", "FAIL d"])
    #expect(second.output.hasSuffix("\n2 not run: 2 passed, 2 failed, 0 skipped\n"))
  }

  @Test func aRunWithFewerFailuresIsComplete() async throws {
    let suite = try await suite(failing: ["f"])
    let outcome = await suite.recordspec("run", "--fail-fast")
    #expect(outcome.output.hasSuffix("\n5 passed, 1 failed, 0 skipped\n"))
  }

  @Test func aScenarioThatDoesNotEndIsGivenUp() async throws {
    let suite = try await suite(failing: [])
    try suite.folder.write(marked(title: "c"), to: "Scenarios/c.yaml")
    let outcome = await suite.recordspec(
      ["run", "--timeout", "1", "--jobs", "2", "--report", "json"],
      execute: { scenario, store in
        // A scenario that ignores its cancellation.
        if scenario.title == "c" { await Task.detached { try? await Task.sleep(for: .seconds(120)) }.value }
        return await ScenarioExecution.execute(scenario, on: store)
      })
    #expect(outcome.status == 3)
    let line = try #require(outcome.output.split(separator: "\n").first { $0.contains(#""name":"c""#) })
    #expect(line.contains(#""outcome":"broken""#))
    #expect(line.contains(#""title":"c","tags":["slow"],"rules":["identity.attribute-key"]"#), "\(line)")
    #expect(
      line.contains(
        #"  the scenario did not end within 1 s\n  '--timeout' sets another limit\n"#))
  }

  /// A scenario with a tag and a rule.
  private func marked(title: String) -> String {
    scenario(tags: "slow", covers: "identity.attribute-key", title: title)
  }

  @Test func aReportNamesInvalidScenarios() async throws {
    let suite = try await suite(failing: [])
    try suite.folder.write(marked(title: "First") + "stpes: []\n", to: "Scenarios/c.yaml")
    let outcome = await suite.recordspec("run", "--report", "json")
    let line = try #require(outcome.output.split(separator: "\n").first { $0.contains(#""name":"c""#) })
    #expect(
      line.contains(
        #""title":"First","tags":["slow"],"rules":["identity.attribute-key"],"outcome":"invalid""#), "\(line)"
    )
    #expect(line.contains(#""headline":"INVALID c: First""#), "\(line)")
  }

  /// The heading of a scenario that has not ended is read again, so a large file must not delay the report.
  @Test func onlyTheHeadingOfASmallFileIsReadAgain() throws {
    let suite = try CommandSuite(["a": marked(title: "First")])
    let file = ScenarioFile(path: suite.folder.path + "/Scenarios/a.yaml", name: "a")
    #expect(
      Scenario.heading(of: file)
        == ScenarioHeading(title: "First", tags: ["slow"], rules: ["identity.attribute-key"]))
    let comment = "# " + String(repeating: "x", count: 1 << 20) + "\n"
    try suite.folder.write(comment + marked(title: "First"), to: "Scenarios/a.yaml")
    #expect(Scenario.heading(of: file) == ScenarioHeading())
    let missing = ScenarioFile(path: suite.folder.path + "/Scenarios/b.yaml", name: "b")
    #expect(Scenario.heading(of: missing) == ScenarioHeading())
  }

  /// Scenarios that compute occupy all threads that tasks share. They exceed their limit nevertheless.
  @Test func scenariosThatOccupyAllThreadsAreGivenUp() async throws {
    let suite = try await suite(failing: [])
    var limits = RunLimits()
    limits.timeLimit = .milliseconds(50)
    let judge = ScenarioJudge(
      execute: { scenario, store in
        let end = ContinuousClock.now + .milliseconds(500)
        while ContinuousClock.now < end {}
        return await ScenarioExecution.execute(scenario, on: store)
      }, golden: GoldenFolder(path: suite.folder.path + "/Golden"), today: "2030-01-01")
    let jobs = ProcessInfo.processInfo.activeProcessorCount
    let entries = (1...jobs).map {
      RunPlan.Entry(file: ScenarioFile(path: suite.folder.path + "/Scenarios/a.yaml", name: "\($0)"))
    }
    var givenUp = 0
    await ScenarioRunner(judge: judge, jobs: jobs, limits: limits).run(entries) { verdict in
      if case .broken = verdict.outcome { givenUp += 1 }
    }
    #expect(givenUp == jobs)
  }

  /// `run --watch` reruns a scenario when one of these files is saved.
  @Test func aScenarioThatIsGivenUpHasItsFiles() async throws {
    let suite = try await suite(failing: [])
    var limits = RunLimits()
    limits.timeLimit = .milliseconds(10)
    let judge = ScenarioJudge(
      execute: { scenario, store in
        await Task.detached { try? await Task.sleep(for: .seconds(2)) }.value
        return await ScenarioExecution.execute(scenario, on: store)
      }, golden: GoldenFolder(path: suite.folder.path + "/Golden"), today: "2030-01-01")
    let path = suite.folder.path + "/Scenarios/a.yaml"
    var files: [String] = []
    await ScenarioRunner(judge: judge, jobs: 1, limits: limits).run(
      [RunPlan.Entry(file: ScenarioFile(path: path, name: "a"))], ended: { files += $0.files.map(\.path) })
    #expect(files == [path, suite.folder.path + "/Golden/a.json"])
  }

  @Test func scenariosAreRepeatedUntilTheyFail() async throws {
    let suite = try await suite(failing: [])
    let runs = Counts()
    let outcome = await suite.recordspec(
      ["run", "--repeat", "4"],
      execute: { scenario, store in
        let run = await runs.next(scenario.title)
        var executed = await ScenarioExecution.execute(scenario, on: store)
        if scenario.title == "e", run == 3 { executed.breakage = Breakage("out of luck") }
        return executed
      })
    #expect(outcome.status == 3)
    #expect(outcome.output.hasPrefix("BROKEN e (run 3): e\n\n  out of luck\n"))
    #expect(await runs.counts == ["a": 4, "b": 4, "c": 4, "d": 4, "e": 3, "f": 4])
  }

  // MARK: Order

  @Test func theSeedAloneDecidesTheOrder() async throws {
    let suite = try await suite(failing: [])
    func order(_ arguments: String...) async -> String {
      await suite.recordspec(["run", "--list"] + arguments).output.replacing("\n", with: "")
    }
    #expect(await order() == "abcdef")
    let orders = Set(await [order("--shuffle", "1"), order("--shuffle", "2"), order("--shuffle", "3")])
    #expect(orders.count > 1)
    #expect(orders.allSatisfy { $0.sorted() == Array("abcdef") })
    // Scenarios that are not selected do not change the order of the others.
    let all = await order("--shuffle", "7")
    #expect(await order("--shuffle", "7", "a", "c", "f") == all.filter("acf".contains))
    let run = await suite.recordspec("run", "--shuffle", "7", "--verbose", "--jobs", "3")
    #expect(outcomes(run.output) == all.map { "pass \($0)" })
  }

  // MARK: Descriptions

  @Test func aDryRunDescribesTheRun() async throws {
    let suite = try await suite(failing: [])
    try suite.folder.write(scenario(more: "skip: later"), to: "Scenarios/b.yaml")
    try suite.folder.write("titel: x", to: "Scenarios/c.yaml")
    try suite.folder.write(scenario(covers: "no.such.rule"), to: "Scenarios/d.yaml")
    try suite.folder.write(scenario(more: "skip: later"), to: "Scenarios/h.yaml")
    try suite.folder.write(scenario(title: "new"), to: "Scenarios/g.yaml")
    let outcome = await suite.recordspec(
      "run", "--dry-run", "--shard", "1/1", "--jobs", "2", "--shuffle", "3", "--timeout", "1.5", "--repeat",
      "2",
      "--max-failures", "1", "b", "c", "d", "g", "h")
    #expect(outcome.status == 0)
    #expect(
      outcome.output.split(separator: "\n").sorted() == [
        "  b: One post; skipped: later",
        "  c: invalid; see 'recordspec check'",
        "  d: invalid; see 'recordspec check'",
        "  g: new; no golden file",
        "  h: One post; skipped: later",
        "5 scenarios of 5, shard 1/1, store memory, 2 jobs, shuffled with seed 3, 2 runs each, at most 1.5 s each, until 1 failure",
      ])
    #expect(suite.written.allSatisfy { $0.hasPrefix("Golden/") })
  }

  /// A job may run the listed scenarios only, so that no other command reports these errors.
  @Test(arguments: ["--list", "--dry-run"]) func listsReportErrorsOutsideTheScenarios(option: String)
    async throws
  {
    let suite = try await suite(failing: [])
    try suite.folder.write(scenario(), to: "Scenarios/a.yml")
    let outcome = await suite.recordspec("run", option)
    #expect(outcome.status == 2)
    #expect(outcome.output.contains(/(?m)^ *f\b/))
    #expect(outcome.errors.contains("Scenarios/a.yml: error: "), "\(outcome.errors)")
  }

  @Test(arguments: [("1.5", "1.5"), ("90", "90"), ("10s", "10"), ("1500ms", "1.5"), ("2m", "120")])
  func aTimeLimitIsSecondsOrADuration(limit: String, seconds: String) async throws {
    let suite = try await suite(failing: [])
    let outcome = await suite.recordspec(
      "run", "--dry-run", "--timeout", limit, "--report", "json=a.jsonl", "--report", "text")
    #expect(
      outcome.output.hasSuffix(", at most \(seconds) s each, report json=a.jsonl, report text\n"),
      "\(outcome.output)\(outcome.errors)")
    #expect(suite.folder.tree["a.jsonl"] == nil)
  }

  // MARK: Reports

  @Test func aReportOnStandardOutputReplacesTheText() async throws {
    let suite = try await suite(failing: ["b"])
    let outcome = await suite.recordspec("run", "--report", "json", "--color", "always")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 8)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"type\":\"") && $0.hasSuffix("}") && !$0.contains("\\u001b") })
    #expect(lines.last == #"{"type":"end","passed":5,"failed":1,"skipped":0,"status":1}"#)
  }

  @Test func severalReportsAreWrittenAtOnce() async throws {
    let suite = try await suite(failing: ["b"])
    let folder = suite.folder.path
    let outcome = await suite.recordspec(
      "run", "--report", "json=\(folder)/new/report.jsonl", "--report", "text=\(folder)/report.txt",
      "--color",
      "always")
    let text = try #require(suite.folder.tree["report.txt"]).replacing(folder + "/", with: "")
      .replacing(" --scenarios \(folder)/Scenarios", with: "")
    #expect(text == outcome.output.replacing(/\u{1B}\[[0-9;]*m/, with: ""))
    #expect(text != outcome.output)
    #expect(suite.folder.tree["new/report.jsonl"]?.hasSuffix("\"status\":1}\n") == true)
  }

  /// All reports of a run come from the same events, so they count the same.
  @Test func allReportsCountTheSame() async throws {
    let suite = try await suite(failing: ["b", "d"])
    try suite.folder.write(scenario(more: "skip: later", title: "e"), to: "Scenarios/e.yaml")
    try suite.folder.write("titel: x", to: "Scenarios/f.yaml")
    try suite.folder.write(scenario(title: "g"), to: "Scenarios/g.yaml")
    let reports = ReportFormat.allCases.flatMap {
      ["--report", "\($0.rawValue)=\(suite.folder.path)/reports/\($0.rawValue)"]
    }
    #expect(await suite.recordspec(["run"] + reports).status == 2)
    func count(_ text: String, in format: ReportFormat) throws -> Int {
      try #require(suite.folder.tree["reports/\(format.rawValue)"]).components(separatedBy: text).count - 1
    }
    let line = "1 new, 1 invalid: 2 passed, 4 failed, 1 skipped"
    for format in ReportFormat.allCases {
      switch format {
      case .text, .markdown: #expect(try count(line, in: format) == 1)
      case .json:
        #expect(try count(#""passed":2,"failed":4,"skipped":1,"#, in: format) == 1)
        #expect(try count(#""type":"scenario""#, in: format) == 7)
      case .junit:
        #expect(
          try count(
            #"<testsuites name="recordspec" tests="7" failures="3" errors="1""#, in: format) == 1)
        #expect(try count("<skipped ", in: format) == 1)
        #expect(try count("<testcase ", in: format) == 7)
      case .tap:
        #expect(try count("\nok ", in: format) == 3)
        #expect(try count("\nnot ok ", in: format) == 4)
        #expect(try count("1..7\n", in: format) == 1)
      case .html:
        let page = try HTMLPageElements(try #require(suite.folder.tree["reports/html"]))
        #expect(page["scenario"].count == 7)
        #expect(page["details"].count == 7)
        #expect(page["summary"].first?["line"] == .string(line))
        #expect(
          page["summary"].first?["counts"] == [
            "passed": 2, "failed": 2, "new": 1, "invalid": 1, "skipped": 1, "expected-failure": 0,
            "unexpected-pass": 0, "broken": 0,
          ])
      }
    }
  }

  /// A terminal shows no page, unless the user asks for standard output.
  @Test func anHTMLReportOnATerminalNeedsAFile() async throws {
    let suite = try await suite(failing: [])
    let refused = await suite.typing().recordspec("run", "--report", "html")
    #expect(refused.status == 64 && refused.output == "")
    #expect(
      refused.errors.hasPrefix(
        "error: the HTML report is a page for a browser; write it to a file with '--report html=report.html'\n"
      ),
      "\(refused.errors)")
    for (suite, format) in [(suite, "html"), (suite.typing(), "html=-")] {
      let page = await suite.recordspec("run", "--report", format)
      #expect(page.status == 0 && page.output.hasPrefix("<!doctype html>"), "\(page.output.prefix(100))")
    }
  }

  @Test func formatsAndFilesAreSuggested() async throws {
    let suite = try await suite(failing: [])
    for (arguments, status, message) in [
      (["version"], 4 as Int32, "no scenario is named 'version'; did you mean 'recordspec --version'?"),
      (["watch", "a"], 4, "no scenario is named 'watch'; did you mean 'recordspec run --watch'?"),
      (
        ["bless", "--force"], 64, "unknown option '--force'; golden files are replaced by 'bless' without it"
      ),
      (["check", "--format", "json"], 64, "unknown option '--format'; '--json' prints JSON"),
      (
        ["run", "--format", "json"], 64,
        "unknown option '--format'; write a report with '--report FORMAT=FILE', such as '--report junit=report.xml'"
      ),
      (["new", "--json", "a"], 64, "unknown option '--json'; name the body of a response with '--response'"),
      (["reduce", "a", "--overwrite"], 64, "unknown option '--overwrite'; did you mean '--force'?"),
      (
        ["new", "-o", "a"], 64,
        "unknown option '-o'; name the scenario without an option: 'recordspec new FOLDER/NAME'"
      ),
    ] {
      let outcome = await suite.recordspec(arguments)
      #expect(outcome == .init(status: status, output: "", errors: "error: \(message)\n"), "\(arguments)")
    }
  }

  @Test func detailsNeedAReport() async throws {
    let outcome = await (try await suite(failing: [])).recordspec("run", "--details", "--report", "tap")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors
        == "error: '--details' has no effect without a JSON report, such as '--report json=FILE'\n")
  }

  /// A report of an earlier run must not be mistaken for one of the run that was refused.
  @Test func aRefusedRunLeavesNoEarlierReport() async throws {
    let suite = try await suite(failing: [])
    let report = "junit=\(suite.folder.path)/report.xml"
    #expect(await suite.recordspec("run", "--report", report).status == 0)
    #expect(suite.folder.tree["report.xml"] != "")
    #expect(await suite.recordspec("run", "--report", report, "--dry-run").status == 0)
    #expect(suite.folder.tree["report.xml"] != "")
    #expect(await suite.recordspec("run", "--report", report, "--tag", "none").status == 4)
    #expect(suite.folder.tree["report.xml"] == "")
  }

  /// A mistyped path of a report must not cost a file that the run reads.
  @Test(
    arguments: sampled([
      (["--report", "junit=Scenarios/a.yaml"], "has the name of a scenario, a model or settings"),
      (["--report", "text=.recordspec.yaml"], "has the name of a scenario, a model or settings"),
      (["--report", "json=Golden/a.json"], "would be in the folder of golden files"),
      (["--report", "json=Scenarios/_bodies/a.json"], "would replace a file of the suite"),
      (["nothing", "--report", "tap=Scenarios/_bodies/a.json"], "would replace a file of the suite"),
      (
        ["--report", "json=times.jsonl", "--timings", "./times.jsonl", "--shard", "1/2"],
        "would replace './times.jsonl', whose durations '--timings' reads"
      ),
    ]))
  func aReportReplacesNoSource(arguments: [String], problem: String) async throws {
    let suite = try await suite(failing: [])
    try suite.folder.write("[1]", to: "Scenarios/_bodies/a.json")
    try suite.folder.write("{}\n", to: "times.jsonl")
    try suite.folder.write("timeout: 9s", to: ".recordspec.yaml")
    let before = suite.folder.tree
    let outcome = await suite.recordspec(
      ["run"]
        + arguments.map {
          $0.replacing("=", with: "=\(suite.folder.path)/").replacing(
            "./times", with: suite.folder.path + "/./times")
        })
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(problem))
    #expect(suite.folder.tree == before)
  }

  @Test func reportsToOneFileThroughALinkAreRefused() async throws {
    let suite = try await suite(failing: [])
    #expect(try suite.bash("touch x.xml && ln -s x.xml y.xml").status == 0)
    let outcome = await suite.recordspec(
      "run", "--report", "junit=\(suite.folder.path)/x.xml", "--report", "tap=\(suite.folder.path)/y.xml")
    #expect(
      outcome
        == .init(
          status: 64, output: "", errors: "error: two reports cannot be written to the same file 'y.xml'\n"))
  }

  @Test func reportsOfOneSuiteCanBeBesideIt() async throws {
    let suite = try await suite(failing: [])
    for _ in 1...2 {
      for report in [
        "json=\(suite.folder.path)/Scenarios/run.json", "junit=\(suite.folder.path)/Scenarios/run.xml",
      ] {
        #expect(await suite.recordspec("run", "--report", report).status == 0)
      }
    }
  }

  @Test func aReportThatCannotBeWrittenFailsTheRun() async throws {
    let suite = try await suite(failing: [])
    try suite.folder.write("", to: "Folder/file")
    let path = suite.folder.path + "/Folder"
    let outcome = await suite.recordspec("run", "--report", "json=\(path)")
    #expect(outcome.status == 3)
    #expect(outcome.output == "")
    #expect(outcome.errors == "error: the report 'Folder' cannot be written: Is a directory\n")
    #if os(Linux)
      let full = await suite.recordspec("run", "--report", "json=/dev/full")
      #expect(full.status == 3)
      #expect(full.errors == "error: the report '/dev/full' cannot be written: No space left on device\n")
    #endif
  }

  @Test func aNamedPipeReceivesAReport() async throws {
    let suite = try await suite(failing: [])
    let unread = try suite.bash("mkfifo pipe; \"$recordspec\" run --report junit=pipe")
    #expect(unread.status == 3)
    #expect(unread.output == "")
    #expect(
      unread.errors
        == "error: the report 'pipe' cannot be written: no process reads this pipe; start its reader before the run\n"
    )
    let read = try suite.bash(
      """
      cat pipe > seen & "$recordspec" run --report tap=pipe --report junit=out.xml; echo $?; wait
      """)
    #expect(read.output == "6 passed, 0 failed, 0 skipped\n0\n")
    #expect(try suite.folder.read("seen").hasPrefix("TAP version 14\nok 1 - a: a\n"))
    // The reader leaves within the first line, which is longer than a pipe holds.
    try suite.folder.write(
      scenario(title: String(repeating: "x", count: 200_000)), to: "Scenarios/a.yaml")
    let left = try suite.bash(
      """
      head -c 1 pipe > /dev/null & "$recordspec" run --report json=pipe --report junit=left.xml; echo $?; wait
      """)
    #expect(left.output == "6 passed, 0 failed, 0 skipped\n3\n")
    #expect(left.errors == "error: the report 'pipe' cannot be written: Broken pipe\n")
    #expect(try suite.folder.read("left.xml").hasSuffix("</testsuites>\n"))
  }

  @Test(
    arguments: sampled([
      (["--report", "jsn=a"], "unknown report format 'jsn'; did you mean 'json=a'?"),
      (["--report", "xml=out.xml"], "unknown report format 'xml'; did you mean 'junit=out.xml'?"),
      (["--report", "JUnit=a"], "unknown report format 'JUnit'; did you mean 'junit=a'?"),
      (["--report", "md=a.md"], "unknown report format 'md'; did you mean 'markdown=a.md'?"),
      (["--report", "jsonl"], "unknown report format 'jsonl'; did you mean 'json'?"),
      (["--report", "junit:a.xml"], "unknown report format 'junit:a.xml'; did you mean 'junit=a.xml'?"),
      (["--report", "=a.xml"], "unknown report format ''; did you mean 'junit=a.xml'?"),
      (["--report", "json="], "missing file after 'json='; write 'json' for standard output"),
      (
        ["--report", "json", "--report", "text"],
        "only one report can be written to standard output, not 'json' and 'text'; add a file to the others"
      ),
      (["--report", "json=a", "--report", "text=a"], "two reports cannot be written to the same file 'a'"),
      (
        ["--shard", "4/3"],
        "The value '4/3' is invalid for '--shard <i/n>': there are 3 parts; write 1/3 for the first and 3/3 for the last"
      ),
      (["--shard", "0/3"], "there are 3 parts; write 1/3 for the first and 3/3 for the last"),
      (["--shard", "2/1"], "there is 1 part; write 1/1"),
      (["--shard", "1-3"], ": write 1/3\n"), (["--shard", "1 of 3"], ": write the part and"),
      (["--shard", "2"], "write the part and the number of parts, such as 2/3"),
      (["--shard", "1/99999999999999999999"], "write the part and the number of parts, such as 2/3"),
      (["--shard", "1/20000"], "at most 10000 parts are possible"),
      (["--jobs", "-2"], "'--jobs' must be at least 1, not -2"),
      (["--repeat", "-2"], "'--repeat' must be at least 1, not -2"),
      (["--durations", "-2"], "'--durations' must be at least 1, not -2"),
      (["--shuffle", "-2"], "The value '-2' is invalid for '--shuffle <seed>': write a whole number from 0"),
      (["--list", "--report", "json=a"], "'--report' cannot be combined with '--list', which runs nothing"),
      (["--list", "--keep", "a"], "'--keep' cannot be combined with '--list', which runs nothing"),
      (["--dry-run", "--explain"], "'--explain' cannot be combined with '--dry-run', which runs nothing"),
      (["--dry-run", "--durations", "2"], "'--durations' cannot be combined with '--dry-run'"),
      (["--timings", "a"], "'--timings' has no effect without '--shard'"),
      (["--repeat", "0"], "'--repeat' must be at least 1, not 0"),
      (["--max-failures", "0"], "'--max-failures' must be at least 1, not 0"),
      (["--fail-fast", "--max-failures", "2"], "'--fail-fast' cannot be combined with '--max-failures'"),
      (
        ["--timeout", "0"],
        "The value '0' is invalid for '--timeout <seconds>': write 1ms or more, and at most 1d"
      ),
      (["--timeout", "-1"], "write 1ms or more"), (["--timeout", "2d"], "at most 1d"),
      (["--timeout", "1e300"], "at most 1d"),
      (["--timeout", "nan"], "write seconds, or a duration such as 500ms, 10s or 2m"),
      (["--timeout", "10 s"], "write seconds, or a duration such as 500ms, 10s or 2m"),
      (["--durations", "0"], "'--durations' must be at least 1, not 0"),
      (["--list", "--dry-run"], "'--list' cannot be combined with '--dry-run'"),
      (
        ["--watch", "--shard", "1/2"],
        "'--shard' cannot be combined with '--watch', which runs scenarios more than once"
      ),
      (["--watch", "--report", "json=a"], "'--report' cannot be combined with '--watch'"),
    ]))
  func mistakesAreRefused(arguments: [String], message: String) async throws {
    let outcome = try await CommandSuite().recordspec(["run"] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  private actor Counts {
    private(set) var counts: [String: Int] = [:]

    func next(_ name: String) -> Int {
      counts[name, default: 0] += 1
      return counts[name] ?? 0
    }
  }
}
