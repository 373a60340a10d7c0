import Testing

@testable import RecordSpecCommand
@testable import ScenarioFormat
@testable import ScenarioReport

struct NewFilesTests {
  @Test func filesAreWrittenAndReplaced() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "a.yaml")
    var files = NewFiles(in: folder.path)
    files.add("a.yaml", "new")
    files.add("b/c.json", "{}")
    #expect(files.problems(replacing: true).isEmpty)
    #expect(files.problems(replacing: false).map(\.reason) == ["exists already"])
    try files.write()
    #expect(folder.tree == ["a.yaml": "new", "b/c.json": "{}"])
  }

  /// If a file cannot be written, no file has changed.
  @Test func aFailureRestoresAllFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "a.yaml")
    try folder.write("a file", to: "plain")
    var files = NewFiles(in: folder.path)
    files.add("a.yaml", "new")
    files.add("b.yaml", "new")
    files.add("plain/c.json", "{}")
    #expect(throws: FileProblem.self) { try files.write() }
    #expect(folder.tree == ["a.yaml": "old", "plain": "a file"])
  }

  /// A file that cannot be kept is not replaced.
  @Test func aSecondNameIsNeverOverwritten() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "a.yaml")
    try folder.write("mine", to: "a.yaml.former")
    var files = NewFiles(in: folder.path)
    files.add("a.yaml", "new")
    #expect(throws: FileProblem.self) { try files.write() }
    #expect(folder.tree == ["a.yaml": "old", "a.yaml.former": "mine"])
  }
}
