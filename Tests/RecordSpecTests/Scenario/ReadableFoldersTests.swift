import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the files that a scenario can name: files of its project and files in allowed folders.
struct ReadableFoldersTests {
  private let suite: CommandSuite
  private var folder: TemporaryFolder { suite.folder }
  private var path: String { FileAccess.resolved(suite.folder.path) }

  /// Creates a project `app` and a folder `shared` next to it.
  init() throws {
    suite = try CommandSuite()
    for location in ["app/Scenarios/_in", "app/Bodies", "shared/Bodies"] {
      try folder.write(#"[{"id": "1"}]"#, to: location + "/posts.json")
      try folder.write(Self.model, to: location + "/a.model.yaml")
      try folder.write(Self.xcodeModel, to: location + "/A.xcdatamodeld/A.xcdatamodel/contents")
    }
    try folder.write("", to: "app/Package.swift")
  }

  private static let model = "entities: {Post: {primaryKey: id, attributes: {id: string}}}\n"
  private static let xcodeModel = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Post">
        <attribute name="id" optional="YES" attributeType="String"/>
        <userInfo><entry key="MMRecordEntityPrimaryAttributeKey" value="id"/></userInfo>
      </entity>
    </model>
    """

  private func write(model: String = "_in/a.model.yaml", body: String = "_in/posts.json") throws {
    try folder.write(
      """
      title: A post
      model: \(model)
      responses:
        posts: {bodyFile: \(body)}
      steps: [{request: Post, urn: posts}]
      expect: {graph: {Post: {count: 1}}}
      """, to: "app/Scenarios/a.yaml")
  }

  private func load() -> LoadedScenario {
    Scenario.load(path: folder.path + "/app/Scenarios/a.yaml", root: folder.path + "/app/Scenarios")
  }

  /// The messages about the scenario, with relative paths.
  private var messages: [String] {
    load().diagnostics.map { $0.message.replacing(path, with: "").replacing(folder.path, with: "") }
  }

  // MARK: The folder of the project

  @Test(arguments: ["Package.swift", ".git", ".recordspec.yaml"])
  func theNearestMarkedFolderIsTheProject(marker: String) throws {
    try FileManager.default.removeItem(atPath: folder.path + "/app/Package.swift")
    try write(body: "../Bodies/posts.json")
    #expect(messages.count == 1)
    try folder.write("", to: "app/" + marker)
    #expect(load().complaints == "")
    try folder.write("", to: "app/Scenarios/" + marker)
    #expect(messages.count == 1)
  }

  @Test func filesOfTheProjectAreRead() throws {
    for (model, body) in [
      ("_in/a.model.yaml", "_in/posts.json"), ("../Bodies/a.model.yaml", "../Bodies/posts.json"),
      ("_in/A.xcdatamodeld", "\(folder.path)/app/Bodies/posts.json"),
      ("../Bodies/A.xcdatamodeld", "_in/../../Scenarios/_in/posts.json"),
    ] {
      try write(model: model, body: body)
      #expect(load().complaints == "", "\(model) \(body)")
    }
    try folder.link("app/Scenarios/_in/linked.json", to: "../../Bodies/posts.json")
    try write(body: "_in/linked.json")
    #expect(load().complaints == "")
  }

  // MARK: Files outside the project

  @Test(arguments: [
    ("bodyFile", "/etc/passwd", "'/etc/passwd' is"),
    ("bodyFile", "/etc/../etc/passwd", "'/etc/../etc/passwd' is"),
    ("bodyFile", "/absent/a.json", "'/absent/a.json' is"),
    (
      "bodyFile", "../../shared/Bodies/posts.json",
      "'/shared/Bodies/posts.json' is"
    ),
    ("bodyFile", "../../shared/absent.json", "'/shared/absent.json' is"),
    ("bodyFile", "../../application/a.json", "'/application/a.json' is"),
    (
      "bodyFile", "_in/file.json",
      "'/app/Scenarios/_in/file.json' leads through a symbolic link to '/shared/Bodies/posts.json', which is"
    ),
    (
      "bodyFile", "_in/folder/posts.json",
      "'/app/Scenarios/_in/folder/posts.json' leads through a symbolic link to '/shared/Bodies/posts.json', which is"
    ),
    ("model", "../../shared/Bodies/a.model.yaml", "'/shared/Bodies/a.model.yaml' is"),
    ("model", "{file: ../../shared/Bodies/a.model.yaml}", "'/shared/Bodies/a.model.yaml' is"),
    ("model", "../../shared/Bodies/A.xcdatamodeld", "'/shared/Bodies/A.xcdatamodeld' is"),
    (
      "model", "_in/Linked.xcdatamodeld",
      "'/app/Scenarios/_in/Linked.xcdatamodeld' leads through a symbolic link to '/shared/Bodies/A.xcdatamodeld', which is"
    ),
    (
      "model", "_in/LinkedVersion.xcdatamodeld",
      "'/app/Scenarios/_in/LinkedVersion.xcdatamodeld/A.xcdatamodel' leads through a symbolic link to "
        + "'/shared/Bodies/A.xcdatamodeld/A.xcdatamodel', which is"
    ),
    (
      "model", "_in/LinkedFile.xcdatamodeld/A.xcdatamodel",
      "'/app/Scenarios/_in/LinkedFile.xcdatamodeld/A.xcdatamodel/contents' leads through a symbolic link to "
        + "'/shared/Bodies/A.xcdatamodeld/A.xcdatamodel/contents', which is"
    ),
    (
      "model", "_in/LinkedNote.xcdatamodeld",
      "'/app/Scenarios/_in/LinkedNote.xcdatamodeld/.xccurrentversion' leads through a symbolic link to "
        + "'/shared/Bodies/posts.json', which is"
    ),
  ])
  func filesOutsideAreRefused(key: String, name: String, message: String) throws {
    try folder.link("app/Scenarios/_in/file.json", to: "../../../shared/Bodies/posts.json")
    try folder.link("app/Scenarios/_in/folder", to: folder.path + "/shared/Bodies")
    let model = "app/Scenarios/_in/"
    try folder.link(model + "Linked.xcdatamodeld", to: folder.path + "/shared/Bodies/A.xcdatamodeld")
    let version = folder.path + "/shared/Bodies/A.xcdatamodeld/A.xcdatamodel"
    try folder.link(model + "LinkedVersion.xcdatamodeld/A.xcdatamodel", to: version)
    try folder.link(model + "LinkedFile.xcdatamodeld/A.xcdatamodel/contents", to: version + "/contents")
    try folder.write(Self.xcodeModel, to: model + "LinkedNote.xcdatamodeld/A.xcdatamodel/contents")
    let note = model + "LinkedNote.xcdatamodeld/.xccurrentversion"
    try folder.link(note, to: folder.path + "/shared/Bodies/posts.json")

    try key == "model" ? write(model: name) : write(body: name)
    #expect(messages == [message + " outside the project's folder '/app'"])
    let diagnostic = try #require(load().diagnostics.first)
    #expect(diagnostic.code == .outsideFile)
    let (line, column) = key == "model" ? (2, name.hasPrefix("{") ? 15 : 8) : (4, 21)
    #expect(diagnostic.span?.start.line == line && diagnostic.span?.start.column == column)
  }

  @Test func theMessageShowsTheLineAndTheWayOut() throws {
    try write(body: "/etc/passwd")
    #expect(
      load().complaints.replacing(path, with: "").replacing(folder.path, with: "") == """
        /app/Scenarios/a.yaml:4:21: error: '/etc/passwd' is outside the project's folder '/app' [outside-file]
            4 |   posts: {bodyFile: /etc/passwd}
              |                     ^^^^^^^^^^^
              = help: allow its folder with '--allow-outside /etc', or with 'allowOutside' in '.recordspec.yaml' in the \
        project's folder

        """)
  }

  // MARK: Settings

  @Test func theSettingsAllowFolders() throws {
    try write(model: "../../shared/Bodies/a.model.yaml", body: "\(path)/shared/Bodies/posts.json")
    #expect(messages.count == 2)
    for allowed in ["../shared", "'../shared/', ../shared/Bodies", "\(folder.path)/shared", ".., ."] {
      try folder.write("allowOutside: [\(allowed)]\n", to: "app/.recordspec.yaml")
      #expect(load().complaints == "", "\(allowed)")
    }
    try folder.write("allowOutside: [../shared/Bodies/A.xcdatamodeld]\n", to: "app/.recordspec.yaml")
    #expect(messages.count == 2)
  }

  @Test(arguments: ["", "# Nothing is allowed.\n", "{}", "allowOutside: []"])
  func settingsMayBeEmpty(text: String) throws {
    try folder.write(text, to: "app/.recordspec.yaml")
    try write()
    #expect(load().complaints == "")
  }

  @Test(
    arguments: sampled([
      (
        "allowOutsid: [..]", "1:1: error: unknown key 'allowOutsid' [unknown-key]",
        "did you mean 'allowOutside'?"
      ),
      (
        "stores: x", "1:1: error: unknown key 'stores' [unknown-key]", "did you mean 'store'?"
      ),
      (
        "allowOutside: [.., ../absent]",
        "1:20: error: the allowed folder 'absent' does not exist [unreadable-file]", "error"
      ),
      (
        "allowOutside: [Package.swift]",
        "1:16: error: the allowed folder 'app/Package.swift' is a file, not a folder [unreadable-file]",
        "error"
      ),
      (
        "allowOutside: ..", "1:15: error: expected a list for 'allowOutside', found a string [wrong-kind]",
        "write [..]"
      ),
      (
        "allowOutside: [\"a\\0b\"]",
        "1:16: error: a path cannot contain a null character [unreadable-file]", "error"
      ),
      ("[..]", "1:1: error: expected a mapping for the settings, found a list [wrong-kind]", "error"),
      ("allowOutside: [", "error:", "[yaml-syntax]"),
    ]))
  func mistakesInTheSettingsStopEverything(text: String, message: String, more: String) async throws {
    try write()
    try folder.write(text, to: "app/.recordspec.yaml")
    for command in ["run", "check", "bless", "rules"] {
      let outcome = await suite.recordspec([command], scenarios: "app/Scenarios", golden: "app/Golden")
      #expect(outcome.status == 2, "\(command)")
      #expect(outcome.output == "", "\(command)")
      let errors = outcome.errors.replacing(path + "/", with: "")
      #expect(errors.hasPrefix("app/.recordspec.yaml:"))
      #expect(errors.contains(message) && errors.contains(more), "\(command): \(errors)")
    }
    #expect(load().scenario == nil)
    #expect(throws: Scenarios.Problem.self) {
      try Scenarios(in: URL(fileURLWithPath: folder.path + "/app/Scenarios"))
    }
  }

  @Test func settingsOfAnotherNameAreAMistake() async throws {
    try write()
    try folder.write("timeout: 9s", to: "app/.git")
    try folder.write("timeout: 9s", to: "app/.recordspec.yml")
    let outcome = await suite.recordspec(["run"], scenarios: "app/Scenarios", golden: "app/Golden")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("settings are read from '.recordspec.yaml' only"))
    #expect(outcome.errors.contains("rename this file"))
  }

  // MARK: The command line

  private func recordspec(_ arguments: String...) async -> CommandSuite.Outcome {
    await suite.recordspec(arguments, scenarios: "app/Scenarios", golden: "app/Golden")
  }

  @Test func theCommandLineAllowsFolders() async throws {
    try write(model: "../../shared/Bodies/a.model.yaml", body: "../../shared/Bodies/posts.json")
    for command in ["run", "check", "bless"] { #expect(await recordspec(command).status == 2, "\(command)") }
    #expect(await recordspec("rules").errors.hasPrefix("warning: 1 scenario is invalid"))

    let allowed = ["--allow-outside", folder.path + "/shared/Bodies/"]
    let run = await suite.recordspec(["run"] + allowed, scenarios: "app/Scenarios", golden: "app/Golden")
    #expect(run.status == 1)
    #expect(run.output.contains("create it with: recordspec bless --allow-outside shared/Bodies a"), "\(run)")
    #expect(await recordspec("check", "--allow-outside", folder.path, allowed[0], allowed[1]).status == 0)
    #expect(await recordspec("rules", allowed[0], allowed[1]).errors == "")
    #expect(await recordspec("bless", allowed[0], allowed[1]).status == 0)
    #expect(await recordspec("run", allowed[0], allowed[1]).status == 0)
  }

  @Test func anAllowedFolderHasToExist() async throws {
    try write()
    for command in ["run", "check", "bless", "rules"] {
      let outcome = await recordspec(command, "--allow-outside", folder.path + "/absent")
      #expect(
        outcome
          == .init(
            status: 2, output: "",
            errors: "absent: error: the allowed folder 'absent' does not exist [unreadable-file]\n"))
    }
    let outcome = await recordspec("run", "--allow-outside", "")
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("error: '--allow-outside' must not be empty"))
  }

  // MARK: A test target

  @Test func aTestTargetAllowsFolders() async throws {
    try write(body: "../../shared/Bodies/posts.json")
    let scenarios = URL(fileURLWithPath: folder.path + "/app/Scenarios")
    let refused = try #require(try Scenarios(in: scenarios).first)
    await #expect { try await refused.check() } throws: { "\($0)".contains("[outside-file]") }
    let shared = URL(fileURLWithPath: folder.path + "/shared")
    let allowed = try #require(try Scenarios(in: scenarios, allowingOutside: [shared]).first)
    await #expect { try await allowed.check() } throws: { "\($0)".contains("no golden file") }
  }

  @Test(arguments: [("../a.json", "/a.json"), ("b/../../a.json", "/a.json"), ("../b/./a.json", "/b/a.json")])
  func relativePathsLeadAboveTheCurrentFolder(path: String, end: String) {
    let current = FileManager.default.currentDirectoryPath
    #expect(FileAccess.absolute(path) == FilePath.folder(of: current) + end)
  }
}
