import Foundation

@testable import ScenarioFormat
@testable import ScenarioRun

/// The scenarios in `Format/warned`. Each has one warning, whose code is the name of the file.
enum WarnedFiles {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Format/warned").path

  static let names: [String] = {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return all.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// Returns the warnings about a scenario as `recordspec check` finds them, regardless of all others.
  static func warnings(about name: String, in folder: String = folder) async -> [AuthorDiagnostic] {
    let loaded = Scenario.load(path: "\(folder)/\(name).yaml", root: folder)
    var lint = SuiteLint(isWhole: true)
    let searched = await SearchedScenario(loaded, with: ScenarioExecution.executeWithProvenance)
    let warnings = lint.warnings(about: searched)
    return (loaded.diagnostics + warnings + lint.warningsAboutAll()).sortedByLocation()
  }
}
