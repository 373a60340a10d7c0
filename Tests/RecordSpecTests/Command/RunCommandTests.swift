import Foundation
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the output of `recordspec run`, its exit status and the files that it writes.
struct RunCommandTests {
  @Test func aSuiteAsExpectedSaysItsNumbersAlone() async throws {
    let suite = try await blessed(["a/one": scenario(), "b": scenario()])
    #expect(
      await suite.recordspec("run") == .init(status: 0, output: "2 passed, 0 failed, 0 skipped\n", errors: "")
    )
    #expect(suite.written == ["Golden/a/one.json", "Golden/b.json"])
  }

  @Test func runIsTheDefaultCommand() async throws {
    let suite = try await blessed(["a": scenario()])
    #expect(await suite.recordspec().output == "1 passed, 0 failed, 0 skipped\n")
  }

  @Test func aMissingGoldenFileIsNewAndNotWritten() async throws {
    let suite = try CommandSuite(["a": scenario()]).inCI()
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("create it with: recordspec bless a\n"))
    #expect(suite.written == [])
  }

  @Test func aChangedResponseDiffersFromTheGoldenFile() async throws {
    let suite = try await blessed(["a": scenario()])
    try suite.folder.write(scenario(text: "Bye", expected: "Bye"), to: "Scenarios/a.yaml")
    let before = suite.folder.tree["Golden/a.json"]
    #expect(
      await suite.recordspec("run").output == """
        FAIL  a: One post

          Golden/a.json
            Post/1: 'text' has a different value
              expected: string "Hello"
              actual:   string "Bye"
          accept it with: recordspec bless a

        0 passed, 1 failed, 0 skipped

        """)
    #expect(suite.folder.tree["Golden/a.json"] == before)
  }

  @Test func failuresStandLastAndAreCountedApartFromWhatIsNew() async throws {
    let suite = try CommandSuite([
      "a": scenario(expected: "Bye"), "b": scenario(), "c": "titel: x", "d": scenario(),
    ])
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 2)
    let heads = outcome.output.split(separator: "\n").filter { $0.contains(/^[A-Z]{3}/) }
    #expect(heads == ["NEW   b: One post", "NEW   d: One post", "FAIL  a: One post", "INVALID c"])
    #expect(
      outcome.output.hasSuffix("\n\n2 new, 1 invalid: 0 passed, 4 failed, 0 skipped\n"))
  }

  @Test func warningsOfWhatIsWellAreCountedAndOthersShown() async throws {
    let suite = try CommandSuite([
      "a": doubtfulScenario(), "b": doubtfulScenario(), "c": doubtfulScenario(expected: "none"),
    ])
    let outcome = await suite.recordspec("run")
    #expect(
      outcome.output.contains(
        "\n2 warnings; 'recordspec check' prints them\n\nFAIL  c: A doubtful model\n"))
    #expect(outcome.output.matches(of: #/: warning: /#).count == 1)
    #expect(outcome.output.contains("\n  Scenarios/c.yaml:4:70: warning: "))
    let blessed = await suite.recordspec("bless")
    #expect(
      blessed.output.hasSuffix(
        "2 warnings; 'recordspec check' prints them\n2 blessed, 0 unchanged, 1 refused\n"))
    #expect(
      await suite.recordspec("run", "a").output
        == "1 warning; 'recordspec check' prints it\n1 passed, 0 failed, 0 skipped\n")
  }

  /// By default, golden files are next to the scenarios, as in a test target.
  @Test func goldenFilesLieBesideTheScenarios() async throws {
    let suite = try CommandSuite(["a": scenario()])
    func recordspec(_ arguments: String...) async -> String {
      var output = ""
      let context = CommandContext(
        environment: RunEnvironment(), execute: { await ScenarioExecution.execute($0, on: $1) },
        today: "2030-01-01", output: { output += $0 }, errors: { output += $0 })
      _ = await RootCommand.status(of: arguments, in: context)
      return output
    }
    let scenarios = suite.folder.path + "/Scenarios"
    let new = await recordspec("run", "--scenarios", scenarios + "/")
    #expect(new.contains("no golden file: \(suite.folder.path)/Golden/a.json\n"), "\(new)")
    #expect(new.contains("create it with: recordspec bless --scenarios \(scenarios) a\n"), "\(new)")
    _ = await recordspec("bless", "--scenarios", scenarios, "a")
    #expect(suite.written.contains("Golden/a.json"))
    let folder = URL(fileURLWithPath: scenarios)
    let test = try #require(try Scenarios(in: folder).first)
    let outcome = try await test.check(
      registering: .init(), environment: RunEnvironment(), today: "2030-01-01", output: { _ in })
    #expect(outcome == .passed)
  }

  @Test(arguments: [
    ("Scenarios", "Golden"), ("Tests/App/Scenarios", "Tests/App/Golden"), ("/Scenarios", "/Golden"),
    ("../Scenarios", "../Golden"), (".", "./../Golden"), ("..", "../../Golden"),
  ])
  func theFolderBesideTheScenarios(scenarios: String, golden: String) {
    #expect(GoldenFolder.standardPath(besides: scenarios) == golden)
  }

  @Test func aFailedExpectationFailsTheRun() async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")])
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("Scenarios/a.yaml:7:35: error: Post/1: 'text' has a different value [changed]"))
  }

  @Test func aGoldenFileInAnotherFormWantsToBeBlessed() async throws {
    let suite = try await blessed(["a": scenario()])
    try suite.folder.write(try suite.folder.read("Golden/a.json") + "\n", to: "Golden/a.json")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("Golden/a.json\n    has the right content, but not the canonical form\n"))
  }

  @Test func windowsLineEndsAreNamed() async throws {
    let suite = try await blessed(["a": scenario()])
    let good = try suite.folder.read("Golden/a.json")
    try suite.folder.write(good.replacing("\n", with: "\r\n"), to: "Golden/a.json")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        """
          Golden/a.json
            has Windows line endings (CRLF)
          rewrite it with: recordspec bless a

        """), "\(outcome.output)")
    #expect(await suite.recordspec("bless").status == 0)
    #expect(try suite.folder.read("Golden/a.json") == good)
  }

  @Test func anInvalidFileDoesNotStopTheOthers() async throws {
    let suite = try await blessed(["a": scenario(), "b": scenario()])
    try suite.folder.write("titel: x", to: "Scenarios/a.yaml")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 2)
    #expect(outcome.output.hasSuffix("1 invalid: 1 passed, 1 failed, 0 skipped\n"))
    #expect(outcome.output.contains("did you mean 'title'?"))
  }

  /// An error in a model is reported once, even if several scenarios use the model, by every command.
  @Test func aMistakeInASharedModelIsToldOnce() async throws {
    let use =
      "title: A\nmodel: blog.model.yaml\nresponses: {posts: {body: []}}\nsteps: [{request: Post, urn: posts}]\n"
    let suite = try CommandSuite(["a": use, "b": use + "stepz: []\n", "c": use])
    try suite.folder.write(
      "entities:\n  Post: {primaryKey: uid, attributes: {id: string, text: strng}}\n",
      to: "Scenarios/blog.model.yaml")
    let mistakes = """
        Scenarios/blog.model.yaml:2:22: error: 'Post' has no property 'uid' [unknown-key-property]
            2 |   Post: {primaryKey: uid, attributes: {id: string, text: strng}}
              |                      ^^^
              = help: did you mean 'id'?

        Scenarios/blog.model.yaml:2:58: error: unknown type 'strng' [unknown-value]
            2 |   Post: {primaryKey: uid, attributes: {id: string, text: strng}}
              |                                                          ^^^^^
              = expected: int16, int32, int64, float, double, decimal, boolean, string, date, binary, uuid, uri or transformable
              = help: did you mean 'string'?

      """
    let ofB = """
        Scenarios/b.yaml:5:1: error: unknown key 'stepz' [unknown-key]
            5 | stepz: []
              | ^^^^^
              = help: did you mean 'steps'?

      """
    let above = "  'Scenarios/blog.model.yaml' has errors, see above\n"
    let run = await suite.recordspec("run")
    #expect(run.status == 2)
    #expect(
      run.output == """
        INVALID a: A

        \(mistakes)
        INVALID b: A

        \(ofB)
        \(above)
        INVALID c: A

        \(above)
        3 invalid: 0 passed, 3 failed, 0 skipped

        """)
    let bless = await suite.recordspec("bless").output
    #expect(bless.matches(of: /'Post' has no property 'uid'/).count == 1)
    #expect(bless.contains("INVALID c: A\n\n\(above)\n  not blessed: the scenario is invalid\n"))
    let check = await suite.recordspec("check").output
    #expect(check.matches(of: /'Post' has no property 'uid'/).count == 1)
    var gitHub = suite
    gitHub.variables["GITHUB_ACTIONS"] = "true"
    let annotations = await gitHub.recordspec("run").output
    #expect(annotations.matches(of: /::error [^\n]*'Post' has no property 'uid'/).count == 1)
  }

  @Test func warningsOfASharedModelAreShownOnce() async throws {
    let use =
      "title: A\nmodel: blog.model.yaml\nresponses: {posts: {body: []}}\nsteps: [{request: Post, urn: posts}]\n"
      + "expect: {graph: {Post: {count: 1}}}\n"
    let suite = try CommandSuite(["a": use, "b": use])
    try suite.folder.write(
      "entities: {Post: {primaryKey: id, attributes: {id: string}, relationships: {user: {to: Post}}}}\n",
      to: "Scenarios/blog.model.yaml")
    let output = await suite.recordspec("run").output
    #expect(output.matches(of: /the number of records differs/).count == 2)
    #expect(output.matches(of: /\[no-inverse\]/).count == 1)
  }

  @Test func skippedAndExpectedFailuresAreGreen() async throws {
    let suite = try CommandSuite([
      "a": scenario(more: "skip: later"), "b": scenario(expected: "Bye", more: "xfail: {reason: known}"),
    ])
    #expect(
      await suite.recordspec("run")
        == .init(
          status: 0, output: "skip  a: later\n1 expected failure: 1 passed, 0 failed, 1 skipped\n",
          errors: ""
        ))
  }

  @Test func anExpectedFailureThatPassesIsTold() async throws {
    let suite = try CommandSuite(["a": scenario(more: "xfail: {reason: known}")])
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("the scenario passes, but is marked as an expected failure"))
  }

  @Test func anExpectedFailureIsKnownUntilItsDay() async throws {
    func outcome(_ day: String) async throws -> CommandSuite.Outcome {
      try await CommandSuite([
        "a": scenario(expected: "Bye", more: "xfail: {reason: known, until: \"\(day)\"}")
      ]).recordspec("run")
    }
    #expect(try await outcome("2030-01-02").status == 0)
    #expect(try await outcome("2030-01-01").status == 1)
    #expect(
      try await outcome("2030-01-01").output.contains(
        "the expected failure has expired: 'until' is 2030-01-01"))
  }

  @Test func obsoleteGoldenFilesAreNamedAndFailInCI() async throws {
    let suite = try await blessed(["a": scenario()])
    try suite.folder.write("{}", to: "Golden/gone.json")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("  Golden/gone.json\nremove them with: recordspec bless --prune\n"))
    #expect(await suite.inCI().recordspec("run").status == 1)
    #expect(suite.folder.exists("Golden/gone.json"))
  }

  @Test func aGoldenFileOfASkippedOrUnselectedScenarioIsNotObsolete() async throws {
    let suite = try await blessed(["a": scenario(), "b": scenario()])
    try suite.folder.write(scenario(more: "skip: later"), to: "Scenarios/a.yaml")
    #expect(await suite.inCI().recordspec("run").status == 0)
    #expect(await suite.inCI().recordspec("run", "b").output == "1 passed, 0 failed, 0 skipped\n")
  }

  @Test func whatBreaksIsNotTheScenariosFault() async throws {
    let suite = try CommandSuite(["a": scenario()])
    let outcome = await suite.recordspec("run") { _, _ in
      ExecutedScenario(snapshot: ScenarioSnapshot(), breakage: Breakage("the store is on fire"))
    }
    #expect(outcome.status == 3)
    #expect(outcome.output.contains("the store is on fire\n  this is a bug in recordspec\n"))
  }

  @Test func outputDoesNotDependOnTheJobs() async throws {
    let names = (1...40).map { "s\($0)" }
    let suite = try CommandSuite(
      Dictionary(uniqueKeysWithValues: names.map { ($0, scenario(expected: "Bye \($0)")) }))
    let slow: ScenarioExecutor = { scenario, store in
      // The first scenarios end last.
      for _ in 0..<(scenario.name.count == 2 ? 200 : 1) { await Task.yield() }
      return await ScenarioExecution.execute(scenario, on: store)
    }
    let one = await suite.recordspec("run", "--jobs", "1", execute: slow)
    let many = await suite.recordspec("run", "-j16", execute: slow)
    #expect(one.status == 1)
    #expect(one == many)
  }

  @Test func gitHubGetsAnnotationsAndASummary() async throws {
    var suite = try CommandSuite(["a": scenario(expected: "Bye")])
    suite.variables = [
      "GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_STEP_SUMMARY": suite.folder.path + "/summary.md",
    ]
    try suite.folder.write("before\n", to: "summary.md")
    let outcome = await suite.recordspec("run")
    #expect(outcome.output.contains("::error file=Scenarios/a.yaml,line=7,endLine=7,col=35,"))
    // GitHub reads both streams.
    let junit = await suite.recordspec("run", "--report", "junit")
    #expect(junit.output.hasSuffix("</testsuites>\n"))
    #expect(
      junit.errors == outcome.output.split(separator: "\n").filter { $0.hasPrefix("::") }.joined(
        separator: "\n") + "\n")
    try suite.folder.write("before\n", to: "summary.md")
    #expect(await suite.recordspec("run").status == 1)
    let summary = try suite.folder.read("summary.md")
    // The summary is the Markdown report.
    #expect(await suite.recordspec("run", "--report", "markdown=\(suite.folder.path)/report.md").status == 1)
    #expect(try summary == "before\n" + suite.folder.read("report.md"))
    #expect(summary.hasPrefix("before\n## RecordSpec\n\n0 passed, 1 failed, 0 skipped\n"), "\(summary)")
  }

  @Test func commandsOfAStepShareTheSummary() async throws {
    var suite = try CommandSuite(["a": scenario(expected: "Bye")])
    let path = suite.folder.path + "/summary.md"
    suite.variables = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": path]
    #expect(await suite.recordspec("run").status == 1)
    #expect(try suite.folder.read("summary.md").contains("<details>"))
    // Another command of the step has used the room.
    try suite.folder.write(String(repeating: "x", count: 999_500) + "\n", to: "summary.md")
    #expect(await suite.recordspec("run").status == 1)
    let summary = try suite.folder.read("summary.md")
    #expect(summary.utf8.count < 1 << 20)
    let own = summary.dropFirst(999_501)
    #expect(own.hasPrefix("## RecordSpec\n\n0 passed, 1 failed, 0 skipped\n"))
    #expect(own.hasSuffix("\n1 more, which have no room here\n") && !own.contains("<details>"))
    #if os(Linux)
      suite.variables["GITHUB_STEP_SUMMARY"] = "/dev/full"
      let full = await suite.recordspec("run")
      #expect(full.status == 3)
      #expect(
        full.errors
          == "error: the GitHub step summary '/dev/full' cannot be written: No space left on device\n")
    #endif
    suite.variables["GITHUB_STEP_SUMMARY"] = "/dev/null"
    #expect(await suite.recordspec("run").status == 1)
  }

  /// A run that is refused has no report.
  @Test func gitHubGetsAnnotationsOfARefusedRun() async throws {
    var suite = try CommandSuite(["a": scenario()])
    suite.variables = ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": suite.folder.path]
    try suite.folder.write("bogus: 1\n", to: ".recordspec.yaml")
    let outcome = await suite.recordspec("run", "--report", "junit")
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(
      outcome.errors.contains(
        "\n::error file=.recordspec.yaml,line=1,endLine=1,col=1,endColumn=6::unknown key 'bogus'%0Aexpected: "
      ),
      "\(outcome.errors)")
  }

  /// The command may run in a folder of the repository.
  @Test func annotationsHavePathsInTheRepository() async throws {
    var suite = try CommandSuite(["a": scenario(expected: "Bye")])
    let folder = URL(fileURLWithPath: suite.folder.path)
    for (workspace, path) in [
      (folder.path, "Scenarios/a.yaml"),
      (folder.deletingLastPathComponent().path, "\(folder.lastPathComponent)/Scenarios/a.yaml"),
    ] {
      suite.variables = ["GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": workspace]
      let outcome = await suite.recordspec("run")
      #expect(outcome.output.contains("::error file=\(path),line="), "\(outcome.output)")
    }
  }

  @Test func aReportThatCannotBeWrittenBreaksTheRun() async throws {
    var suite = try await blessed(["a": scenario()])
    suite.variables = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": suite.folder.path + "/Golden"]
    #expect(await suite.recordspec("run").status == 3)
  }
}

func blessed(_ scenarios: [String: String]) async throws -> CommandSuite {
  let suite = try CommandSuite(scenarios)
  await suite.recordspec("bless")
  return suite
}
