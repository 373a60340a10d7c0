import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for `recordspec run --watch`.
@Suite(.timeLimit(.minutes(5))) struct WatchCommandTests {
  private static let model = "entities: {Post: {primaryKey: id, attributes: {id: string, text: string}}}\n"

  /// Returns a scenario that names a model and a body.
  private static func scenario(model: String = "posts.model.yaml", tags: String = "") -> String {
    """
    title: Posts
    tags: [\(tags)]
    model: \(model)
    responses: {posts: {bodyFile: _bodies/posts.json}}
    steps: [{request: Post, urn: posts}]
    expect: {graph: {Post: [{id: "1", text: Hello}]}}

    """
  }

  private static func suite() async throws -> CommandSuite {
    let suite = try CommandSuite([
      "a": scenario(), "b": scenario(tags: "smoke"), "c": RecordSpecTests.scenario(tags: "smoke"),
    ])
    try suite.folder.write(model, to: "Scenarios/posts.model.yaml")
    try suite.folder.write(#"[{"id": "1", "text": "Hello"}]"#, to: "Scenarios/_bodies/posts.json")
    #expect(await suite.recordspec("bless").status == 0)
    return suite
  }

  /// An edit of the files of a suite. Each changes the size of a file or replaces it, because the times of a file system
  /// may be coarser than the test is fast.
  typealias Edit = @Sendable (TemporaryFolder) throws -> Void

  struct Case: CustomStringConvertible {
    var description: String
    var arguments: [String] = []
    var edit: Edit
    var told: String
    /// The lines about the scenarios of the rerun.
    var rerun: [String]
  }

  private static func append(_ text: String, to name: String) -> Edit {
    { try $0.write(try $0.read(name) + text, to: name) }
  }

  static let cases = [
    Case(
      description: "scenario", edit: append("# more\n", to: "Scenarios/a.yaml"),
      told: "changed Scenarios/a.yaml", rerun: ["pass  a"]),
    Case(
      description: "renamed over",
      edit: { folder in
        try folder.write(folder.read("Scenarios/a.yaml"), to: "Scenarios/.a.swp")
        _ = rename(folder.path + "/Scenarios/.a.swp", folder.path + "/Scenarios/a.yaml")
      }, told: "changed Scenarios/a.yaml", rerun: ["pass  a"]),
    Case(
      description: "golden file", edit: append("\n", to: "Golden/c.json"), told: "changed Golden/c.json",
      rerun: ["FAIL  c"]),
    Case(
      description: "removed golden file", edit: { unlink($0.path + "/Golden/b.json") },
      told: "removed Golden/b.json", rerun: ["NEW   b"]),
    Case(
      description: "model", edit: append("# more\n", to: "Scenarios/posts.model.yaml"),
      told: "changed Scenarios/posts.model.yaml", rerun: ["pass  a", "pass  b"]),
    Case(
      description: "removed body", edit: { unlink($0.path + "/Scenarios/_bodies/posts.json") },
      told: "removed Scenarios/_bodies/posts.json", rerun: ["INVALID a", "INVALID b"]),
    Case(
      description: "invalid scenario", edit: { try $0.write("title: [", to: "Scenarios/a.yaml") },
      told: "changed Scenarios/a.yaml", rerun: ["INVALID a"]),
    Case(
      description: "half-written scenario", edit: { try $0.write("", to: "Scenarios/a.yaml") },
      told: "changed Scenarios/a.yaml", rerun: ["INVALID a"]),
    Case(
      description: "new scenario in a new folder",
      edit: { try $0.write(RecordSpecTests.scenario(), to: "Scenarios/more/d.yaml") },
      told: "new Scenarios/more/d.yaml", rerun: ["NEW   more/d"]),
    Case(
      description: "removed scenario", edit: { unlink($0.path + "/Scenarios/c.yaml") },
      told: "removed Scenarios/c.yaml", rerun: []),
    Case(
      description: "tag", arguments: ["--tag", "smoke"],
      edit: {
        try $0.write(scenario(tags: "smoke"), to: "Scenarios/a.yaml")
        try $0.write(scenario(), to: "Scenarios/b.yaml")
      }, told: "changed Scenarios/a.yaml, changed Scenarios/b.yaml", rerun: ["pass  a"]),
    Case(
      description: "path", arguments: ["b"], edit: append("# more\n", to: "Scenarios/posts.model.yaml"),
      told: "changed Scenarios/posts.model.yaml", rerun: ["pass  b"]),
    Case(
      description: "last failures", arguments: ["--last-failed"],
      edit: append("# more\n", to: "Scenarios/a.yaml"), told: "changed Scenarios/a.yaml", rerun: ["pass  a"]),
  ]

  @Test(arguments: sampled(cases)) func aSavedFileRerunsItsScenarios(_ test: Case) async throws {
    var suite = try await Self.suite()
    let pauses = EventCounter()
    suite.pause = { [suite] _ in
      let number = pauses.note()
      if number == 2 { #expect(throws: Never.self) { try test.edit(suite.folder) } }
      return number < 6
    }
    let outcome = await suite.recordspec(["run", "--watch", "--verbose"] + test.arguments)
    #expect(outcome.status == 0)
    let parts = outcome.output.split(separator: "press Control-C to stop\n")
    let rerun = try #require(parts.last, "\(outcome)")
    let lines = rerun.split(separator: "\n").map(String.init)
    #expect(parts.count == 2 && lines.first == test.told, "\(outcome)")
    let told = lines.filter { $0.contains(#/^(pass|FAIL|NEW|INVALID) /#) }
      .map { String($0.prefix { $0 != ":" }) }
    #expect(told == test.rerun, "\(outcome)")
    // There is one rerun, because files that a run writes cause none.
    #expect(lines.count { $0.hasPrefix("watching ") } == 1, "\(outcome)")
  }

  @Test func theSummaryCountsAllScenarios() async throws {
    var suite = try await Self.suite()
    let pauses = EventCounter()
    suite.pause = { [folder = suite.folder] _ in
      let number = pauses.note()
      if number == 1 { #expect(throws: Never.self) { try folder.write("title: [", to: "Scenarios/a.yaml") } }
      return number < 3
    }
    let outcome = await suite.recordspec("run", "--watch")
    #expect(
      outcome.output == """
        3 passed, 0 failed, 0 skipped
        watching 3 scenarios; press Control-C to stop

        changed Scenarios/a.yaml

        INVALID a

          Scenarios/a.yaml:1:9: error: expected a value, found the end of the file [yaml-syntax]
              1 | title: [
                |         ^

        1 invalid: 0 passed, 1 failed, 0 skipped
        watching 3 scenarios: 1 invalid: 2 passed, 1 failed, 0 skipped

        """)
  }

  /// The scenario `b` is saved while `a` is rerun, so it is rerun next.
  @Test func aFileThatIsSavedDuringARerunIsNotMissed() async throws {
    var suite = try await Self.suite()
    let pauses = EventCounter()
    let runs = EventCounter()
    suite.pause = { [folder = suite.folder] _ in
      let number = pauses.note()
      if number == 1 {
        #expect(throws: Never.self) { try Self.append("# more\n", to: "Scenarios/a.yaml")(folder) }
      }
      return number < 8
    }
    let outcome = await suite.recordspec("run", "--watch") { [folder = suite.folder] in
      // The first run has three scenarios.
      if runs.note() == 4 {
        #expect(throws: Never.self) { try Self.append("# more\n", to: "Scenarios/b.yaml")(folder) }
      }
      return await ScenarioExecution.execute($0, on: $1)
    }
    let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("changed ") }
    #expect(lines == ["changed Scenarios/a.yaml", "changed Scenarios/b.yaml"], "\(outcome)")
  }

  @Test func nothingIsRerunWithoutASave() async throws {
    var suite = try await Self.suite()
    let pauses = EventCounter()
    suite.pause = { [folder = suite.folder] _ in
      let number = pauses.note()
      // Files that no scenario names.
      #expect(throws: Never.self) {
        try folder.write("\(number)", to: "Scenarios/_bodies/other-\(number).json")
        try folder.write("\(number)", to: "Scenarios/notes-\(number).txt")
      }
      return number < 10
    }
    let outcome = await suite.recordspec("run", "--watch")
    #expect(
      outcome.output
        == "3 passed, 0 failed, 0 skipped\nwatching 3 scenarios; press Control-C to stop\n")
  }

  @Test func anEmptyFolderWaitsForItsFirstScenario() async throws {
    var suite = try CommandSuite()
    try suite.folder.makeFolder("Scenarios")
    let pauses = EventCounter()
    suite.pause = { [folder = suite.folder] _ in
      let number = pauses.note()
      if number == 1 {
        #expect(throws: Never.self) {
          try folder.write(RecordSpecTests.scenario(), to: "Scenarios/a.yaml")
        }
      }
      return number < 3
    }
    let outcome = await suite.recordspec("run", "--watch")
    #expect(outcome.errors == "no scenario is selected: 'Scenarios' has no scenarios\n")
    #expect(outcome.output.contains("\nnew Scenarios/a.yaml\n\nNEW   a: One post\n"), "\(outcome)")
  }

  @Test func combinationsWithoutASenseAreRefused() async throws {
    let suite = try await Self.suite()
    let inCI = await suite.inCI().recordspec("run", "--watch")
    #expect(inCI.status == 64)
    #expect(inCI.errors == "error: '--watch' cannot be used in CI, because it never ends\n")
    let empty = await suite.recordspec("run", "--watch", "--allow-empty")
    #expect(empty.status == 64)
    #expect(empty.errors.hasPrefix("error: '--allow-empty' cannot be combined with '--watch'"), "\(empty)")
    let misspelled = await suite.recordspec("run", "--watch", "x")
    #expect(misspelled.status == 4)
    #expect(misspelled.errors == "error: no scenario is named 'x'; the scenarios are a, b, c\n")
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func aSignalEndsAWatch(signal: Int32, status: Int32) async throws {
    let suite = try await Self.suite()
    let command = try suite.start("run --watch")
    while !command.outputSoFar.contains("press Control-C to stop\n") { command.waitForOutput() }
    try Self.append("# more\n", to: "Scenarios/c.yaml")(suite.folder)
    while !command.outputSoFar.contains("watching 3 scenarios: ") { command.waitForOutput() }
    command.send(signal)
    let outcome = command.end()
    #expect(outcome.status == status)
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        3 passed, 0 failed, 0 skipped
        watching 3 scenarios; press Control-C to stop

        changed Scenarios/c.yaml

        1 passed, 0 failed, 0 skipped
        watching 3 scenarios: 3 passed, 0 failed, 0 skipped

        """)
  }
}
