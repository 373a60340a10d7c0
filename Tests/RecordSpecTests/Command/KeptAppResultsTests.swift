import Foundation
import JSONTree
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioRun

/// Tests for the results that failed tests of apps keep. The command line cannot run their adapters.
struct KeptAppResultsTests {
  private static let scenario = """
    title: Posts
    tables: {post: id}
    steps: [{call: add}]
    expect: {graph: {post: {count: 1}}}
    """
  private static let note =
    "note: the scenario runs an app, so this is the result of its last test run\n"
  private static let reason = "error: 'a' runs an app, and only the engine knows where values come from\n"

  /// Runs a scenario as a test and returns the text of its failure; nil if it passes. The app stores one row.
  private func test(
    in suite: CommandSuite, row: JSONObject = ["id": 1, "text": "Hello"]
  ) async throws -> String? {
    let folder = URL(fileURLWithPath: suite.path("Scenarios"))
    let test = try #require(try Scenarios(in: folder).first { $0.name == "a" })
    let makeApp: @Sendable () -> any ScenarioApp = {
      FakeApp([
        "add": { app, _ in
          await app.set("post", [row])
          return .success
        }
      ])
    }
    do {
      _ = try await test.check(
        registering: ScenarioRegistrations(), environment: RunEnvironment(variables: suite.variables),
        today: "2030-01-01", app: ("FakeApp", makeApp), output: { _ in })
      return nil
    } catch {
      return error.description.replacing(suite.folder.path + "/", with: "")
    }
  }

  /// A scenario can break before its tables are known, and after that.
  @Test(arguments: ["call: ad", "reopen: true}, {call: ad", "call: add}, {reopen: true}, {call: ad"])
  func theResultOfABrokenTestIsShown(steps: String) async throws {
    let suite = try CommandSuite(["a": Self.scenario.replacing("call: add", with: steps)])
    let failure = try #require(try await test(in: suite))
    #expect(failure.hasSuffix("  see the result with: recordspec show --scenarios Scenarios a"), "\(failure)")
    let shown = await suite.recordspec("show", "a")
    #expect(shown.status == 3)
    #expect(shown.output.hasPrefix("a: Posts\n"), "\(shown.output)")
    #expect(shown.errors.hasPrefix(Self.note + "error: the scenario ended after step "), "\(shown.errors)")
    #expect(shown.errors.contains("the adapter has no action 'ad'; did you mean 'add'?"))
    #expect(await suite.recordspec("graph", "a").output.hasPrefix("<svg "))
    #expect(await suite.recordspec("bless", "a").status == 2)
  }

  /// In contrast to those of a model, the names of columns can be any text.
  @Test func tablesWithAnyNamesAreShown() async throws {
    let suite = try CommandSuite(["a": Self.scenario])
    #expect(try await test(in: suite, row: ["id": 1, "first-name": "Ada", "a/b c": 2]) != nil)
    let shown = await suite.recordspec("show", "a", "post/1")
    #expect(shown.status == 0, "\(shown)")
    #expect(shown.output.contains(#"first-name  string "Ada""#), "\(shown.output)")
    try suite.folder.write(Self.scenario + "\n# more", to: "Scenarios/a.yaml")
    #expect(
      await suite.recordspec("show", "a", "post/1").errors == Self.note
        + "warning: 'Scenarios/a.yaml' has changed since then; run the test again\n")
  }

  @Test func theResultOfATestIsBlessedAndReviewed() async throws {
    let suite = try CommandSuite(["a": Self.scenario])
    #expect(try await test(in: suite) != nil)
    let blessed = await suite.recordspec("bless", "a")
    #expect(blessed.status == 0)
    #expect(blessed.output.hasSuffix("1 blessed, 0 unchanged, 0 refused\n"), "\(blessed.output)")
    #expect(blessed.errors.hasPrefix("note: 'a' was blessed from the result of its last test run"))
    #expect(try await test(in: suite) == nil)

    #expect(try await test(in: suite, row: ["id": 1, "text": "Bye"]) != nil)
    let listed = await suite.recordspec("review")
    #expect(listed.status == 1)
    #expect(listed.output.contains("'text' has a different value"), "\(listed.output)")
    #expect(listed.output.hasSuffix("0 blessed, 1 pending\n"))
    #expect(await suite.recordspec("bless").output.hasSuffix("1 blessed, 0 unchanged, 0 refused\n"))
    #expect(try suite.folder.read("Golden/a.json").contains("Bye"))

    #expect(try await test(in: suite) != nil)
    try suite.folder.write(Self.scenario + "\n# more", to: "Scenarios/a.yaml")
    let changed = await suite.recordspec("bless", "a")
    #expect(changed.status == 2)
    #expect(
      changed.output.contains("not blessed: 'Scenarios/a.yaml' has changed since the last test run"),
      "\(changed.output)")
  }

  /// Nothing was done, which must not look like a success.
  @Test func withoutAResultNothingIsBlessedOrReviewed() async throws {
    let suite = try CommandSuite(["a": Self.scenario])
    let remark =
      "1 scenario did not run, because it runs an app; an adapter in Swift runs with 'swift test'; describe any other in .recordspec.yaml, and name it with '--adapter'\n"
    let blessed = await suite.recordspec("bless")
    #expect(blessed.status == 4)
    #expect(blessed.output.hasSuffix("0 blessed, 0 unchanged, 0 refused\n" + remark), "\(blessed.output)")
    let reviewed = await suite.recordspec("review")
    #expect(reviewed == .init(status: 4, output: "nothing to review\n", errors: remark))
    let run = await suite.recordspec("run")
    #expect(run.status == 4 && run.output.hasSuffix(remark))
    // Other scenarios are blessed as usual.
    let both = try CommandSuite(["a": Self.scenario, "b": RecordSpecTests.scenario()])
    #expect(await both.recordspec("bless").status == 0)
    #expect(await both.recordspec("review").status == 0)
  }

  @Test func theResultOfATestIsNotExplained() async throws {
    let suite = try CommandSuite(["a": Self.scenario])
    #expect(try await test(in: suite) != nil)
    let explained = await suite.recordspec("explain", "a", "post/1")
    #expect(explained.status == 64)
    #expect(explained.errors.hasPrefix(Self.reason), "\(explained.errors)")
    let kept = await suite.recordspec("explain", "a", "--from", suite.path(".recordspec/kept"))
    #expect(kept.status == 64)
    #expect(kept.errors.hasPrefix(Self.reason), "\(kept.errors)")
  }
}
