/// What a run is going to do, in order. It can be shown without running.
package struct RunPlan: Sendable {
  package struct Entry: Sendable {
    package var file: ScenarioFile
    /// Read already, because the selection depends on it; nil: to be read when it is its turn.
    package var loaded: LoadedScenario?

    /// The scenario as its file has it.
    package func read() -> LoadedScenario { loaded ?? Scenario.load(file) }
  }

  /// By path.
  package private(set) var entries: [Entry] = []
  /// The names of all scenarios that were found, meant or not: what golden files may belong to.
  package private(set) var allNames: [String] = []
  /// What is wrong beside the scenarios.
  package private(set) var problems: [AuthorDiagnostic]
  /// Paths of the selection that name nothing.
  package private(set) var unmatchedPaths: [String]

  package init(_ found: ScenarioFiles, selection: ScenarioSelection) {
    problems = found.diagnostics
    let matches = selection.matches(among: found.files)
    unmatchedPaths = matches.unmatchedPaths
    allNames = found.files.map(\.name)
    for file in matches.files {
      guard selection.needsScenarios else {
        entries.append(Entry(file: file))
        continue
      }
      let loaded = Scenario.load(file)
      if selection.includes(loaded.scenario) { entries.append(Entry(file: file, loaded: loaded)) }
    }
  }
}
