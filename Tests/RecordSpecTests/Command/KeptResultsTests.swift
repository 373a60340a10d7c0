import Foundation
import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the results of failed scenarios that runs keep.
struct KeptResultsTests {
  private static let kept = ".recordspec/kept/Scenarios/"

  private func names(in suite: CommandSuite, _ folder: String = kept) -> [String] {
    suite.written.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
  }

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
    #expect(names(in: suite) == [])
  }

  @Test func inCIResultsAreKeptOnlyOnRequest() async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")]).inCI()
    await suite.recordspec("run")
    #expect(suite.written == [])
    let outcome = await suite.recordspec("run", "--keep", suite.path("results"))
    #expect(outcome.status == 1 && outcome.errors == "")
    #expect(suite.written == ["results/Scenarios/a.kept.json"])
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
    ("{}", "'results/Scenarios/a.kept.json' is not a kept result"),
    ("", "'results/Scenarios/a.kept.json' is not a kept result: it is not valid JSON"),
    (
      #"{"format":7,"scenario":"a"}"#,
      "'results/Scenarios/a.kept.json' has the format 7 of another version of recordspec"
    ),
    (
      #"{"format":1,"scenario":"a","title":"T"}"#,
      "'results/Scenarios/a.kept.json' is damaged: expected a value at '/inputs'"
    ),
    (
      #"{"format":1,"scenario":"b","title":"T","inputs":[],"model":"entities: {A: {}}","graphs":[]}"#,
      "'results/Scenarios/a.kept.json' is the kept result of 'b', not of 'a'"
    ),
  ])
  func anUnusableFileIsAnError(text: String, message: String) async throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write(text, to: "results/Scenarios/a.kept.json")
    #expect(
      await suite.recordspec("show", "a", "--from", suite.path("results"))
        == .init(status: 3, output: "", errors: "error: \(message)\n"))
  }

  @Test func aFolderWithoutTheResultIsAnError() async throws {
    let suite = try CommandSuite(["feed": scenario()])
    await suite.recordspec("run", "--keep", suite.path("results"))
    for (name, folder, message, status) in [
      ("feet", "results", "'results' has no kept result of 'feet'; did you mean 'feed'?", 4 as Int32),
      ("feed", "none", "'none' is not a folder of kept results", 2),
    ] {
      #expect(
        await suite.recordspec("graph", name, "--from", suite.path(folder))
          == .init(status: status, output: "", errors: "error: \(message)\n"))
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
    try suite.folder.write("{}", to: "results/Scenarios/a.kept.json")
    try suite.folder.write("mine", to: "results/Scenarios/gone.kept.json")
    try suite.folder.write(
      #"{"format":2,"scenario":"old","suite":"../Scenarios"}"#, to: "results/Scenarios/old.kept.json")
    try suite.folder.write(
      #"{"format":2,"scenario":"other","suite":"../Other"}"#, to: "results/Scenarios/other.kept.json")
    #expect(await suite.recordspec("run", "--keep", suite.path("results")).errors == "")
    #expect(
      suite.written.filter { $0.hasPrefix("results/") } == [
        "results/Scenarios/a.kept.json", "results/Scenarios/gone.kept.json",
        "results/Scenarios/other.kept.json",
      ])
  }

  @Test func aFolderThatCannotBeWrittenIsNoFailure() async throws {
    let suite = try CommandSuite(["a": scenario(), "b": scenario()])
    try suite.folder.write("a file", to: ".recordspec/kept")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.hasPrefix(
        "warning: the results of failed scenarios could not be kept: '.recordspec/kept/Scenarios/a.kept.json' cannot be "
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

  /// A link below the folder is not followed either: nothing is written, read or removed outside.
  @Test func aLinkBelowTheFolderIsNotFollowed() async throws {
    let suite = try CommandSuite(["more/a": scenario(expected: "Bye")])
    await suite.recordspec("run")
    let kept = try suite.folder.read(Self.kept + "more/a.kept.json")
    for isNamed in [false, true] {
      let outside = try TemporaryFolder()
      let folder = isNamed ? "results/Scenarios/" : Self.kept
      try? FileManager.default.removeItem(atPath: suite.path(folder + "more"))
      try suite.folder.link(folder + "more", to: outside.path)
      let keep = isNamed ? ["--keep", suite.path("results")] : []
      func problem() async -> String { await suite.recordspec(["run"] + keep).errors }
      let message = "could not be kept: '\(folder)more' is a symbolic link, which is not followed\n"
      try suite.folder.write(scenario(expected: "Bye"), to: "Scenarios/more/a.yaml")
      #expect(await problem().hasSuffix(message))
      #expect(outside.tree == [:])
      // The scenario does not fail, so that its result would be removed.
      try outside.write(kept, to: "a.kept.json")
      try suite.folder.write(scenario(more: "skip: later"), to: "Scenarios/more/a.yaml")
      #expect(await problem().hasSuffix(message))
      #expect(outside.tree.count == 1)
      let results =
        isNamed
        ? KeptResults(path: suite.path("results"), of: suite.path("Scenarios"))
        : KeptResults(besides: suite.path("Scenarios"))
      #expect(throws: FileProblem.self) { try results.load("more/a") }
      #expect(throws: FileProblem.self) { try results.remove("more/a") }
    }
  }

  /// Temporary files behind a link are not removed.
  @Test func leftoversBehindALinkRemain() async throws {
    let suite = try CommandSuite(["a": scenario()])
    let outside = try TemporaryFolder()
    let name = ".recordspec-\(UUID().uuidString).tmp"
    try outside.write("", to: name)
    try suite.folder.link(".recordspec/kept", to: outside.path)
    await suite.recordspec("run")
    #expect(outside.tree.count == 1)
    // Without the link, the file is removed.
    let other = try CommandSuite(["a": scenario()])
    try other.folder.write("", to: Self.kept + name)
    await other.recordspec("run")
    #expect(names(in: other) == ["a.kept.json"])
  }

  /// A run without a result makes an older one outdated.
  @Test func aBrokenRunRemovesTheOlderResult() async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")])
    await suite.recordspec("run")
    #expect(names(in: suite) == ["a.kept.json"])
    let outcome = await suite.recordspec("run") { scenario, store in
      var executed = await ScenarioExecution.execute(scenario, on: store)
      executed.obstacle = TemporaryFolderProblem(path: "/tmp", reason: "is full")
      return executed
    }
    #expect(outcome.status == 3)
    #expect(names(in: suite) == [])
  }

  /// Suites with the same folder of kept results remove only their own.
  @Test func suitesShareAFolder() async throws {
    let suite = try CommandSuite(["a": scenario(), "b": scenario()])
    try suite.folder.write(scenario(), to: "Others/c.yaml")
    try suite.folder.write(scenario(), to: "Package/Scenarios/d.yaml")
    func keep(_ scenarios: String) async {
      let keep = ["run", "--keep", suite.path("results")]
      let golden = FilePath.child("Golden", of: FilePath.folder(of: scenarios))
      for arguments in [keep, ["run"]] {
        let outcome = await suite.recordspec(arguments, scenarios: scenarios, golden: golden)
        #expect(outcome.status == 1 && outcome.errors == "")
      }
    }
    for folder in ["Others", "Package/Scenarios", "Scenarios"] { await keep(folder) }
    #expect(
      names(in: suite, "results/") == [
        "Others/c.kept.json", "Scenarios/a.kept.json", "Scenarios/b.kept.json", "Scenarios/d.kept.json",
      ])
    #expect(
      names(in: suite, ".recordspec/kept/") == [
        "Others/c.kept.json", "Scenarios/a.kept.json", "Scenarios/b.kept.json",
      ])
    for name in ["Scenarios/b.yaml", "Package/Scenarios/d.yaml"] {
      try FileManager.default.removeItem(atPath: suite.path(name))
    }
    await keep("Scenarios")
    #expect(
      names(in: suite, "results/") == [
        "Others/c.kept.json", "Scenarios/a.kept.json", "Scenarios/d.kept.json",
      ])
    #expect(names(in: suite) == ["a.kept.json"])
  }

  /// Suites beside each other have scenarios of one name. Each keeps and shows its own result.
  @Test func suitesBesideEachOtherKeepTheirOwnResults() async throws {
    let suite = try CommandSuite(["a": scenario(text: "One", expected: "Bye")])
    try suite.folder.write(scenario(text: "Two", expected: "Bye"), to: "Others/a.yaml")
    for folder in ["Scenarios", "Others"] { _ = await suite.recordspec(["run"], scenarios: folder) }
    for (folder, text) in [("Scenarios", "One"), ("Others", "Two")] {
      let shown = await suite.recordspec(
        ["show", "a", "--from", suite.path(".recordspec/kept")], scenarios: folder)
      #expect(shown.status == 0 && shown.errors == "" && shown.output.contains(text), "\(shown)")
    }
  }

  /// Two folders of scenarios have the same name. The result of one is not replaced, removed or shown as the other's.
  @Test func theResultOfAnotherFolderOfTheSameNameIsLeftAlone() async throws {
    let suite = try CommandSuite(["a": scenario(text: "One", expected: "Bye")])
    try suite.folder.write(scenario(text: "Two", expected: "Bye"), to: "Package/Scenarios/a.yaml")
    let keep = ["run", "--keep", suite.path("results")]
    #expect(await suite.recordspec(keep).status == 1)
    let kept = try suite.folder.read("results/Scenarios/a.kept.json")
    let other = await suite.recordspec(keep, scenarios: "Package/Scenarios", golden: "Package/Golden")
    #expect(other.status == 3)
    let owner = "'results/Scenarios/a.kept.json' is the result of a scenario in 'Scenarios'"
    #expect(other.errors.hasSuffix("could not be kept: \(owner); use another folder\n"), "\(other.errors)")
    let shown = await suite.recordspec(
      ["show", "a", "--from", suite.path("results")], scenarios: "Package/Scenarios")
    #expect(shown == .init(status: 3, output: "", errors: "error: \(owner)\n"))
    // A scenario that is skipped removes only its own result.
    try suite.folder.write(scenario(more: "skip: later"), to: "Package/Scenarios/a.yaml")
    #expect(
      await suite.recordspec(keep, scenarios: "Package/Scenarios", golden: "Package/Golden").status == 0)
    #expect(try suite.folder.read("results/Scenarios/a.kept.json") == kept)
    // The folder of the result no longer exists, as on another machine.
    try FileManager.default.moveItem(atPath: suite.path("Scenarios"), toPath: suite.path("Moved"))
    let moved = await suite.recordspec(
      ["show", "a", "--from", suite.path("results")], scenarios: "Package/Scenarios")
    #expect(moved.status == 0 && moved.output.contains("One"), "\(moved)")
  }

  // MARK: Explanations

  /// A kept result is explained with the same text and the same JSON as a run.
  @Test func keptResultsAreExplainedLikeRuns() async throws {
    let suite = try ExplainCommandTests.suite(expecting: "{count: 9}")
    await suite.recordspec("run", "--keep", suite.path("results"))
    let subjects = sampled(ExplainCommandTests.explanations.keys.sorted()).map { [$0] }
    for subject in subjects + [[], ["Post/4"], ["Post/1.titel"]] {
      for format in [[], ["--json"]] {
        let command = ["explain", "feed"] + subject + format
        let run = await suite.recordspec(command)
        let kept = await suite.recordspec(command + ["--from", suite.path("results")])
        #expect(kept == run)
      }
    }
    try suite.folder.write(Self.changed, to: "Scenarios/more.json")
    let changed = await suite.recordspec("explain", "feed", "Post/3", "--from", suite.path("results"))
    #expect(
      changed.status == 0
        && changed.errors == "warning: 'Scenarios/more.json' has changed since this result was kept\n")
  }

  private static let changed = #"{"pages": [[]]}"#

  @Test func aResultWithoutExplanationsIsRefused() async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")])
    await suite.recordspec("run")
    let file = Self.kept + "a.kept.json"
    func refusal() async -> CommandSuite.Outcome {
      await suite.recordspec("explain", "a", "--from", suite.path(".recordspec/kept"))
    }
    #expect(
      await refusal()
        == .init(
          status: 3, output: "",
          errors: "error: '\(file)' has no explanations; 'recordspec run --keep' keeps them\n"))
    let text = try suite.folder.read(file)
    try suite.folder.write(
      text.replacing("\"suite\"", with: "\"usesSwiftCode\":true,\"suite\""), to: file)
    #expect(
      await refusal().errors
        == "error: '\(file)' has no explanations; run the test again to keep them\n"
    )
    #expect(await suite.recordspec("explain", "a").errors.hasSuffix("; run the test again to keep them\n"))
  }

  @Test func explanationsThatAreTooLargeAreNotKept() async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")])
    await suite.recordspec("run", "--keep", suite.path("results"))
    var results = KeptResults(path: suite.path("results"), of: suite.path("Scenarios"))
    let result = try #require(try results.load("a"))
    results.maximumSize = try #require(try FileBytes.read(results.file(of: "a"))).count - 1
    #expect(try results.keep(result))
    let outcome = await suite.recordspec("explain", "a", "--from", suite.path("results"))
    #expect(outcome.status == 3)
    #expect(
      outcome.errors.hasPrefix(
        "error: 'results/Scenarios/a.kept.json' has no explanations: with explanations, it would be larger"))
    #expect(await suite.recordspec("show", "a", "--from", suite.path("results")).status == 0)
  }

  @Test(arguments: [("--store", "sqlite"), ("--allow-outside", "more")])
  func optionsOfARunAreRefusedWithAKeptResult(option: String, value: String) async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")])
    await suite.recordspec("run", "--keep", suite.path("results"))
    for command in ["show", "explain", "graph"] {
      let outcome = await suite.recordspec(command, "a", "--from", suite.path("results"), option, value)
      #expect(outcome.status == 64 && outcome.output == "")
      #expect(
        outcome.errors.contains(
          "error: '\(option)' cannot be combined with '--from', which does not run the scenario"),
        "\(outcome.errors)")
    }
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
}
