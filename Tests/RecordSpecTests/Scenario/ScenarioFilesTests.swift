import Foundation
import RecordSpec
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
