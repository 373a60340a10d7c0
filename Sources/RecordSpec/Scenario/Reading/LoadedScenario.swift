import Foundation

/// A scenario file after it has been read: the scenario, and everything there is to say about the file.
public struct LoadedScenario: Sendable {
  /// The path as the user would type it.
  public var path: String
  /// The path below the scenarios' folder without extension, `identity/attribute-key`.
  public var name: String
  /// Nil if the file is wrong; the diagnostics have an error then.
  public var scenario: Scenario?
  /// Errors and warnings, by file and place.
  public var diagnostics: [AuthorDiagnostic]
  /// What is yet to be looked up elsewhere, in the order of the file.
  var names: [ForeignName] = []
}

extension LoadedScenario {
  /// The scenario with further problems, if there are any: it cannot be run then.
  func refused(for problems: [AuthorDiagnostic]) -> LoadedScenario {
    guard !problems.isEmpty else { return self }
    var refused = self
    refused.scenario = nil
    refused.diagnostics = (diagnostics + problems).sortedByPlace()
    return refused
  }
}

extension Scenario {
  /// Reads a scenario file, its model and the recordings it names. All mistakes are found in one go.
  ///
  /// - Parameters:
  ///   - path: the file, as the user would type it.
  ///   - root: the folder that scenarios are named from. The file name alone names a file that is not below it.
  public static func load(path: String, root: String) -> LoadedScenario {
    let (folders, problems) = ReadableFolders.find(around: root)
    let name = ScenarioFile.name(of: path, below: root)
    return load(ScenarioFile(path: path, name: name, folders: folders)).refused(for: problems)
  }

  /// Reads a scenario file that has been found.
  public static func load(_ file: ScenarioFile) -> LoadedScenario {
    var loaded = LoadedScenario(path: file.path, name: file.name, diagnostics: [])
    do throws(FileProblem) {
      let reader = ScenarioReader(
        scenarioFile: file, file: SourceFile(path: file.path, bytes: try bytes(of: file.path)))
      loaded.scenario = reader.read()
      loaded.diagnostics = reader.findings.diagnostics.sortedByPlace()
      loaded.names = reader.findings.names
    } catch {
      loaded.diagnostics = [AuthorDiagnostic(.unreadableFile, at: .file(file.path), error.reason)]
    }
    return loaded
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
    throw FileProblem(path: path, reason: "there is no such file")
  }
}
