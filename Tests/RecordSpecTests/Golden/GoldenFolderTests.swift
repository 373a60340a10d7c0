import JSONTree
import RecordModel
import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

struct GoldenFolderTests {
  /// Golden files are not written above the project, unless the user names a folder there.
  @Test func theDefaultFolderIsInTheProject() throws {
    let suite = try CommandSuite()
    try suite.folder.write("", to: "app/.recordspec.yaml")
    try suite.folder.write(scenario(), to: "app/a.yaml")
    for command in ["run", "bless"] {
      let outcome = try suite.bash("cd app && $recordspec \(command) --scenarios .")
      #expect(outcome.status == 2, "\(outcome)")
      #expect(
        outcome.errors.contains(
          "error: the default folder of golden files would be outside the project's folder"),
        "\(outcome.errors)")
    }
    #expect(!suite.folder.tree.keys.contains { $0.hasPrefix("Golden") })
    #expect(try suite.bash("cd app && $recordspec bless --scenarios . --golden ../Golden").status == 0)
    #expect(try suite.bash("cd app && $recordspec run --scenarios .").status == 0)
  }

  private let folder: TemporaryFolder
  private let golden: GoldenFolder
  private let model: Schema
  private let result = ScenarioSnapshot(
    graph: snapshot(post(1, ["text": text("Hi"), "user": one(1007)]), user(7)),
    steps: [StepSnapshot(RecordedAction(.request, "Post", details: ["urn": "posts"]), records: ["Post/1"])])

  init() throws {
    folder = try TemporaryFolder()
    golden = GoldenFolder(path: folder.path + "/Golden")
    model = try makeBlogModel()
  }

  @Test func aMissingFileIsNewAndStaysMissing() {
    guard case .new = golden.compare(result, of: "a/b", model: model) else {
      Issue.record()
      return
    }
    #expect(folder.tree.isEmpty)
  }

  @Test func whatWasWrittenIsTheSame() throws {
    try golden.write(result, of: "a/b")
    guard case .same = golden.compare(result, of: "a/b", model: model) else {
      Issue.record()
      return
    }
    #expect(Array(folder.tree.keys) == ["Golden/a/b.json"])
    #expect(
      try folder.read("Golden/a/b.json") == """
        {
          "graph": {
            "Post": {
              "Post/1": { "id": "1", "text": "Hi", "user": "User/7" }
            },
            "User": {
              "User/7": { "id": "7" }
            }
          },
          "steps": [
            { "records": ["Post/1"], "request": "Post", "urn": "posts" }
          ]
        }

        """)
  }

  @Test func otherBytesWithTheSameValuesAreNotCanonical() throws {
    try folder.write(result.goldenForm.compactText(), to: "Golden/a.json")
    guard case .notCanonical = golden.compare(result, of: "a", model: model) else {
      Issue.record()
      return
    }
  }

  @Test func otherValuesDiffer() throws {
    try folder.write(
      result.goldenForm.canonicalText().replacing("Hi", with: "Ho"), to: "Golden/a.json")
    guard case .different(let differences) = golden.compare(result, of: "a", model: model) else {
      Issue.record()
      return
    }
    #expect(differences.lines == [#"changed Post/1 text: string "Ho" → string "Hi""#])
    guard case .golden(let path) = differences.first[0].location else {
      Issue.record()
      return
    }
    #expect(path == golden.file(of: "a"))
  }

  @Test(arguments: [
    ("{", 1, "the golden file is not valid JSON"),
    (
      "{\n<<<<<<< HEAD\n  \"steps\": []\n=======\n", 2,
      "the golden file contains an unresolved merge conflict"
    ),
    ("[]", 1, "the golden file must be an object, not an array"),
    ("{\n\"graf\": {}}", 2, "unknown key 'graf'"),
    ("{\"graph\": {\"Post\":\n{\"User/1\": {}}}}", 2, "the record 'User/1' is not a record of 'Post'"),
    ("{\"steps\": {}}", 1, "'steps' must be an array, not an object"),
    ("{\"steps\": [{\"recrods\": []}]}", 1, "unknown key 'recrods'"),
    ("{\"steps\": [{\"records\": [1]}]}", 1, "'records' must be an array of labels"),
    ("{\"graph\": {},\n\"graph\": {}}", 2, "duplicate key 'graph'"),
  ])
  func aFileThatIsNoGoldenFileSaysWhy(text: String, line: Int, message: String) throws {
    try folder.write(text, to: "Golden/a.json")
    guard case .unreadable(let diagnostics) = golden.compare(result, of: "a", model: model) else {
      Issue.record()
      return
    }
    #expect(diagnostics[0].message.hasPrefix(message))
    #expect(diagnostics[0].span?.start.line == line)
    #expect(diagnostics[0].path == golden.file(of: "a"))
  }

  @Test func aFolderInItsPlaceCannotBeRead() throws {
    try folder.write("", to: "Golden/a.json/file")
    guard case .unreadable = golden.compare(result, of: "a", model: model) else {
      Issue.record()
      return
    }
    #expect(throws: FileProblem.self) { try golden.write(result, of: "a") }
    #expect(Array(folder.tree.keys) == ["Golden/a.json/file"])
  }

  @Test func obsoleteFilesAreThoseWithoutAScenario() throws {
    for name in ["a", "b/c", "gone", "b/gone"] { try folder.write("{}", to: "Golden/\(name).json") }
    try folder.write("", to: "Golden/README.md")
    try folder.write("", to: "Golden/.a.json.7.tmp")
    #expect(
      golden.obsolete(besides: ["a", "b/c", "new"]) == [golden.file(of: "b/gone"), golden.file(of: "gone")])
  }

  @Test func pruningLeavesNoEmptyFolders() throws {
    for name in ["a", "b/c/gone"] { try folder.write("{}", to: "Golden/\(name).json") }
    try golden.remove(golden.file(of: "b/c/gone"))
    #expect(folder.exists("Golden/a.json"))
    #expect(!folder.exists("Golden/b"))
    try golden.remove(golden.file(of: "a"))
    #expect(folder.exists("Golden"))
    #expect(try golden.remove(golden.file(of: "a")) == .gone)
    try folder.write("[]", to: "Golden/c/other.json")
    #expect(try golden.remove(golden.file(of: "c/other")) == .foreign)
    #expect(folder.exists("Golden/c/other.json"))
  }

  @Test func noFolderMeansNothingObsolete() {
    #expect(golden.obsolete(besides: []).isEmpty)
  }

  @Test(arguments: 0..<20) func whatIsReadIsWhatWasWritten(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let records = (0..<8).map { id in
      id % 2 == 0
        ? post(id, ["tags": many([2001, 2003].shuffled(using: &generator))]) : tag(id, "\(id % 4)\"\n")
    }
    let result = ScenarioSnapshot(graph: Graph(records: records).labeled().snapshot)
    let content = try GoldenReader.read(Array(result.goldenForm.canonicalText().utf8), path: "a.json")
    #expect(content.records == RecordedContent(result).records)
  }
}
