import Foundation
import JSONTree
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the errors that `recordspec check` finds, and for invalid usage.
struct CheckCommandTests {
  @Test func aValidSuite() async throws {
    let suite = try CommandSuite(["a": scenario(), "b": scenario(expected: "Bye")])
    #expect(await suite.recordspec("check") == .init(status: 0, output: "2 valid, 0 invalid\n", errors: ""))
    #expect(suite.written == [])
  }

  /// A misspelled address fails every run, so it is an error, unless the scenario is expected to fail.
  @Test func requestsAndResponsesThatDoNotMatchAreErrors() async throws {
    let text = scenario().replacing("urn: posts", with: "urn: postz")
    let suite = try CommandSuite(["a": text, "b": text + "\nxfail: {reason: known}\n"])
    let outcome = await suite.recordspec("check")
    #expect(outcome.status == 2)
    #expect(
      outcome.output.contains("error: no response for 'postz'"), "\(outcome.output)")
    // The unused response follows from the address.
    #expect(outcome.output.contains("- this response was never requested\n"), "\(outcome.output)")
    #expect(!outcome.output.contains("[unused-response]"))
    #expect(!outcome.output.contains("Scenarios/b.yaml"))
    #expect(outcome.output.hasSuffix("\n1 valid, 1 invalid\n"))
  }

  /// A body that is not JSON fails every run, so it is an error at its line, unless the author expects the failure.
  @Test func aBodyThatIsNotJSONIsAnError() async throws {
    let text = BadInput.scenario("bodyFile: _bodies/posts.json")
    let suite = try CommandSuite([
      "a": text,
      "b": text.replacing("urn: posts}", with: "urn: posts, expect: {failure: invalid-response-format}}"),
    ])
    try suite.folder.write("[\n  {\"id\": 1,}\n]\n", to: "Scenarios/_bodies/posts.json")
    let message = """
      Scenarios/_bodies/posts.json:2:12: error: the body is not valid JSON: expected a key after ',', found '}' [no-json]
      """
    let outcome = await suite.recordspec("check")
    #expect(outcome.status == 2)
    #expect(
      outcome.output.hasPrefix(message + "\n    2 |   {\"id\": 1,}\n      |            ^\n"),
      "\(outcome.output)")
    #expect(outcome.output.hasSuffix("\n1 valid, 1 invalid\n"), "\(outcome.output)")
    let run = await suite.recordspec("run", "a")
    #expect(run.output.split(separator: "\n")[1].drop { $0 == " " } == message, "\(run.output)")
    #expect(await suite.recordspec("bless", "b").status == 0)
  }

  /// The counts and the exit status agree.
  @Test func errorsOutsideOfScenariosAreCounted() async throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write(scenario(), to: "Scenarios/a.yml")
    let outcome = await suite.recordspec("check")
    #expect(outcome.status == 2 && outcome.output.hasSuffix(", 1 other error\n"), "\(outcome.output)")
  }

  @Test func allMistakesOfAllFilesAtOnce() async throws {
    let suite = try CommandSuite(["a": "titel: x", "b": scenario(more: "stepz: []"), "c": scenario()])
    let outcome = await suite.recordspec("check")
    #expect(outcome.status == 2)
    #expect(outcome.output.contains("Scenarios/a.yaml:1:1: error:"))
    #expect(outcome.output.contains("Scenarios/b.yaml:8:1: error:"))
    #expect(outcome.output.hasSuffix("\n1 valid, 2 invalid\n"))
  }

  @Test func anUnknownKeyHidesNoUnknownInverse() async throws {
    let relationship = "{to: User, inverse: psots, optoinal: true}"
    let suite = try CommandSuite([
      "a": """
      title: Two mistakes
      model:
        entities:
          Post: {primaryKey: id, attributes: {id: string}, relationships: {user: \(relationship)}}
          User: {primaryKey: id, attributes: {id: string}, relationships: {posts: {toMany: Post, inverse: user}}}
      steps: [save]

      """
    ])
    let outcome = await suite.recordspec("check")
    #expect(outcome.status == 2)
    #expect(outcome.output.contains("error: unknown key 'optoinal' [unknown-key]"), "\(outcome.output)")
    #expect(
      outcome.output.contains("error: 'User' has no relationship 'psots' [unknown-inverse]"),
      "\(outcome.output)")
    #expect(outcome.output.contains("= help: did you mean 'posts'?"))
  }

  @Test(
    arguments: sampled([
      (["run", "--halp"], "'--halp'; did you mean '--help'?"),
      (["check", "--hepl"], "did you mean '--help'?"),
      (["bless", "--yes"], "'--yes'; 'bless' does not ask; 'review' accepts"),
      (["bless", "-y"], "'-y'; 'bless' does not ask"),
      (["check", "--no-strict"], "'--no-strict'; omit '--strict', and do not set it in '.recordspec.yaml'"),
      (["run", "--no-verbose"], "omit '--verbose'"),
      // The parser reads the letter h of such words as '-h'.
      (["run", "-shard", "1/3"], "'-shard'; did you mean '--shard'?"),
      (["-watch"], "'-watch'; did you mean '--watch'?"),
      (["run", "-shuffle=7"], "'-shuffle'; did you mean '--shuffle'?"),
      (["run", "--junitxml=a.xml"], "write a report with '--report junit=FILE'"),
      (["run", "-q"], "omit it: without '--verbose', passed scenarios are not listed"),
      (["init", "-q"], "'recordspec help init' lists the options"),
      (["run", "-jobs", "4"], "did you mean '--jobs'?"),
      (["run", "-junit"], "write a report with '--report junit=FILE'"),
      (["run", "-x"], "did you mean '--fail-fast'?"),
      (["check", "-x"], "'recordspec run' has the option '--fail-fast'"),
      (["run", "--maxfail", "2"], "did you mean '--max-failures'?"),
      (["run", "--lf"], "did you mean '--last-failed'?"),
      (["run", "--changed-since", "main"], "did you mean '--changed'?"),
      (["run", "--seed", "3"], "did you mean '--shuffle'?"),
      (["run", "--retries", "3"], "failed scenarios are not retried"),
      (["run", "--no-color"], "write '--color never'"),
      (["run", "--scenario", "a"], "name the scenario without an option"),
    ]))
  func anUnknownOptionLeadsToWhatExists(arguments: [String], advice: String) async throws {
    let outcome = await (try CommandSuite(["a": scenario()])).recordspec(arguments)
    #expect(outcome.status == 64 && outcome.output == "")
    #expect(
      outcome.errors.hasPrefix("error: unknown option '") && outcome.errors.contains(advice),
      "\(outcome.errors)")
  }

  @Test func aRuleThatIsNoneIsAMistake() async throws {
    let suite = try CommandSuite(["a": scenario(covers: "merge.frist-wins")])
    for command in ["check", "run", "bless"] {
      let outcome = await suite.recordspec(command)
      #expect(outcome.status == 2)
      #expect(outcome.output.contains("did you mean 'merge.first-wins'?"))
    }
    #expect(!suite.written.contains { $0.hasPrefix("Golden/") })
  }

  @Test func rulesNameTheScenariosThatProveThem() async throws {
    let suite = try CommandSuite(["a/b": scenario(covers: "merge.first-wins"), "c": "title: x"])
    let outcome = await suite.recordspec("rules", "merge.first-wins", "--group", "subentity")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("1 scenario: a/b\n"))
    #expect(outcome.output.contains("subentity.choose"))
    #expect(outcome.errors.hasPrefix("warning: 1 scenario is invalid and not counted"))
    #expect(await !suite.recordspec("rules", "--uncovered").output.contains("merge.first-wins"))
  }

  /// Scenarios for another API prove no rules, so the listing does not report missing scenarios.
  @Test func rulesAreToldPlainlyInAFolderOfOnesOwn() async throws {
    let outcome = await (try CommandSuite(["feed": scenario()])).recordspec("rules", "subentity")
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("no scenario") && !outcome.output.contains("without a scenario"))
    #expect(
      outcome.output.hasSuffix(
        """

        2 rules
        These are the rules of the engine. A scenario may name the rules that it proves in 'covers:'.

        """))
  }

  // MARK: The page of the rules

  /// The page has the outcomes of the runs whose reports it is given, and no others.
  @Test func thePageOfTheRulesHasTheOutcomesOfReports() async throws {
    let suite = try CommandSuite([
      "a": scenario(covers: "merge.first-wins"), "b": scenario(expected: "Bye", covers: "merge.first-wins"),
      "c": "title: x",
    ])
    #expect(await suite.recordspec("bless", "a").status == 0)
    let folder = suite.folder.path
    for (store, selection) in [("memory", ["a", "b", "c"]), ("sqlite", ["b"])] {
      let report = "json=\(folder)/\(store).jsonl"
      _ = await suite.recordspec(["run", "--store", store, "--report", report] + selection)
    }
    func page(_ arguments: String...) async throws -> (CommandSuite.Outcome, HTMLPageElements) {
      let outcome = await suite.recordspec(
        ["rules", "merge.first-wins", "mapping.name", "--html", "\(folder)/rules.html"] + arguments)
      return (outcome, try HTMLPageElements(suite.folder.tree["rules.html"] ?? ""))
    }
    let (outcome, whole) = try await page(
      "--results", "\(folder)/memory.jsonl", "--results", "\(folder)/sqlite.jsonl")
    #expect(outcome.status == 0)
    #expect(outcome.output == "")
    #expect(
      outcome.errors == """
        warning: 1 scenario is invalid and not counted; 'recordspec check' prints the errors
        warning: 1 scenario of the reports is not in 'Scenarios'

        """)
    #expect(whole["run"].map { $0["stores"] } == [["memory", "sqlite"]])
    #expect(whole["scenario"].map { $0["name"] } == ["a", "b"])
    #expect(
      whole["scenario"].map { $0["outcomes"] } == [
        ["memory": "passed"], ["memory": "failed", "sqlite": "failed"],
      ])
    #expect(whole["rules"].first?.compactText().matches(of: /"id":/).count == 2)

    let (_, bare) = try await page()
    #expect(bare["run"].map { $0["stores"] } == [[]])
    #expect(bare["scenario"].map { $0["outcomes"] } == [[:], [:]])

    let (twice, _) = try await page(
      "--results", "\(folder)/sqlite.jsonl", "--results", "\(folder)/sqlite.jsonl")
    #expect(twice.status == 2)
    #expect(
      twice.errors.hasSuffix(
        "error: 'sqlite.jsonl' has the outcome of 'b' on the store sqlite, which another report has, too\n"))
  }

  @Test func thePageOfTheRulesCanGoToStandardOutput() async throws {
    let suite = try CommandSuite(["a": scenario(covers: "merge.first-wins")])
    let outcome = await suite.recordspec("rules", "--html", "-")
    #expect(outcome.output.hasPrefix("<!doctype html>"))
    #expect(suite.written == [])
    #expect(await suite.recordspec("rules", "--results", "a.jsonl").status == 64)
    let missing = await suite.recordspec("rules", "--html", "-", "--results", "a.jsonl")
    #expect(missing == .init(status: 2, output: "", errors: "error: 'a.jsonl' does not exist\n"))

    _ = await suite.recordspec("run", "--report", "json=\(suite.folder.path)/a.jsonl")
    let report = try suite.folder.read("a.jsonl")
    let cut = report.split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
    try suite.folder.write(cut, to: "a.jsonl")
    let partial = await suite.recordspec("rules", "--html", "-", "--results", "\(suite.folder.path)/a.jsonl")
    #expect((partial.status, partial.output) == (3, ""))
    #expect(partial.errors.contains("was cut off, so outcomes are missing"))
  }

  @Test func anUnknownRuleIsWrongUsage() async throws {
    let outcome = await (try CommandSuite(["a": scenario()])).recordspec("rules", "merge.frist-wins")
    #expect(
      outcome
        == .init(
          status: 64, output: "",
          errors:
            "error: unknown rule or group 'merge.frist-wins'; did you mean 'merge.first-wins'?\n"
        ))
  }

  @Test func twoFilesOfOneNameAreAProblem() async throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write(scenario(), to: "Scenarios/a.yml")
    #expect(await suite.recordspec("check").status == 2)
    #expect(await suite.recordspec("run").status == 2)
  }

  @Test(
    arguments: sampled([
      ["run", "--nope"], ["run", "--jobs", "0"], ["run", "--color", "sometimes"], ["run", "--jobs", "many"],
      ["check", "--jobs", "2"], ["check", "--golden", "Golden"], ["check", "-v"],
      ["rules", "--golden", "Golden"],
      ["rules", "-v"],
    ]))
  func wrongUsage(arguments: [String]) async throws {
    var errors = ""
    let context = CommandContext(
      environment: RunEnvironment(), execute: { await ScenarioExecution.execute($0, on: $1) },
      today: "2030-01-01",
      output: { _ in }, errors: { errors += $0 })
    #expect(await RootCommand.status(of: arguments, in: context) == 64)
    #expect(errors.hasPrefix("error: "))
  }

  @Test func warningsOfModelsAreShown() async throws {
    let suite = try CommandSuite(["a": doubtfulScenario()])
    let outcome = await suite.recordspec("check")
    #expect(
      outcome
        == .init(
          status: 0,
          output: """
            Scenarios/a.yaml:4:70: warning: 'user' has no inverse, so 'User' does not change with it [no-inverse]
                4 |     Post: {primaryKey: id, attributes: {id: string}, relationships: {user: {to: User}}}
                  |                                                                      ^^^^
                  = help: declare a relationship in 'User' and name it as 'inverse'

            1 valid, 0 invalid, 1 warning

            """, errors: ""))
    #expect(await suite.recordspec("check", "--allow-empty").status == 0)
    #expect(suite.written == [])
  }

  @Test func strictMakesWarningsErrors() async throws {
    let suite = try CommandSuite(["a": doubtfulScenario()])
    let outcome = await suite.recordspec("check", "--strict")
    #expect(outcome.status == 2)
    #expect(outcome.output.hasPrefix("Scenarios/a.yaml:4:70: error: 'user' has no inverse"))
    #expect(outcome.output.hasSuffix("\n1 valid, 0 invalid, 1 warning treated as an error\n"))
    #expect(await (try CommandSuite(["a": scenario()])).recordspec("check", "--strict").status == 0)
  }

  @Test func warningsAsJSON() async throws {
    let unread = try String(contentsOfFile: "\(WarnedFiles.folder)/changing-type.yaml", encoding: .utf8)
    let suite = try CommandSuite(["a": unread, "b": "titel: x"])
    let outcome = await suite.recordspec("check", "--json")
    #expect(outcome.status == 2)
    let expected = """
      {
        "diagnostics": [
          {
            "code": "changing-type",
            "column": 22,
            "endColumn": 27,
            "endLine": 7,
            "file": "Scenarios/a.yaml",
            "help": "write values of one type, or allow the warning if the server sends both",
            "line": 7,
            "message": "the value of 'likes' of 'Post' is a number or a string, depending on the response",
            "notes": [
              {
                "column": 22,
                "endColumn": 27,
                "endLine": 8,
                "file": "Scenarios/a.yaml",
                "line": 8,
                "message": "a string"
              }
            ],
            "severity": "warning"
          },
          {
            "code": "missing-key",
            "column": 1,
            "endColumn": 6,
            "endLine": 1,
            "file": "Scenarios/b.yaml",
            "help": "write 'model: {entities: {…}}', or name a model file, as in 'model: app.model.yaml'",
            "line": 1,
            "message": "missing key 'model' in a scenario",
            "severity": "error"
          },

      """
    #expect(outcome.output.hasPrefix(expected), "\(outcome.output)")
    let whole = await (try CommandSuite(["a": scenario()])).recordspec("check", "--json")
    #expect(
      whole
        == .init(status: 0, output: #"{ "diagnostics": [], "invalid": 0, "valid": 1 }"# + "\n", errors: ""))
  }
}
