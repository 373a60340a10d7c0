import Foundation
import RecordEngine
import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the results that failed tests keep, and that the command line shows and blesses.
struct KeptTestResultsTests {
  private func names(in suite: CommandSuite) -> [String] {
    suite.written.filter { $0.hasPrefix(".recordspec/kept/Scenarios/") }.map { String($0.dropFirst(27)) }
  }

  private static let hooked = scenario().replacing(
    "urn: posts", with: "urn: posts, options: {hooks: [later]}")
  private static let later = ScenarioRegistrations(hooks: ["later": { _ in }])

  /// Runs a scenario as a test and returns the text of its failure; nil if it passes.
  private func test(
    _ name: String, in suite: CommandSuite, registering registrations: ScenarioRegistrations = later,
    model: ManagedObjectModel? = nil
  ) async throws -> String? {
    let folder = URL(fileURLWithPath: suite.path("Scenarios"))
    let test = try #require(try Scenarios(in: folder).first { $0.name == name })
    do {
      _ = try await test.check(
        model: model, registering: registrations, environment: RunEnvironment(variables: suite.variables),
        today: "2030-01-01", output: { _ in })
      return nil
    } catch {
      return error.description.replacing(suite.folder.path + "/", with: "")
    }
  }

  private static let note =
    "note: the scenario uses Swift code, so this is the result of its last test run\n"

