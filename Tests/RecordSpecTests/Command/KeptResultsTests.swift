import Foundation
import RecordEngine
import RecordModel
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand

/// Tests for the results of failed scenarios that runs and tests keep.
struct KeptResultsTests {
  private static let kept = ".recordspec/kept/"

  private func names(in suite: CommandSuite, _ folder: String = kept) -> [String] {
    suite.written.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
  }

  // MARK: Runs

  @Test func failedScenariosAreKeptUntilTheyPass() async throws {
    let suite = try CommandSuite([
      "a": scenario(), "b/c": scenario(expected: "Bye"), "b/d": scenario(more: "xfail: {reason: known}"),
      "e": scenario(more: "skip: later"), "f": scenario(more: "stpes: []"),
    ])
    let outcome = await suite.recordspec("run")
    #expect(outcome.errors == "")
    #expect(names(in: suite) == ["a.kept.json", "b/c.kept.json", "b/d.kept.json"])
    #expect(try suite.folder.read(".recordspec/.gitignore") == "*\n")

    // Other scenarios are not affected by a run of one.
    await suite.recordspec("bless", "a")
    await suite.recordspec("run", "a")
    #expect(names(in: suite) == ["b/c.kept.json", "b/d.kept.json"])

    // The result of a scenario that has become invalid remains, and that of a skipped one does not.
    try suite.folder.write(scenario(more: "stpes: []"), to: "Scenarios/b/c.yaml")
    try suite.folder.write(scenario(more: "skip: later"), to: "Scenarios/b/d.yaml")
    await suite.recordspec("run")
    #expect(names(in: suite) == ["b/c.kept.json"])

    // A scenario that is gone is noticed only by a run of all scenarios.
    try FileManager.default.removeItem(atPath: suite.path("Scenarios/b/c.yaml"))
    await suite.recordspec("run", "a")
    #expect(names(in: suite) == ["b/c.kept.json"])
    await suite.recordspec("run")
    #expect(!suite.folder.exists(".recordspec/kept"))
  }

