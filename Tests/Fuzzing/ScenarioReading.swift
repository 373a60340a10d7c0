import Foundation

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat

/// Reads inputs as scenarios, in a folder without other files.
struct ScenarioReading {
  let folder: URL
  private let file: ScenarioFile

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenarios")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The settings file prevents that a folder above counts as the project.
    try Data().write(to: folder.appendingPathComponent(ProjectSettings.fileName))
    let path = folder.path
    file = ScenarioFile(
      path: path + "/input.yaml", name: "input", folders: ReadableFolders.find(around: path).folders)
  }

  /// Loads a scenario, and checks all diagnostics about it.
  ///
  /// - Parameter others: the number of bytes of other files that are read, by their path.
  func load(_ input: [UInt8], others: [String: Int] = [:]) -> LoadedScenario {
    let reader = ScenarioReader(scenarioFile: file, file: SourceFile(path: file.path, bytes: input))
    let scenario = reader.read()
    let loaded = LoadedScenario(
      path: file.path, name: file.name, scenario: scenario,
      diagnostics: reader.findings.diagnostics.sortedByLocation(), names: reader.findings.names
    ).checkedForRules().checkedForCodes()
    let hasError = loaded.diagnostics.contains { $0.severity == .error }
    expect(
      hasError == (loaded.scenario == nil),
      "there is \(hasError ? "an" : "no") error, and the other way round a scenario")
    DiagnosticsOracle.check(loaded.diagnostics, sizes: others.merging([file.path: input.count]) { $1 })
    return loaded
  }
}