  @Test func theResultOfATestIsShown() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    let missing = await suite.recordspec("show", "a")
    #expect(missing.status == 2)
    #expect(missing.errors.contains("the hook 'later' is Swift code"))
    #expect(
      missing.errors.hasSuffix(
        "error: there is no kept result of 'a'; a test run keeps one if the scenario fails\n"))

    let failure = try #require(try await test("a", in: suite))
    #expect(failure.hasSuffix("  see the result with: recordspec show --scenarios Scenarios a"), "\(failure)")
    let shown = await suite.recordspec("show", "a", "Post/1")
    #expect(
      shown
        == .init(
          status: 0, output: "Post/1\n  id    string \"1\"\n  text  string \"Hello\"\n", errors: Self.note))
    #expect(await suite.recordspec("graph", "a").output.hasPrefix("<svg "))

    try suite.folder.write(Self.hooked + "\n# more", to: "Scenarios/a.yaml")
    #expect(
      await suite.recordspec("show", "a").errors == Self.note
        + "warning: 'Scenarios/a.yaml' has changed since then; run the test again\n")
  }

  /// The result of a test is explained with the text of a run without the Swift code, which changes nothing here.
  @Test func theResultOfATestIsExplained() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    let missing = await suite.recordspec("explain", "a")
    #expect(missing.status == 2)
    #expect(missing.errors.hasSuffix("a test run keeps one if the scenario fails\n"), "\(missing.errors)")
    let plain = try CommandSuite(["a": scenario()])
    #expect(try await test("a", in: suite) != nil)
    for arguments in [[], ["Post/1"], ["Post/1.text"], ["Post/1.text", "--json"], ["--json"]] {
      let kept = await suite.recordspec(["explain", "a"] + arguments)
      let run = await plain.recordspec(["explain", "a"] + arguments)
      #expect(run.output.contains("Hello") || arguments.first != "Post/1.text")
      #expect(kept == .init(status: 0, output: run.output, errors: Self.note))
    }
    #expect(await suite.recordspec("explain", "a", "Post/2").status == 64)
    try suite.folder.write(Self.hooked + "\n# more", to: "Scenarios/a.yaml")
    let changed = await suite.recordspec("explain", "a", "Post/1")
    #expect(changed.status == 0)
    #expect(
      changed.errors == Self.note
        + "warning: 'Scenarios/a.yaml' has changed since then; run the test again\n")
  }

  /// Explanations of another result would be wrong.
  @Test func explanationsOfAnotherResultAreNotKept() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    let counter = EventCounter()
    let registrations = ScenarioRegistrations(hooks: [
      "later": { options in
        options.prePopulation = { _ in ["id": "1", "text": .string("\(counter.note())")] }
      }
    ])
    #expect(try await test("a", in: suite, registering: registrations) != nil)
    let outcome = await suite.recordspec("explain", "a")
    #expect(outcome.status == 3)
    #expect(
      outcome.errors == Self.note
        + "error: '.recordspec/kept/Scenarios/a.kept.json' has no explanations: the scenario was run again for them, with another result\n"
    )
  }

  @Test func theResultOfATestWithARegisteredModelIsShown() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)])
    ])
    let suite = try CommandSuite([
      "a": scenario().replacing(/model: .*/, with: "model: {registered: App}"),
      "b": scenario(expected: "Bye"),
    ])
    #expect(try await test("a", in: suite, registering: .init(models: ["App": model])) != nil)
    #expect(await suite.recordspec("show", "a").output.hasSuffix("  Post/1  1   Hello\n"))
    // A model that replaces that of the scenario is Swift code, too.
    #expect(try await test("b", in: suite, registering: .init(), model: model) != nil)
    #expect(await suite.recordspec("show", "b").errors == Self.note)
    // After a change, the command line can run the scenario, but not like the test.
    try suite.folder.write(scenario(text: "Later", expected: "Bye"), to: "Scenarios/b.yaml")
    let later = await suite.recordspec("show", "b")
    #expect(later.output.hasSuffix("  Post/1  1   Later\n"))
    #expect(
      later.errors
        == "warning: the last test run used Swift code, which is missing here; 'Scenarios/b.yaml' has changed since then\n"
    )
    // Without Swift code, the scenario is simply run again.
    #expect(try await test("b", in: suite, registering: .init()) != nil)
    #expect(await suite.recordspec("show", "b").errors == "")
  }

  @Test func aTestThatPassesRemovesItsResult() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    #expect(try await test("a", in: suite) != nil)
    #expect(names(in: suite) == ["a.kept.json"])
    #expect(await suite.recordspec("bless", "a").status == 0)
    #expect(try await test("a", in: suite) == nil)
    #expect(names(in: suite) == [])
  }

  @Test func inCIATestKeepsNothing() async throws {
    let suite = try CommandSuite(["a": Self.hooked, "b": scenario()]).inCI()
    let failure = try #require(try await test("a", in: suite))
    #expect(!failure.contains("recordspec show"))
    #expect(suite.written == [])
    // The command line can run the other scenario.
    #expect(try await test("b", in: suite, registering: .init())?.contains("recordspec show") == true)
  }

  @Test func aTestInAReadOnlyFolderKeepsNothing() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    try suite.folder.write("a file", to: ".recordspec")
    let failure = try #require(try await test("a", in: suite))
    #expect(!failure.contains("recordspec show"))
    #expect(suite.written == [".recordspec"])
  }

  /// The command line cannot reproduce the result, so that it neither replaces nor removes it.
  @Test func aRunDoesNotTouchTheResultOfATestWithSwiftCode() async throws {
    let suite = try CommandSuite(["a": Self.hooked, "b": scenario()])
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)])
    ])
    #expect(try await test("a", in: suite) != nil)
    #expect(try await test("b", in: suite, registering: .init(), model: model) != nil)
    let files = ["a", "b"].map { ".recordspec/kept/Scenarios/\($0).kept.json" }
    let before = try files.map { try suite.folder.read($0) }
    #expect(before.allSatisfy { $0.contains("\"usesSwiftCode\":true") })
    await suite.recordspec("run")
    #expect(try files.map { try suite.folder.read($0) } == before)
    await suite.recordspec("bless", "b")
    await suite.recordspec("run")
    #expect(try files.map { try suite.folder.read($0) } == before)
    // A test that passes removes it, and so does a run if the scenario is gone.
    #expect(try await test("b", in: suite, registering: .init(), model: model) == nil)
    try FileManager.default.removeItem(atPath: suite.path("Scenarios/a.yaml"))
    await suite.recordspec("run")
    #expect(names(in: suite) == [])
  }

  // MARK: Blessing

  @Test func anEmptyResultIsBlessedOnlyIfItIsAllowed() async throws {
    let suite = try CommandSuite([
      "a": Self.hooked.replacing(/body: .*/, with: "body: []}}").replacing(/expect: .*/, with: "")
    ])
    #expect(try await test("a", in: suite) != nil)
    let refused = await suite.recordspec("bless", "a")
    #expect(refused.status == 1)
    #expect(refused.output.hasSuffix("0 blessed, 0 unchanged, 1 refused\n"))
    #expect(
      refused.output.contains("step 1 has no records, and 'expect:' does not say so"), "\(refused.output)")
    #expect(refused.errors == "" && !suite.folder.exists("Golden"))
    #expect(await suite.recordspec("bless", "a", "--allow-diagnostics").status == 0)
    #expect(suite.folder.exists("Golden/a.json"))
  }

  /// A review shows the result of a test that the command line cannot run, and refuses it after a change of its files.
  @Test func theResultOfATestIsReviewed() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    #expect(
      await suite.recordspec("review")
        == .init(
          status: 1, output: "nothing to review\n",
          errors: "a is not reviewed: there is no kept result of a test run\n"))
    #expect(
      await suite.recordspec("review", "--json").output
        == """
        {
          "failing": [],
          "notReviewed": [
            { "reason": "there is no kept result of a test run", "scenario": "a" }
          ],
          "questions": []
        }

        """)
    #expect(try await test("a", in: suite) != nil)
    let reviewed = await suite.typing("a").recordspec("review")
    #expect(reviewed.status == 0)
    #expect(reviewed.output.contains("new Golden/a.json\n"))
    #expect(reviewed.output.hasSuffix("1 blessed, 0 pending\n"))
    #expect(
      reviewed.errors
        == "note: 'a' was blessed from the result of its last test run; changes of Swift code since then are not detected\n"
    )
    try suite.folder.write(Self.hooked.replacing("Hello", with: "Bye"), to: "Scenarios/a.yaml")
    let changed = await suite.recordspec("review")
    #expect(changed.status == 1)
    #expect(
      changed.errors.hasPrefix("a is not reviewed: ") && changed.errors.contains("since the last test run"))
  }

  @Test func theResultOfATestIsBlessed() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    #expect(try await test("a", in: suite) != nil)
    #expect(
      await suite.recordspec("bless", "a")
        == .init(
          status: 0,
          output: """
            new     a
                    Golden/a.json
                    1 record:
                      1 Post  Post/1 {id: "1", text: "Hello"}
            1 blessed, 0 unchanged, 0 refused

            """,
          errors:
            "note: 'a' was blessed from the result of its last test run; changes of Swift code since then are not detected\n"
        ))
    let golden = try suite.folder.read("Golden/a.json")
    #expect(golden.contains(#""Post/1": { "id": "1", "text": "Hello" }"#))

    let changed = Self.hooked.replacing("Hello", with: "Bye")
    try suite.folder.write(changed, to: "Scenarios/a.yaml")
    #expect(try await test("a", in: suite) != nil)
    #expect(
      await suite.recordspec("bless", "a").output == """
        changed a

          Golden/a.json
            Post/1: 'text' has a different value
              expected: string "Hello"
              actual:   string "Bye"

        1 blessed, 0 unchanged, 0 refused

        """)
    #expect(try await test("a", in: suite) == nil)
  }

  @Test func aResultThatMayNotBeBlessedIsRefused() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    func refusal() async -> String? {
      let outcome = await suite.recordspec("bless", "a")
      #expect(outcome.status == 2)
      #expect(outcome.output.hasSuffix("0 blessed, 0 unchanged, 1 refused\n"))
      return outcome.output.split(separator: "\n").first { $0.contains("not blessed: ") }.map(String.init)
    }
    let remedy = "; run the test, or bless it there: RECORDSPEC_BLESS=a swift test"
    #expect(await refusal() == "  not blessed: there is no kept result of a test run" + remedy)
    #expect(try await test("a", in: suite) != nil)
    try suite.folder.write(Self.hooked + "\n# more", to: "Scenarios/a.yaml")
    #expect(
      await refusal() == "  not blessed: 'Scenarios/a.yaml' has changed since the last test run" + remedy)
    try suite.folder.write(
      scenario(expected: "Bye").replacing("urn: posts", with: "urn: posts, options: {hooks: [later]}"),
      to: "Scenarios/a.yaml")
    #expect(try await test("a", in: suite) != nil)
    #expect(
      await refusal() == "  not blessed: in the last test run, more than the golden file differed" + remedy)
    try suite.folder.write("{}", to: ".recordspec/kept/Scenarios/a.kept.json")
    #expect(
      await refusal() == "  not blessed: '.recordspec/kept/Scenarios/a.kept.json' is not a kept result"
        + remedy)
    #expect(!suite.folder.exists("Golden"))
  }
}