  @Test func inCIResultsAreKeptOnlyOnRequest() async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")]).inCI()
    await suite.recordspec("run")
    #expect(suite.written == [])
    let outcome = await suite.recordspec("run", "--keep", suite.path("results"))
    #expect(outcome.status == 1 && outcome.errors == "")
    #expect(suite.written == ["results/a.kept.json"])
    #expect(
      await suite.recordspec("show", "a", "--from", suite.path("results"))
        == .init(
          status: 0,
          output: """
            a: One post

            step 1  request Post, GET posts: 1 returned, 1 inserted

            Post: 1 record
              label   id  text
              Post/1  1   Hello

            """, errors: ""))
  }

  @Test func keptResultsAreShownAndDrawnLikeRuns() async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")])
    await suite.recordspec("run")
    for command in [
      ["show", "a"], ["show", "a", "--json"], ["show", "a", "Post/1"], ["graph", "a"],
      ["graph", "a", "--step", "0", "--format", "dot"],
    ] {
      let run = await suite.recordspec(command)
      let kept = await suite.recordspec(command + ["--from", suite.path(".recordspec/kept")])
      #expect(run.status == 0)
      #expect(kept == run)
    }
  }

  @Test func changesSinceAResultWasKeptAreNamed() async throws {
    let suite = try CommandSuite([
      "more/a": scenario(expected: "Bye").replacing(/model: .*/, with: "model: ../_models/a.model.yaml")
        .replacing(/\{body: .*\}/, with: "{bodyFile: ../_bodies/posts.json}}")
    ])
    try suite.folder.write(
      "entities: {Post: {primaryKey: id, attributes: {id: string, text: string}}}",
      to: "Scenarios/_models/a.model.yaml")
    try suite.folder.write(#"[{"id": "1", "text": "Hello"}]"#, to: "Scenarios/_bodies/posts.json")
    await suite.recordspec("run")
    func warnings() async -> String {
      await suite.recordspec("show", "more", "--from", suite.path(".recordspec/kept")).errors
    }
    #expect(await warnings() == "")
    try suite.folder.write(#"[{"id": "1", "text": "Hallo"}]"#, to: "Scenarios/_bodies/posts.json")
    #expect(
      await warnings() == "warning: 'Scenarios/_bodies/posts.json' has changed since this result was kept\n")
    try suite.folder.write(scenario(), to: "Scenarios/more/a.yaml")
    try FileManager.default.removeItem(atPath: suite.path("Scenarios/_models/a.model.yaml"))
    #expect(
      await warnings() == """
        warning: 'Scenarios/more/a.yaml' has changed since this result was kept
        warning: 'Scenarios/_models/a.model.yaml' has been removed since this result was kept
        warning: 'Scenarios/_bodies/posts.json' has changed since this result was kept

        """)
    // Running the scenario needs no kept result.
    #expect(await suite.recordspec("show", "more/a").errors == "")
  }

  /// The version of an Xcode model is an input, too.
  @Test func xcodeModelsAreInputs() async throws {
    let suite = try CommandSuite([
      "a": """
      title: A model of Xcode
      model: App.xcdatamodeld
      responses: {places: {body: [{id: 1}]}}
      steps: [{request: Place, urn: places}]
      """
    ])
    func write(_ version: String, type: String) throws {
      try suite.folder.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Place"><attribute name="id" optional="YES" attributeType="\(type)"/></entity>
        </model>
        """, to: "Scenarios/App.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    func select(_ version: String) throws {
      try suite.folder.write(
        """
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>
        """, to: "Scenarios/App.xcdatamodeld/.xccurrentversion")
    }
    try write("One", type: "Integer 64")
    try write("Two", type: "Integer 32")
    try select("One")
    await suite.recordspec("run")
    func warnings() async -> String {
      await suite.recordspec("show", "a", "--from", suite.path(".recordspec/kept")).errors
    }
    #expect(await warnings() == "")
    try select("Two")
    #expect(await warnings().contains("/.xccurrentversion' has changed"))
    try select("One")
    try write("One", type: "Integer 16")
    #expect(await warnings().contains("/One.xcdatamodel/contents' has changed"))
  }

  // MARK: Files that cannot be used

  @Test(arguments: [
    ("{}", "'results/a.kept.json' is not a kept result"),
    ("", "'results/a.kept.json' is not a kept result: it is not valid JSON"),
    (
      #"{"format":7,"scenario":"a"}"#,
      "'results/a.kept.json' has the format 7 of another version of recordspec"
    ),
    (
      #"{"format":1,"scenario":"a","title":"T"}"#,
      "'results/a.kept.json' is damaged: expected a value at '/inputs'"
    ),
    (
      #"{"format":1,"scenario":"b","title":"T","inputs":[],"model":"entities: {A: {}}","graphs":[]}"#,
      "'results/a.kept.json' is the kept result of 'b', not of 'a'"
    ),
  ])
  func anUnusableFileIsAnError(text: String, message: String) async throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write(text, to: "results/a.kept.json")
    #expect(
      await suite.recordspec("show", "a", "--from", suite.path("results"))
        == .init(status: 3, output: "", errors: "error: \(message)\n"))
  }

  @Test func aFolderWithoutTheResultIsAnError() async throws {
    let suite = try CommandSuite(["feed": scenario()])
    await suite.recordspec("run", "--keep", suite.path("results"))
    for (name, folder, message) in [
      ("feet", "results", "'results' has no kept result of 'feet'; did you mean 'feed'?"),
      ("feed", "none", "'none' is not a folder of kept results"),
    ] {
      #expect(
        await suite.recordspec("graph", name, "--from", suite.path(folder))
          == .init(status: 4, output: "", errors: "error: \(message)\n"))
    }
  }

  @Test func resultsAreNotKeptAmongGoldenFiles() async throws {
    let suite = try CommandSuite(["a": scenario()])
    for folder in ["Golden", "Golden/results"] {
      let outcome = await suite.recordspec("run", "--keep", suite.path(folder))
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("results cannot be kept in the folder of golden files"))
    }
    #expect(suite.written == [])
  }

  /// Only kept results are removed from a folder that the user named.
  @Test func filesOfTheUserAreNotRemoved() async throws {
    let suite = try CommandSuite(["a": scenario()])
    await suite.recordspec("bless")
    try suite.folder.write("{}", to: "results/a.kept.json")
    try suite.folder.write("mine", to: "results/gone.kept.json")
    try suite.folder.write(#"{"format":2,"scenario":"old"}"#, to: "results/old.kept.json")
    #expect(await suite.recordspec("run", "--keep", suite.path("results")).errors == "")
    #expect(
      suite.written.filter { $0.hasPrefix("results/") } == ["results/a.kept.json", "results/gone.kept.json"])
  }

  @Test func aFolderThatCannotBeWrittenIsNoFailure() async throws {
    let suite = try CommandSuite(["a": scenario(), "b": scenario()])
    try suite.folder.write("a file", to: ".recordspec/kept")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.hasPrefix(
        "warning: the results of failed scenarios could not be kept: '.recordspec/kept/a.kept.json' cannot be "
      ),
      "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    // If the whole folder cannot be written, there is one warning.
    let other = try CommandSuite(["a": scenario()])
    try other.folder.write("a file", to: ".recordspec")
    #expect(await other.recordspec("run").errors.split(separator: "\n").count == 1)
    // A folder that the user named must be writable.
    let named = await suite.recordspec("run", "--keep", suite.path(".recordspec/kept"))
    #expect(named.status == 3)
    #expect(named.errors.hasPrefix("error: the results of failed scenarios could not be kept: "))
  }

  @Test func aLinkInPlaceOfTheFolderIsNotFollowed() async throws {
    let suite = try CommandSuite(["a": scenario()])
    let outside = try TemporaryFolder()
    try suite.folder.link(".recordspec/kept", to: outside.path)
    #expect(
      await suite.recordspec("run").errors
        == "warning: the results of failed scenarios could not be kept: '.recordspec/kept' is a symbolic link, which is not followed\n"
    )
    #expect(outside.tree == [:])
  }

  @Test func aHugeResultIsNotKept() async throws {
    let suite = try CommandSuite(["a": scenario(), "b": scenario()])
    await suite.recordspec("run")
    let file = suite.path(Self.kept + "a.kept.json")
    var results = KeptResults(besides: suite.path("Scenarios"))
    let result = try #require(try results.load("a"))
    let size = try FileBytes.read(file)?.count ?? 0
    results.maximumSize = size
    #expect(try results.keep(result))
    results.maximumSize = size - 1
    // The older result would be mistaken for the one that was not kept.
    #expect(try !results.keep(result))
    #expect(names(in: suite) == ["b.kept.json"])
  }

  @Test func aHugeResultIsReported() async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")])
    let outcome = await suite.recordspec("run") { scenario, store in
      var executed = await ScenarioExecution.execute(scenario, on: store)
      let text = String(repeating: "x", count: 33 << 20)
      executed.graphs.append(
        GraphSnapshot([
          RecordSnapshot(
            label: "Post/1", entity: "Post", properties: ["text": .attribute(.string(text), .string)])
        ]))
      return executed
    }
    #expect(outcome.status == 1)
    #expect(outcome.errors == "warning: the result of 'a' is larger than 32 MiB and was not kept\n")
    #expect(names(in: suite) == [])
  }

  // MARK: Tests

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

  // MARK: Blessing

  @Test func theResultOfATestIsBlessed() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    #expect(try await test("a", in: suite) != nil)
    #expect(
      await suite.recordspec("bless", "a")
        == .init(
          status: 0, output: "new     a\n        Golden/a.json\n1 blessed, 0 unchanged, 0 refused\n",
          errors: ""))
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
    try suite.folder.write("{}", to: Self.kept + "a.kept.json")
    #expect(
      await refusal() == "  not blessed: '.recordspec/kept/a.kept.json' is not a kept result" + remedy)
    #expect(!suite.folder.exists("Golden"))
  }
}
