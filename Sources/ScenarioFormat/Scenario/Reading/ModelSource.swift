import JSONTree
package import RecordModel

/// A model that a user names by a file: a model file, an Xcode model, or a scenario.
package struct ModelSource {
  /// The model; nil if it is invalid. The diagnostics then contain an error.
  package private(set) var model: ManagedObjectModel?
  /// The errors and warnings about the files, sorted by file and location.
  package private(set) var diagnostics: [AuthorDiagnostic] = []
  /// An error for each part of the model that a model file cannot express, sorted by file and location.
  package private(set) var losses: [AuthorDiagnostic] = []
  /// The entities whose population the scenario changes with `customize`, in the order of the model.
  package private(set) var populated: [EntityName] = []
  private let path: String
  private var locations = ModelSourceMap()

  /// Reads a model. Of a scenario, only `model:`, `customize:` and `allows:` are read.
  ///
  /// - Parameters:
  ///   - path: the file or folder, as the user would type it.
  ///   - allowedFolders: folders outside the project of the file whose files it may name.
  package init(_ path: String, allowingOutside allowedFolders: [String] = []) {
    self.path = path
    let findings = Findings()
    let (folders, problems) = ReadableFolders.find(
      around: FilePath.folder(of: path), allowing: allowedFolders)
    findings.add(problems)
    if problems.isEmpty { read(ScenarioFile(path: path, name: path, folders: folders), findings) }
    let allowed = AllowedWarnings(
      entries: findings.allowedWarnings, paths: [path] + findings.sources.map(\.path))
    diagnostics = findings.diagnostics.sortedByLocation().filter { allowed.entries(for: $0).isEmpty }
  }

  /// The text of a model file for the model, without the parts that it cannot express; nil if the model is invalid.
  package var yaml: String? { model.map { ModelExport($0).text } }

  /// Returns the model in the text of a model file; nil if the text is invalid.
  package static func model(ofText text: String) -> ManagedObjectModel? {
    ModelReader(findings: Findings(), scenario: ScenarioFile(path: "", name: ""))
      .read(SourceFile(path: "", bytes: Array(text.utf8))).model
  }

  private mutating func read(_ file: ScenarioFile, _ findings: Findings) {
    let reader = ModelReader(findings: findings, scenario: file)
    if (ModelReader.modelFileSuffixes + ModelReader.xcodeSuffixes).contains(where: file.path.hasSuffix) {
      use(reader.read(file: file.path))
    } else if [".yaml", ".yml"].contains(where: file.path.hasSuffix) {
      readScenario(file, reader)
    } else {
      findings.report(
        .unknownValue, at: .file(file.path), "this is neither a model nor a scenario",
        expected: "a path that ends in '.model.yaml', '.xcdatamodeld' or '.yaml'")
    }
  }

  private mutating func readScenario(_ file: ScenarioFile, _ reader: ModelReader) {
    let findings = reader.findings
    guard let bytes = findings.bytes(ofFile: file.path, namedAt: .file(file.path), within: file.folders)
    else { return }
    let (root, diagnostics) = YAMLParser.parse(SourceFile(path: file.path, bytes: bytes))
    findings.add(diagnostics)
    guard let root, diagnostics.isEmpty else { return }
    guard let pairs = root.pairs else {
      findings.wrongKind(root, expected: "a mapping", for: "a scenario")
      return
    }
    guard let model = pairs.first(where: { $0.key == "model" }) else {
      findings.report(
        .missingKey, at: pairs.first?.keySpan ?? root.span, "missing key 'model' in a scenario",
        advice: ModelReader.adviceForMissingModel)
      return
    }
    findings.readAllowedWarnings(pairs.first { $0.key == "allows" })
    use(reader.read(model, pairs.first { $0.key == "customize" }))
  }

  private mutating func use(_ result: ModelReader.Result) {
    guard let model = result.model else { return }
    self.model = model
    locations = result.locations
    populated = model.entities.map(\.name).filter { result.customizations[$0]?.marshaling != nil }
    losses = diagnostics(
      of: ModelExport(model).losses
        + populated.map { entity in
          ModelProblem.loss(
            at: ["entities", entity.rawValue], "'customize' changes the population of '\(entity)'")
        })
  }

  /// Returns problems of the model at their locations, sorted by file and location.
  package func diagnostics(of problems: [ModelProblem]) -> [AuthorDiagnostic] {
    problems.map { AuthorDiagnostic(of: $0, at: locations.location(of: $0.path) ?? .file(path)) }
      .sortedByLocation()
  }
}

// MARK: - Model files of a suite

extension ModelSource {
  /// Returns the model files below a folder of scenarios, sorted by path.
  package static func modelFiles(below scenarios: String) -> [String] {
    FileBytes.files(below: scenarios)
      .filter { file in ModelReader.modelFileSuffixes.contains(where: file.hasSuffix) }
      .map { FilePath.child($0, of: scenarios) }
  }

  /// Returns the diagnostics. If the file does not exist, and the user wrote the name of a model instead of a path, they
  /// suggest a model file of the suite.
  package func diagnostics(suggestingFilesBelow scenarios: String) -> [AuthorDiagnostic] {
    guard FileAccess.kind(of: path) == .missing else { return diagnostics }
    func name(_ path: String) -> String { String(FilePath.name(of: path).prefix { $0 != "." }) }
    let files = Self.modelFiles(below: scenarios)
    let near = nearestName(to: name(path), among: files.map(name))
    guard let file = files.first(where: { name($0) == near }) else { return diagnostics }
    return [
      AuthorDiagnostic(
        .unreadableFile, at: .file(path), "the file '\(path)' does not exist",
        advice: "did you mean '\(file)'?")
    ]
  }
}
