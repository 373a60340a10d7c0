import Foundation
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// A run of a scenario that is not written yet. Its new files are in a temporary folder during the run.
struct ScenarioTrial {
  var draft: ScenarioDraft
  /// The path of the scenario as the user would type it.
  var path: String
  /// The folder of scenarios, which determines the files that the scenario may name.
  var root: String
  /// The new files that the scenario names, by their paths below its folder.
  var files: [(name: String, bytes: [UInt8])] = []
  var allowedFolders: [String] = []

  /// Runs the scenario. Reports the errors of the scenario and of the files that it names.
  func run(
    in context: CommandContext, isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> ExecutedScenario {
    try await withScenario(in: context) { scenario in await context.execute(scenario, .memory) }
  }

  /// Runs the scenario to find the failures, the diagnostics and the drift of its steps. Reports the errors of the scenario
  /// and of the files that it names.
  func outcomes(
    in context: CommandContext, isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> ExecutedScenario {
    try await withScenario(in: context) { scenario in
      var executed = await context.tryOut(scenario, .memory)
      executed.findings += executed.invalidBodies(of: scenario)
      return executed
    }
  }

  /// Reads the scenario and does some work with it. Reports the errors of the scenario and of the files that it names.
  func withScenario<Value>(
    in context: CommandContext, isolation: isolated (any Actor)? = #isolation,
    _ work: (Scenario) async throws(Refusal) -> Value
  ) async throws(Refusal) -> Value {
    let temporary: ScratchFolder
    do throws(TemporaryFolderProblem) {
      temporary = try ScratchFolder()
    } catch {
      throw context.refuse(.broken, "\(error)")
    }
    defer { temporary.remove() }
    var new = NewFiles(in: temporary.url(of: "new").path)
    for file in files { new.add(file.name, file.bytes) }
    try context.attempt("the temporary folder cannot be used: ") { () throws(FileProblem) in try new.write() }
    let names = Set(files.map(\.name))
    var draft = draft
    draft.replacePaths { names.contains($0) ? new.path(of: $0) : nil }
    let (folders, problems) = ReadableFolders.find(
      around: root, allowing: allowedFolders + (files.isEmpty ? [] : [new.folder]))
    let file = ScenarioFile(path: path, name: "scenario", folders: folders)
    let loaded = Scenario.load(file, bytes: Array(draft.text.utf8)).refused(for: problems)
    guard let scenario = loaded.scenario else {
      throw context.refuse(loaded.diagnostics.filter { $0.severity == .error }.map(atFile))
    }
    return try await work(scenario)
  }

  /// Returns a diagnostic without its line in the scenario, which the user has never seen.
  private func atFile(_ diagnostic: AuthorDiagnostic) -> AuthorDiagnostic {
    var diagnostic = diagnostic
    if diagnostic.path == path { diagnostic.location = .file(path) }
    return diagnostic
  }
}
