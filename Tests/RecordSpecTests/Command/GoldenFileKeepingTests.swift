import Foundation
import Testing

@testable import RecordSpec
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for golden files with long names, file modes and links, and for several commands at the same time.
struct GoldenFileKeepingTests {
  @Test(arguments: [240, 249, 250])
  func longNamesAreBlessed(length: Int) async throws {
    let name = String(repeating: "n", count: length)
    let suite = try CommandSuite([name: scenario()])
    #expect(await suite.recordspec("bless").status == 0)
    #expect(await suite.recordspec("run").status == 0)
    #expect(suite.names(in: "Golden") == [name + ".json"])
  }

  @Test(arguments: [0o600, 0o640, 0o755]) func aModeStays(mode: Int) async throws {
    let suite = try await changed()
    try suite.folder.setPermissions(mode, of: "Golden/a.json")
    #expect(await suite.recordspec("bless").status == 0)
    #expect(try suite.folder.read("Golden/a.json").contains("Bye"))
    let attributes = try FileManager.default.attributesOfItem(atPath: suite.path("Golden/a.json"))
    #expect(attributes[.posixPermissions] as? Int == mode)
  }

  @Test func aLinkStays() async throws {
    let suite = try await changed()
    try suite.folder.write("allowOutside: []", to: ".recordspec.yaml")
    try suite.folder.write(suite.folder.read("Golden/a.json"), to: "Shared/one.json")
    try suite.folder.link("Golden/a.json", to: "../Shared/one.json")
    #expect(await suite.recordspec("bless").status == 0)
    #expect(FileAccess.isLink(suite.path("Golden/a.json")))
    #expect(try suite.folder.read("Shared/one.json").contains("Bye"))
    #expect(suite.names(in: "Shared") == ["one.json"])
    #expect(await suite.recordspec("run").status == 0)
  }

  /// A suite that is checked out from another author cannot write to files outside the project.
  @Test(arguments: [false, true]) func aLinkThatLeadsOutsideIsRefused(isFolder: Bool) async throws {
    let suite = try await changed(isFolder ? "b/a" : "a")
    let outside = try TemporaryFolder()
    try outside.write("mine", to: "a.json")
    // `allowOutside` lets scenarios read a folder, but does not allow recordspec to write there.
    try suite.folder.write("allowOutside: [\(outside.path)]", to: ".recordspec.yaml")
    try suite.folder.link(
      isFolder ? "Golden/b" : "Golden/a.json", to: outside.path + (isFolder ? "" : "/a.json"))
    let outcome = await suite.recordspec("bless")
    #expect(outcome.status == 3)
    #expect(outcome.output.contains("a.json', which is outside the project's folder '"))
    #expect(outside.tree == ["a.json": "mine"])
    let run = await suite.recordspec("run")
    #expect(run.status == 3)
    #expect(run.output.contains("the golden file leads through a symbolic link to '"), "\(run.output)")
  }

