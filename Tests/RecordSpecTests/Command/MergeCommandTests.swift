import Foundation
import JSONTree
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for shards of a run and `recordspec merge`.
struct MergeCommandTests {
  private static let names = (1...9).map { "s\($0)" }

  /// A suite in which one scenario fails, one is new, one is invalid and one is skipped.
  private func suite() async throws -> CommandSuite {
    var scenarios = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, scenario(title: $0)) })
    scenarios["s4"] = scenario(more: "skip: later")
    let suite = try CommandSuite(scenarios).inCI()
    var local = suite
    local.variables = [:]
    #expect(await local.recordspec("bless").status == 0)
    try suite.folder.write(scenario(text: "Bye", title: "s2"), to: "Scenarios/s2.yaml")
    try suite.folder.write("titel: x", to: "Scenarios/s6.yaml")
    try suite.folder.write(scenario(title: "s8"), to: "Scenarios/s8b.yaml")
    try suite.folder.write("{}", to: "Golden/gone.json")
    return suite
  }

  private func report(_ number: Int, of suite: CommandSuite) -> String {
    "\(suite.folder.path)/r\(number).jsonl"
  }

  private func runShards(_ count: Int, of suite: CommandSuite, _ options: String...) async -> [String] {
    for number in 1...count {
      _ = await suite.recordspec(
        ["run", "--shard", "\(number)/\(count)", "--report", "json=\(report(number, of: suite))"] + options)
    }
    return (1...count).map { report($0, of: suite) }
  }

  /// `merge` has no folder of scenarios, so it is run without the suite's options.
  private func merge(_ suite: CommandSuite, _ arguments: [String]) async -> CommandSuite.Outcome {
    var output = ""
    var errors = ""
    let context = CommandContext(
      environment: RunEnvironment(variables: suite.variables),
      execute: { await ScenarioExecution.execute($0, on: $1) }, today: "2030-01-01",
      output: { output += $0 }, errors: { errors += $0 })
    let status = await RootCommand.status(of: ["merge"] + arguments, in: context)
    func plain(_ text: String) -> String {
      text.replacing(" --scenarios \(suite.folder.path)/Scenarios", with: "")
        .replacing(" --golden \(suite.folder.path)/Golden", with: "").replacing(
          suite.folder.path + "/", with: "")
    }
    return .init(status: status, output: plain(output), errors: plain(errors))
  }

  @Test(arguments: sampled([1, 3, 8, 12]))
  func mergedShardsAreReportedLikeTheWholeRun(count: Int) async throws {
    let suite = try await suite()
    let whole = await suite.recordspec("run")
    #expect(whole.status == 2)
    let merged = await merge(suite, await runShards(count, of: suite).reversed())
    #expect(merged.status == whole.status)
    #expect(merged.output == whole.output)
    #expect(merged.errors == "")
  }

  /// The page has the same records, drawings and explanations, however the scenarios were divided.
  @Test(arguments: sampled([1, 3, 8]))
  func mergedDetailsAreThoseOfTheWholeRun(count: Int) async throws {
    let suite = try await suite()
    let path = "\(suite.folder.path)/report.html"
    func page() throws -> String {
      try #require(suite.folder.tree["report.html"]).replacing(/"duration":[0-9.]+,?/, with: "")
    }
    let status = await suite.recordspec("run", "--report", "html=\(path)").status
    let whole = try page()
    let merged = await merge(
      suite, await runShards(count, of: suite, "--details") + ["--report", "html=\(path)"])
    #expect(merged.status == status)
    #expect(try page() == whole)
    #expect(try HTMLPageElements(whole)["details"].count == 10)
  }

  /// A page without details says what the reports say.
  @Test func reportsWithoutDetailsAreMergedIntoAPage() async throws {
    let suite = try await suite()
    let reports = await runShards(3, of: suite)
    _ = await merge(suite, reports + ["--report", "html=\(suite.folder.path)/report.html"])
    let page = try HTMLPageElements(try #require(suite.folder.tree["report.html"]))
    #expect(page["scenario"].count == 10)
    #expect(page["details"].isEmpty)
    #expect(suite.folder.tree["r1.jsonl"]?.contains(#""type":"details""#) == false)
  }

  /// A text of several scenarios is in each report once.
  @Test func sharedTextsAreWrittenOncePerShard() async throws {
    let model = """
      entities:
        Post:
          primaryKey: id
          attributes:
            {id: string, text: string, title: string, summary: string, author: string, category: string}
      """
    let scenarios = (1...6).map { number in
      (
        "s\(number)",
        """
        title: \(number)
        model: _models/posts.model.yaml
        responses: {posts: {body: [{id: "\(number)"}]}}
        steps: [{request: Post, urn: posts}]
        expect: {graph: {Post: {count: 1}}}
        """
      )
    }
    let suite = try CommandSuite(Dictionary(uniqueKeysWithValues: scenarios))
    try suite.folder.write(model, to: "Scenarios/_models/posts.model.yaml")
    let reports = await runShards(2, of: suite, "--details")
    for name in ["r1.jsonl", "r2.jsonl"] {
      let text = try #require(suite.folder.tree[name])
      #expect(text.components(separatedBy: "category: string").count == 2)
      #expect(text.components(separatedBy: #""type":"details""#).count == 4)
    }
    let path = "\(suite.folder.path)/report.html"
    _ = await merge(suite, reports + ["--report", "html=\(path)"])
    let page = try HTMLPageElements(try #require(suite.folder.tree["report.html"]))
    #expect(page["text"].count == 1)
    #expect(page["details"].count == 6)
  }

  @Test func eachScenarioRunsInOneShard() async throws {
    let suite = try await suite()
    var lists: [String] = []
    for number in 1...3 {
      lists.append(await suite.recordspec("run", "--shard", "\(number)/3", "--list").output)
    }
    #expect(lists.joined().split(separator: "\n").sorted() == (Self.names + ["s8b"]).map { $0[...] }.sorted())
    #expect(lists.allSatisfy { $0.split(separator: "\n").count >= 3 })
  }

  @Test func durationsBalanceTheShards() async throws {
    let suite = try await suite()
    let reports = await runShards(1, of: suite)
    let text = try #require(suite.folder.tree["r1.jsonl"])
    // One scenario takes as long as all others.
    let slow = text.split(separator: "\n").map { line in
      line.contains(#""name":"s3""#)
        ? String(line).replacing(/"seconds":[0-9.]+/, with: "\"seconds\":100") : String(line)
    }
    try suite.folder.write(slow.joined(separator: "\n") + "\n", to: "r1.jsonl")
    let first = await suite.recordspec("run", "--shard", "1/2", "--timings", reports[0], "--list").output
    #expect(first == "s3\n")
    let absent = await suite.recordspec("run", "--shard", "2/2", "--timings", "absent.jsonl", "--list")
    #expect(absent.status == 0)
    #expect(
      absent.errors == "warning: 'absent.jsonl' does not exist, so its durations do not balance the shards\n")
    // After an update, the report of the last run may have the format of another version.
    try suite.folder.write(#"{"type":"run","format":1}"# + "\n", to: "old.jsonl")
    let old = suite.folder.path + "/old.jsonl"
    let outdated = await suite.recordspec(
      "run", "--shard", "1/2", "--timings", reports[0], "--timings", old, "--list")
    #expect(outdated.status == 0 && outdated.output == "s3\n")
    #expect(
      outdated.errors
        == "warning: 'old.jsonl' has the format 1 of another version of recordspec, so its durations do not balance the shards\n"
    )
    try suite.folder.write("x\n", to: "old.jsonl")
    let damaged = await suite.recordspec("run", "--shard", "1/2", "--timings", old, "--list")
    #expect(damaged.status == 2 && damaged.errors.hasPrefix("error: '--timings' cannot be used: "))
  }

  @Test func aMissingShardIsNoticed() async throws {
    let suite = try await suite()
    var reports = await runShards(3, of: suite)
    reports.remove(at: 1)
    let merged = await merge(suite, reports)
    #expect(merged.status == 3)
    #expect(merged.output.contains("error: missing shard 2/3; add the report of '--shard 2/3'\n"))
    #expect(merged.output.contains(/\b[34] not finished/))
    let junit = await merge(suite, reports + ["--report", "junit"])
    #expect(junit.status == 3)
    #expect(junit.output.contains("missing shard 2/3"))
    // What has been merged is as incomplete as before.
    let partial = suite.folder.path + "/partial.jsonl"
    #expect(await merge(suite, reports + ["--report", "json=\(partial)"]).status == 3)
    #expect(try suite.folder.read("partial.jsonl").contains(#""status":3}"#))
    let again = await merge(suite, [partial])
    #expect(again.status == 3)
    #expect(again.output.contains("error: missing shard 2/3; add the report of '--shard 2/3'\n"))
  }

  /// A run that ends by a signal has an end, and scenarios without a result.
  @Test func anInterruptedShardIsNotASuccess() async throws {
    let suite = try CommandSuite(["a": scenario(), "b": scenario()])
    #expect(await suite.recordspec("bless").status == 0)
    let reports = await runShards(2, of: suite)
    var lines = try suite.folder.read("r2.jsonl").split(separator: "\n").map(String.init)
    lines.removeSubrange(1...)
    lines.append(#"{"type":"end","passed":0,"failed":1,"skipped":0,"unfinished":1,"status":3}"#)
    try suite.folder.write(lines.joined(separator: "\n") + "\n", to: "r2.jsonl")
    let merged = await merge(suite, reports)
    #expect(merged == .init(status: 3, output: "1 not finished: 1 passed, 1 failed, 0 skipped\n", errors: ""))
  }

  @Test func anEmptyReportIsAMissingShard() async throws {
    let suite = try await suite()
    let reports = await runShards(3, of: suite)
    try suite.folder.write("", to: "r2.jsonl")
    let merged = await merge(suite, reports)
    #expect(merged.status == 3)
    #expect(merged.output.contains("error: 'r2.jsonl' is empty, because its run was refused or killed\n"))
    #expect(merged.output.contains("error: missing shard 2/3; add the report of '--shard 2/3'\n"))
    let alone = await merge(suite, [reports[1]])
    #expect(
      alone
        == .init(
          status: 2, output: "", errors: "error: 'r2.jsonl' is empty, because its run was refused or killed\n"
        ))
    let timed = await suite.recordspec("run", "s1", "--shard", "1/1", "--timings", reports[1])
    #expect(timed.status == 0)
    #expect(timed.errors.hasPrefix("warning: 'r2.jsonl' is empty, because its run was refused or killed, so"))
  }

  @Test func aShardThatWasKilledIsNoticed() async throws {
    let suite = try await suite()
    let reports = await runShards(3, of: suite)
    let text = try #require(suite.folder.tree["r2.jsonl"])
    // The end, and half of the last scenario.
    let lines = text.split(separator: "\n").dropLast()
    try suite.folder.write(String(lines.joined(separator: "\n").dropLast(20)), to: "r2.jsonl")
    let merged = await merge(suite, reports)
    #expect(merged.status == 3)
    #expect(merged.output.contains("error: 'r2.jsonl' was cut off: 1 scenario is missing\n"))
    #expect(merged.output.contains("1 not finished"))
    // Without its end, a report with all scenarios may lack other errors.
    try suite.folder.write(lines.joined(separator: "\n") + "\n", to: "r2.jsonl")
    let complete = await merge(suite, reports)
    #expect(complete.status == 3)
    #expect(complete.output.contains("error: 'r2.jsonl' was cut off: 0 scenarios are missing\n"))
  }

  @Test func reportsOfDifferentRunsAreRefused() async throws {
    let suite = try await suite()
    let reports = await runShards(3, of: suite)
    func errors(_ reports: [String]) async -> String {
      let merged = await merge(suite, reports)
      #expect(merged.status == 2)
      #expect(merged.output == "")
      return merged.errors
    }
    #expect(
      await errors([reports[0], reports[0], reports[1]])
        == "error: 'r1.jsonl' and 'r1.jsonl' are reports of the same shard 1/3\n")
    _ = await suite.recordspec("run", "--shard", "3/3", "--store", "sqlite", "--report", "json=\(reports[2])")
    #expect(
      await errors(reports)
        == "error: 'r3.jsonl' and 'r1.jsonl' belong to different runs: the stores are sqlite and memory\n")
    _ = await suite.recordspec("run", "--shard", "3/4", "--report", "json=\(reports[2])")
    #expect(await errors(reports) == "error: 'r3.jsonl' and 'r1.jsonl' have different numbers of shards\n")
    _ = await suite.recordspec("run", "--shard", "3/3", "--report", "json=\(reports[2])", "s1", "s2", "s3")
    #expect(
      await errors(reports)
        == "error: 'r3.jsonl' and 'r1.jsonl' belong to different runs: the selected scenarios or their order differ; run all shards on the same commit, with the same selection and the same seed of '--shuffle'\n"
    )
  }

  @Test func shardsWithDifferentTimingsAreNoticed() async throws {
    let suite = try await suite()
    _ = await runShards(1, of: suite)
    let timings = suite.folder.path + "/timings.jsonl"
    let text = try #require(suite.folder.tree["r1.jsonl"])
    try suite.folder.write(
      text.replacing(/("name":"s1".*?"seconds":)[0-9.]+/) { "\($0.1)1000" }, to: "timings.jsonl")
    let reports = [report(1, of: suite), report(2, of: suite)]
    // With the durations, the first shard has one scenario. Without them, each has half of the scenarios.
    for (first, second, message) in [
      (["--timings", timings], [], "no shard has run 4 scenarios, because"),
      ([], ["--timings", timings], "two shards have run"),
    ] {
      _ = await suite.recordspec(["run", "--shard", "1/2", "--report", "json=\(reports[0])"] + first)
      _ = await suite.recordspec(["run", "--shard", "2/2", "--report", "json=\(reports[1])"] + second)
      let merged = await merge(suite, reports)
      #expect(merged.status == 2)
      #expect(merged.output == "")
      #expect(merged.errors.contains(message), "\(merged.errors)")
      #expect(merged.errors.contains("use the same '--timings' for all shards"))
    }
  }

  @Test func aReportThatHasLostLinesIsRefused() async throws {
    let suite = try await suite()
    let reports = await runShards(1, of: suite)
    let lines = try #require(suite.folder.tree["r1.jsonl"]).split(separator: "\n")
    try suite.folder.write(
      (lines.prefix(3) + lines.dropFirst(4)).joined(separator: "\n") + "\n", to: "r1.jsonl")
    let merged = await merge(suite, reports)
    #expect(merged.status == 2)
    #expect(
      merged.errors
        == "error: 'r1.jsonl' is damaged: it has 9 scenarios, which is not the number of the run\n")
  }

  @Test(arguments: [
    (
      "{\"type\":\"end\"}\n",
      "'r.jsonl' is not a JSON Lines report of recordspec; write one with '--report json=FILE'"
    ),
    ("FAIL  a\n", "'r.jsonl' is not a JSON Lines report: line 1 is not valid JSON"),
    // Earlier commits wrote the text of a failure under another name.
    ("{\"type\":\"run\",\"format\":1}\n", "'r.jsonl' has the format 1 of another version of recordspec"),
    ("{\"type\":\"run\",\"format\":99}\n", "'r.jsonl' has the format 99 of another version of recordspec"),
    ("{\"type\":\"run\",\"format\":2}\n", "'r.jsonl' is damaged: expected a value at '/scenarios' in line 1"),
  ])
  func otherFilesAreRefused(text: String, message: String) async throws {
    let suite = try CommandSuite()
    try suite.folder.write(text, to: "r.jsonl")
    let merged = await merge(suite, [suite.folder.path + "/r.jsonl"])
    #expect(merged == .init(status: 2, output: "", errors: "error: \(message)\n"))
  }

  @Test func detailsOfNoScenarioAreRefused() async throws {
    let suite = try await suite()
    let reports = await runShards(1, of: suite, "--details")
    let text = try #require(suite.folder.tree["r1.jsonl"])
    try suite.folder.write(
      text.replacing(#""type":"details","index":1,"#, with: #""type":"details","index":2,"#), to: "r1.jsonl")
    let merged = await merge(suite, reports)
    #expect(merged.status == 2)
    #expect(
      merged.errors.hasSuffix("belong to no scenario before them\n"), "\(merged.errors)")
  }

  /// The details stay in the file until they are needed, so that memory does not grow with them.
  @Test func detailsAreReadWhenTheyAreNeeded() async throws {
    let suite = try await suite()
    let reports = await runShards(1, of: suite, "--details")
    let report = try RecordedReport(reports[0])
    let lines = try #require(suite.folder.tree["r1.jsonl"]).split(separator: "\n")
    for (line, scenario) in zip(lines.filter { $0.contains(#""type":"details""#) }, report.scenarios) {
      let details = try #require(try report.details(ofScenario: scenario.index))
      #expect(RunEvent.detailed(details).form?.compactText() == String(line))
    }
    #expect(try report.details(ofScenario: report.scenarios.count) == nil)
    // The file is another one now.
    try suite.folder.write(lines.dropFirst(2).joined(separator: "\n"), to: "r1.jsonl")
    #expect(throws: RecordedReport.Problem.self) { try report.details(ofScenario: 1) }
    try FileManager.default.removeItem(atPath: reports[0])
    #expect(throws: RecordedReport.Problem.self) { try report.details(ofScenario: 1) }
  }

  @Test func aReportThatIsMergedIsNotReplaced() async throws {
    let suite = try await suite()
    let reports = await runShards(1, of: suite)
    let before = suite.folder.tree["r1.jsonl"]
    let merged = await merge(suite, reports + ["--report", "json=\(reports[0])"])
    #expect(merged.status == 64)
    #expect(suite.folder.tree["r1.jsonl"] == before)
  }

  /// A report is read again for its details.
  @Test func pipesCannotBeMerged() async throws {
    let suite = try CommandSuite(["a": scenario()])
    for (input, status, message) in [
      ("-", 64, "standard input cannot be merged; save the report to a file first"),
      (
        "pipe", 2,
        "'pipe' cannot be read: it is a device or a pipe, not a file; save the report to a file first"
      ),
    ] as [(String, Int32, String)] {
      let outcome = try suite.bash("mkfifo -m 600 pipe 2> /dev/null; \"$recordspec\" merge \(input)")
      #expect(outcome == .init(status: status, output: "", errors: "error: \(message)\n"))
    }
  }

  @Test func aMergedReportCanBeMergedAgain() async throws {
    let suite = try await suite()
    let once = await merge(
      suite, await runShards(3, of: suite) + ["--report", "json=\(suite.folder.path)/all.jsonl"])
    let twice = await merge(suite, [suite.folder.path + "/all.jsonl"])
    #expect(once == twice)
  }
}
