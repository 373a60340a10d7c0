import Foundation
import Testing

@testable import RecordSpec
@testable import ScenarioRun

/// Tests for temporary folders that cannot store the files of a scenario. Neither the scenario nor recordspec is at
/// fault.
struct ScratchFolderTests {
  private static func posts(_ count: Int) -> String {
    let items = (0..<count).map { "{id: \"\($0)\", text: \(String(repeating: "x", count: 500))}" }
    return """
      title: Posts
      model: {entities: {Post: {primaryKey: id, attributes: {id: string, text: string}}}}
      responses: {posts: {body: [\(items.joined(separator: ", "))]}}
      steps: [{request: Post, urn: posts}]
      expect: {graph: {Post: {count: \(count)}}}
      """
  }

  /// Checks that a scenario was interrupted because of the folder whose path ends with `folder`.
  private func expectBroken(_ outcome: CommandSuite.Outcome, _ folder: String, _ reason: String) {
    #expect(outcome.status == 3)
    let text = outcome.output
    #expect(text.hasPrefix("BROKEN a: Posts\n\n  the temporary folder '"), "\(text)")
    #expect(text.contains("\(folder)' cannot be written: \(reason)\n"), "\(text)")
    #expect(text.contains("\n  free some disk space, or set TMPDIR to a writable folder\n"))
    #expect(!text.contains("mistake of recordspec"))
  }

  /// A run that a signal ends removes the temporary folders of scenarios that are still running.
  @Test func aFolderThatIsGoneIsNotMadeAgain() throws {
    let folder = try ScratchFolder()
    try folder.check()
    let path = folder.url(of: "x").deletingLastPathComponent().path
    folder.remove()
    #expect(throws: TemporaryFolderProblem.self) { try folder.check() }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aMissingFolderIsNamedAndNotMade() throws {
    let suite = try CommandSuite(["a": Self.posts(1)])
    let outcome = try suite.bash("TMPDIR=$PWD/absent \"$recordspec\" run --store sqlite")
    expectBroken(outcome, "/absent", "No such file or directory")
    #expect(!suite.folder.exists("absent"))
  }

  @Test func aFileInPlaceOfTheFolderIsNamed() throws {
    let suite = try CommandSuite(["a": Self.posts(1)])
    try suite.folder.write("", to: "file")
    let outcome = try suite.bash("TMPDIR=$PWD/file \"$recordspec\" run --store sqlite")
    expectBroken(outcome, "/file", "Not a directory")
  }

  /// A limit on the size of files has the same effect as a full disk.
  ///
  /// The limits are in KiB. With the first limit the store cannot be created. With the second the response cannot be
  /// saved.
  @Test(arguments: [(8, "No space left on device"), (44, "File too large")])
  func aFullFolderIsNamed(limit: Int, reason: String) throws {
    let suite = try CommandSuite(["a": Self.posts(300)])
    let outcome = try suite.bash(
      "trap '' XFSZ; ulimit -f \(limit); TMPDIR=$PWD \"$recordspec\" run --store sqlite")
    expectBroken(outcome, suite.folder.path.split(separator: "/").last.map(String.init) ?? "", reason)
    #expect(!suite.folder.tree.keys.contains { $0.hasPrefix("recordspec-") })
  }

  @Test func aScenarioThatPassesNeedsNoMoreRoom() async throws {
    let suite = try CommandSuite(["a": scenario()])
    await suite.recordspec("bless")
    let full: ScenarioExecutor = { scenario, store in
      var result = await ScenarioExecution.execute(scenario, on: store)
      result.obstacle = TemporaryFolderProblem(
        path: "/tmp", reason: "cannot be written: No space left on device")
      return result
    }
    #expect(await suite.recordspec(["run"], execute: full).status == 0)
    try suite.folder.write(scenario(expected: "Bye"), to: "Scenarios/a.yaml")
    #expect(await suite.recordspec(["run"], execute: full).status == 3)
  }
}
