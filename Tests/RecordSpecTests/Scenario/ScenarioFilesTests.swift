import Foundation
import RecordSpec
import TestSupport
import Testing

@Suite struct ScenarioFilesTests {
  private func names(_ folder: TemporaryFolder) -> [String] {
    ScenarioFiles(below: folder.path).files.map(\.name)
  }

  @Test func findsScenariosByPath() throws {
    let folder = try TemporaryFolder()
    for name in [
      "b.yaml", "a/z.yml", "a/b/c.yaml", "a.model.yaml", "x.model.yml", "_parts/d.yaml", "a/_parts/e.yaml",
      "notes.md",
      ".hidden.yaml", ".git/f.yaml", "a_/g.yaml", "recording.json",
    ] {
      try folder.write("", to: name)
    }
    let found = ScenarioFiles(below: folder.path)
    #expect(found.diagnostics.isEmpty)
    #expect(found.files.map(\.name) == ["a/b/c", "a/z", "a_/g", "b"])
    #expect(
      found.files.map(\.path)
        == ["a/b/c.yaml", "a/z.yml", "a_/g.yaml", "b.yaml"].map { "\(folder.path)/\($0)" })
    #expect(ScenarioFiles(below: folder.path + "/").files.map(\.name) == found.files.map(\.name))
  }

  @Test func linksEndSomewhere() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "a/b/c.yaml")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.path + "/a/b/up", withDestinationPath: "../..")
    try files.createSymbolicLink(atPath: folder.path + "/linked.yaml", withDestinationPath: "a/b/c.yaml")
    try files.createSymbolicLink(atPath: folder.path + "/self", withDestinationPath: "self")
    #expect(names(folder) == ["a/b/c", "linked"])
    #expect(ScenarioFiles(below: folder.path).diagnostics.isEmpty)

    try files.createSymbolicLink(atPath: folder.path + "/gone.yaml", withDestinationPath: "nowhere.yaml")
    #expect(
      ScenarioFiles(below: folder.path).diagnostics.map(\.message) == [
        "this link leads to a file that does not exist"
      ])
  }

  @Test func saysWhatCannotBeAScenario() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "folder.yaml/inside.yaml")
    try folder.write("", to: "a.yaml")
    try folder.write("", to: "a.yml")
    let found = ScenarioFiles(below: folder.path)
    #expect(found.files.map(\.name) == ["a"])
    #expect(found.diagnostics.map(\.code) == [.sameGoldenFile, .unreadableFile])
    #expect(found.diagnostics.map(\.path) == ["a.yml", "folder.yaml"].map { "\(folder.path)/\($0)" })
  }

  @Test func saysWhichFoldersAreTooDeep() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "b.yaml")
    let deep = DeepFolder(below: folder.path)
    let found = ScenarioFiles(below: folder.path)
    #expect(found.files.map(\.name) == ["b"])
    #expect(found.diagnostics.map(\.path) == [deep.unreachablePath])
    #expect(found.diagnostics.map(\.message) == ["this cannot be read: File name too long"])
    #expect(
      ScenarioFiles(below: deep.unreachablePath).diagnostics.map(\.message)
        == ["the folder cannot be read: File name too long"])
  }

  /// Returns the help in a message about a folder of scenarios that does not exist.
  private func help(_ line: String, in suite: CommandSuite) throws -> String {
    let outcome = try suite.bash(line)
    #expect(outcome.status == 2 && outcome.output == "", "\(outcome)")
    return outcome.errors.firstMatch(of: /= help: (.*)\n$/).map { String($0.1) } ?? outcome.errors
  }

  /// Every command says how to begin, or where the scenarios are.
  @Test(
    arguments: sampled([
      "run", "check", "bless", "review", "show a", "explain a", "graph a", "reduce a", "serve a",
    ]))
  func saysWhereTheScenariosAre(command: String) throws {
    let suite = try CommandSuite()
    #expect(
      try help("$recordspec \(command)", in: suite)
        == "lay out a project with 'recordspec init', or name another folder with '--scenarios'")
    try suite.folder.write("", to: "Scenarios/_models/a.txt")
    try suite.folder.makeFolder("docs/more")
    // Without the mark of a project, the folder above may belong to something else.
    #expect(
      try help("cd docs/more && $recordspec \(command)", in: suite)
        == "lay out a project with 'recordspec init', or name another folder with '--scenarios'")
    try suite.folder.write("", to: ".recordspec.yaml")
    for (folder, above) in [("docs", ".."), ("docs/more", "../.."), ("Scenarios/_models", "../..")] {
      try suite.folder.makeFolder(folder)
      #expect(
        try help("cd \(folder) && $recordspec \(command)", in: suite)
          == "run the command in '\(above)', or add '--scenarios \(above)/Scenarios'")
    }
    // A project of its own does not belong to the one above.
    try suite.folder.write("", to: "docs/Package.swift")
    #expect(
      try help("cd docs/more && $recordspec \(command)", in: suite)
        == "lay out a project with 'recordspec init', or name another folder with '--scenarios'")
  }

  @Test func suggestsTheNearestFolder() throws {
    let suite = try CommandSuite(["a": scenario()])
    #expect(
      try help("$recordspec run --scenarios Scenaros", in: suite) == "did you mean '--scenarios Scenarios'?")
    #expect(
      try help("mv Scenarios Scenaros && $recordspec run", in: suite)
        == "did you mean '--scenarios Scenaros'?")
    #expect(
      try help("$recordspec run --scenarios 'my api/Scenarios'", in: suite)
        == "lay out a project with 'recordspec init 'my api'', or name another folder with '--scenarios'")
    #expect(
      try help("$recordspec run --scenarios other", in: suite)
        == "create the folder and add a scenario, or name another folder with '--scenarios'")
  }

  /// Only a relative path is relative to the file that names it.
  @Test(arguments: [("zz/x.json", "; the path is relative to the file that names it"), ("$/zz/x.json", "")])
  func saysWhichFolderIsMissing(path: String, base: String) async throws {
    let suite = try CommandSuite()
    try suite.folder.write("", to: ".recordspec.yaml")
    let path = path.replacing("$", with: suite.folder.path)
    try suite.folder.write(
      """
      title: A
      model: {entities: {Post: {primaryKey: id, attributes: {id: int64}}}}
      responses: {posts: {bodyFile: \(path)}}
      steps: [{request: Post, urn: posts}]
      """, to: "Scenarios/a.yaml")
    let outcome = await suite.recordspec("check")
    let folder = base.isEmpty ? "zz" : "Scenarios/zz"
    #expect(outcome.output.contains("= help: there is no folder '\(folder)'\(base)\n"), "\(outcome)")
  }

  @Test func saysThatThereIsNothing() throws {
    let folder = try TemporaryFolder()
    #expect(ScenarioFiles(below: folder.path).diagnostics.map(\.code) == [.noScenarios])
    #expect(
      ScenarioFiles(below: folder.path + "/absent").diagnostics.map(\.message) == [
        "the folder does not exist"
      ])
    try folder.write("", to: "file")
    #expect(
      ScenarioFiles(below: folder.path + "/file").diagnostics.map(\.message) == [
        "this is a file, not a folder"
      ])
  }
}