  @Test(arguments: [false, true]) func aGoldenFolderOutsideTheProjectIsToBeNamed(isMarked: Bool) throws {
    let suite = try CommandSuite(["a": scenario()])
    if isMarked { try suite.folder.write("allowOutside: []", to: ".recordspec.yaml") }
    let outside = try TemporaryFolder()
    try outside.write("mine", to: "a.json")
    try outside.write("{}", to: "b.json")
    try suite.folder.link("Golden", to: outside.path)
    for command in ["run", "bless", "bless --prune"] {
      let outcome = try suite.bash("\"$recordspec\" \(command)")
      #expect(outcome.status == 2)
      #expect(
        outcome.errors.hasPrefix("Golden: error: the folder leads through a symbolic link to '"), "\(outcome)"
      )
      let project =
        isMarked
        ? "the project's folder '\(FileAccess.resolved(suite.folder.path))'"
        : "the project (no folder from '\(FileAccess.resolved(suite.folder.path))' up contains "
          + "'.recordspec.yaml', 'Package.swift' or '.git')"
      #expect(outcome.errors.contains("', which is outside \(project) [unreadable-file]\n"))
      #expect(outcome.errors.contains("to use it, name the folder with '--golden'"))
      #expect(outside.tree == ["a.json": "mine", "b.json": "{}"])
    }
    let tests = URL(fileURLWithPath: suite.path("Scenarios"))
    let problem = #expect(throws: Scenarios.Problem.self) { try Scenarios(in: tests) }
    #expect(problem?.description.contains("to use it, name the folder with 'golden:'") == true)
    let golden = URL(fileURLWithPath: suite.path("Golden"))
    #expect(throws: Never.self) { try Scenarios(in: tests, golden: golden) }
    let run = try suite.bash("\"$recordspec\" run --golden Golden")
    #expect(run.status == 1)
    #expect(run.output.contains("recordspec bless --golden Golden"), "\(run.output)")
    #expect(try suite.bash("\"$recordspec\" bless --golden Golden").status == 0)
    #expect(try outside.read("a.json").hasPrefix("{"))
  }

  @Test func aGoldenFolderMayLinkToAnotherOfTheProject() throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write("allowOutside: []", to: ".recordspec.yaml")
    try suite.folder.makeFolder("Shared")
    try suite.folder.link("Golden", to: "Shared")
    #expect(try suite.bash("\"$recordspec\" bless").status == 0)
    #expect(suite.names(in: "Shared") == ["a.json"])
  }

  /// A link whose target does not exist is replaced by a file.
  @Test func aLinkToNothingIsReplaced() async throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.link("Golden/a.json", to: "nowhere.json")
    #expect(await suite.recordspec("bless").status == 0)
    #expect(!FileAccess.isLink(suite.path("Golden/a.json")))
    #expect(suite.names(in: "Golden") == ["a.json"])
  }

  @Test func severalMayPruneAtOnce() async throws {
    let count = 200
    let suite = try CommandSuite(["a": scenario()])
    #expect(await suite.recordspec("bless").status == 0)
    let golden = try suite.folder.read("Golden/a.json")
    for number in 0..<count { try suite.folder.write(golden, to: "Golden/\(number % 20)/\(number).json") }
    let commands = try (0..<6).map { _ in try suite.start("bless --prune") }
    var removed = 0
    for command in commands {
      let outcome = command.end()
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      removed += outcome.output.ranges(of: "removed Golden/").count
    }
    #expect(removed == count)
    #expect(suite.names(in: "Golden") == ["a.json"])
  }

  // MARK: Last failed scenarios

  @Test func aLinkInPlaceOfWhatFailedLastIsReplaced() async throws {
    let suite = try CommandSuite(["a": scenario()])
    let outside = try TemporaryFolder()
    try outside.write("mine", to: ".profile")
    try suite.folder.link(".recordspec/last-failed", to: outside.path + "/.profile")
    #expect(await suite.recordspec("run").status == 1)
    #expect(outside.tree == [".profile": "mine"])
    #expect(!FileAccess.isLink(suite.path(".recordspec/last-failed")))
    #expect(try suite.folder.read(".recordspec/last-failed") == "a\n")
  }

  @Test func whatFailedLastMustBeReadable() async throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write("x", to: ".recordspec")
    let outcome = await suite.recordspec("run", "--last-failed")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.hasPrefix(
        "error: '--last-failed' cannot read the last results: '.recordspec/last-failed' cannot be read: "),
      "\(outcome)")
  }

  @Test func aLinkInPlaceOfTheFolderOfWhatFailedLastIsNotFollowed() async throws {
    let suite = try CommandSuite(["a": scenario()])
    let outside = try TemporaryFolder()
    try outside.write("mine", to: "last-failed")
    try suite.folder.link(".recordspec", to: outside.path)
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "warning: the results for '--last-failed' could not be saved: '.recordspec' is a symbolic link, which is not followed\n"
    )
    #expect(outside.tree == ["last-failed": "mine"])
  }

  /// Returns a suite whose golden file is out of date.
  private func changed(_ name: String = "a") async throws -> CommandSuite {
    let suite = try CommandSuite([name: scenario()])
    #expect(await suite.recordspec("bless").status == 0)
    try suite.folder.write(scenario(text: "Bye", expected: "Bye"), to: "Scenarios/\(name).yaml")
    return suite
  }
}
