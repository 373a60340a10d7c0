import Foundation

/// A scenario file that has been read: the scenario and all diagnostics about the file.
package struct LoadedScenario: Sendable {
  /// The path as the user would type it.
  package var path: String
  /// The path below the folder of scenarios without extension, such as `identity/attribute-key`.
  package var name: String
  package var heading = ScenarioHeading()
  /// The scenario; nil if the file is invalid. The diagnostics then contain an error.
  package var scenario: Scenario?
  /// The errors and warnings, sorted by file and location.
  package var diagnostics: [AuthorDiagnostic]
  /// The entries of `allows` in the scenario and its model file.
  package var allowed = AllowedWarnings()
  /// The warnings that these entries silence, sorted by file and location.
  package var silenced: [AuthorDiagnostic] = []
  /// The layers of the model, which locate its parts.
  package var modelLayers: [ModelSourceMap.Layer] = []
  /// The contents of the scenario file and of its model file, if that is YAML. A file that is not YAML has none.
  package var roots: [YAMLNode] = []
  /// The names that must be verified later, in the order of the file.
  package var names: [ForeignName] = []
  /// The files that the scenario was read from: the scenario, its model, and its recordings.
  package var sources: [SourceBytes] = []
  /// The scenario file and the files that it names, whether or not they exist. Each has its stamp from before it was
  /// read.
  package var files: [StampedFile] = []
}

extension LoadedScenario {
  /// The scenario file and its model file, if that is YAML.
  package var yamlFiles: [SourceBytes] {
    sources.filter { file in
      file.path == path || ModelReader.modelFileSuffixes.contains(where: file.path.hasSuffix)
    }
  }

  /// Returns the scenario with additional problems. If there are any, the scenario is invalid.
  package func refused(for problems: [AuthorDiagnostic]) -> LoadedScenario {
    guard !problems.isEmpty else { return self }
    var refused = self
    refused.scenario = nil
    refused.diagnostics = (diagnostics + problems).sortedByLocation()
    return refused
  }
}

extension Scenario {
  /// Reads a scenario file, its model and the recordings that it names. Reports all errors at once.
  ///
  /// - Parameters:
  ///   - path: the file, as the user would type it.
  ///   - root: the folder that names of scenarios are relative to. A file outside this folder is named by its file name
  ///     alone.
  package static func load(path: String, root: String) -> LoadedScenario {
    let (folders, problems) = ReadableFolders.find(around: root)
    let name = ScenarioFile.name(of: path, below: root)
    return load(ScenarioFile(path: path, name: name, folders: folders)).refused(for: problems)
  }

  /// Reads a scenario file that ``ScenarioFiles`` has found.
  ///
  /// - Parameters:
  ///   - swiftModels: the models in Swift that a test target registers; nil on the command line.
  ///   - modelFiles: the model files that the scenarios of a run share.
  package static func load(
    _ file: ScenarioFile, swiftModels: SwiftModels? = nil, sharing modelFiles: ModelFiles = ModelFiles()
  ) -> LoadedScenario {
    let stamped = StampedFile(file.path)
    var loaded: LoadedScenario
    do throws(FileProblem) {
      loaded = load(file, bytes: try bytes(of: file.path), swiftModels: swiftModels, sharing: modelFiles)
    } catch {
      loaded = LoadedScenario(path: file.path, name: file.name, diagnostics: [])
      loaded.diagnostics = [AuthorDiagnostic(.unreadableFile, at: .file(file.path), error.reason)]
    }
    loaded.files.insert(stamped, at: 0)
    return loaded
  }

  /// Reads the bytes of a scenario file, which need not exist.
  package static func load(
    _ file: ScenarioFile, bytes: [UInt8], swiftModels: SwiftModels? = nil,
    sharing modelFiles: ModelFiles = ModelFiles()
  ) -> LoadedScenario {
    let reader = ScenarioReader(
      scenarioFile: file, file: SourceFile(path: file.path, bytes: bytes), swiftModels: swiftModels,
      modelFiles: modelFiles)
    var loaded = LoadedScenario(path: file.path, name: file.name, diagnostics: [])
    (loaded.heading, loaded.scenario) = reader.read()
    loaded.sources = [SourceBytes(path: file.path, bytes: bytes)] + reader.findings.sources
    loaded.files = reader.findings.files
    loaded.allowed = AllowedWarnings(
      entries: reader.findings.allowedWarnings, paths: loaded.yamlFiles.map(\.path))
    loaded.modelLayers = reader.findings.modelLayers
    loaded.roots = reader.findings.roots
    for diagnostic in reader.findings.diagnostics.sortedByLocation() {
      if loaded.allowed.entries(for: diagnostic).isEmpty {
        loaded.diagnostics.append(diagnostic)
      } else {
        loaded.silenced.append(diagnostic)
      }
    }
    loaded.names = reader.findings.names
    return loaded
  }

  /// Reads only the heading of a scenario file, without the files that it names. It is empty for a large file.
  package static func heading(of file: ScenarioFile) -> ScenarioHeading {
    let limit = 1 << 20
    guard let bytes = try? FileBytes.read(file.path, at: 0, count: limit), bytes.count < limit else {
      return ScenarioHeading()
    }
    return ScenarioReader(scenarioFile: file, file: SourceFile(path: file.path, bytes: bytes)).readHeading()
  }

  private static func bytes(of path: String) throws(FileProblem) -> [UInt8] {
    if FileAccess.kind(of: path) == .folder {
      throw FileProblem(path: path, reason: "this is a folder, not a file")
    }
    do throws(FileProblem) {
      if let bytes = try FileBytes.read(path) { return bytes }
    } catch {
      throw FileProblem(path: path, reason: "the file \(error.reason)")
    }
    throw FileProblem(path: path, reason: "the file does not exist")
  }
}
