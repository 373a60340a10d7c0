import RecordModel
import Testing

@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for model files that the scenarios of a run share.
@Suite struct ModelFilesTests {
  private let folder: TemporaryFolder

  private static let model = """
    allows: {no-inverse: the app needs none}
    entities:
      Post:
        class: App.Post
        primaryKey: id
        attributes: {id: int64, text: string, extra: {type: transformable, transformer: Upper}}
        relationships: {author: {to: User}}
      User: {abstract: true, primaryKey: id, attributes: {id: int64}}

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.model, to: "app.model.yaml")
    for name in ["a", "b", "c"] { try write(name, model: "app.model.yaml") }
  }

  private func write(_ name: String, model: String) throws {
    try folder.write(
      """
      title: \(name)
      model: \(model)
      responses: {posts: {body: [{id: 1}]}}
      steps: [{request: Post, urn: posts}]
      expect: {graph: {Post: [{id: 1, text: Hello}]}}
      """, to: "\(name).yaml")
  }

  private func load(_ name: String, _ files: ModelFiles = ModelFiles()) -> LoadedScenario {
    let file = ScenarioFile(path: "\(folder.path)/\(name).yaml", name: name)
    return Scenario.load(file, sharing: files)
  }

  private var modelFile: StampedFile { StampedFile("\(folder.path)/app.model.yaml") }

  /// Everything that is known of a scenario because of its model, as text.
  private func summary(_ loaded: LoadedScenario) -> [String] {
    [
      loaded.complaints, DiagnosticRenderer().text(of: loaded.silenced),
      "\(loaded.allowed.entries.map(\.code))",
      "\(loaded.names.map(\.name))", "\(loaded.files.map(\.path))", "\(loaded.sources.map(\.path))",
      "\(loaded.roots.map(\.file.path))", "\(loaded.modelLayers.count)",
      loaded.scenario.map { ModelExport($0.model).text } ?? "no model",
    ]
  }

  @Test func aSharedFileHasTheResultsOfReadingItAlone() throws {
    let files = ModelFiles()
    #expect(files.known(modelFile) == nil)
    for name in ["a", "b", "c"] {
      let shared = load(name, files)
      #expect(summary(shared) == summary(load(name)))
      #expect(shared.complaints.contains("abstract") && shared.names.count == 2)
      #expect(shared.silenced.map(\.code.rawValue) == ["no-inverse"])
      #expect(files.known(modelFile) != nil)
    }
  }

  @Test func aChangedFileIsReadAgain() throws {
    let files = ModelFiles()
    _ = load("a", files)
    let former = modelFile
    try folder.write(Self.model + "  Tag: {attributes: {word: string}}\n", to: "app.model.yaml")
    #expect(files.known(modelFile) == nil)
    let entities = try #require(load("b", files).scenario).model.entities.map(\.name)
    #expect(entities == ["Post", "User", "Tag"])
    // Only the latest contents are kept.
    #expect(files.known(modelFile) != nil && files.known(former) == nil)

    try folder.write("entities: {", to: "app.model.yaml")
    #expect(load("c", files).complaints.contains("app.model.yaml"))
    #expect(files.known(modelFile) == nil)
  }

  @Test(arguments: ["entities: {Post: {parent: Absent}}", "entities: {Post: {atributes: {}}}", "entities: ["])
  func eachScenarioReportsAnInvalidFile(text: String) throws {
    try folder.write(text, to: "app.model.yaml")
    let files = ModelFiles()
    for name in ["a", "b"] {
      let loaded = load(name, files)
      #expect(loaded.scenario == nil && summary(loaded) == summary(load(name)))
      #expect(files.known(modelFile) == nil)
    }
  }

  /// An addition of a scenario applies to no other scenario.
  @Test func anOverlayChangesOneScenario() throws {
    let files = ModelFiles()
    try write("b", model: "{file: app.model.yaml, nulls: keep, entities: {Post: {responseKeyPath: data}}}")
    _ = load("a", files)
    let overlaid = try #require(load("b", files).scenario).model
    #expect(overlaid.nulls == .keep && overlaid.entities[0].responseKeyPath == "data")
    #expect(summary(load("b", files)) == summary(load("b")))
    let plain = try #require(load("c", files).scenario).model
    #expect(plain.nulls == .clear && plain.entities[0].responseKeyPath == nil)
  }

  /// A scenario that may not read a file does not get it from another one.
  @Test func aScenarioOutsideTheFoldersCannotShareAFile() throws {
    let files = ModelFiles()
    _ = load("a", files)
    let other = try TemporaryFolder()
    let folders = ReadableFolders.find(around: other.path).folders
    let file = ScenarioFile(path: "\(folder.path)/b.yaml", name: "b", folders: folders)
    let loaded = Scenario.load(file, sharing: files)
    #expect(loaded.diagnostics.map(\.code) == [.outsideFile] && loaded.scenario == nil)
  }

  /// The scenarios of a run are read concurrently.
  @Test func scenariosShareAFileConcurrently() async throws {
    let files = ModelFiles()
    let expected = summary(load("a"))
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<200 { group.addTask { summary(load("a", files)) } }
      for await found in group { #expect(found == expected) }
    }
  }

  /// A plan gives its scenarios the same files, and each plan reads them again.
  @Test func theScenariosOfAPlanShareTheirFiles() {
    func plan() -> RunPlan { RunPlan(ScenarioFiles(below: folder.path), selection: ScenarioSelection()) }
    let (first, second) = (plan(), plan())
    #expect(Set(first.entries.map { ObjectIdentifier($0.modelFiles) }).count == 1)
    #expect(first.entries[0].modelFiles !== second.entries[0].modelFiles)
    let file = StampedFile(folder.path + "/app.model.yaml")
    _ = first.entries[0].read()
    #expect(first.entries[1].modelFiles.known(file) != nil)
  }
}
