import RecordModel
import RecordSpec
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// `recordspec run --watch`.
extension SuiteRun {
  /// Runs the selected scenarios, and then reruns those whose files change, until a signal ends the command.
  ///
  /// `--last-failed` and `--changed` select the scenarios of the first run only. The other conditions are checked again
  /// for each scenario whose files change.
  func watch(isolation: isolated (any Actor)? = #isolation) async throws(Refusal) -> ExitStatus {
    if context.environment.isCI {
      throw context.refuse(.usage, "'--watch' cannot be used in CI, because it never ends")
    }
    var options = options
    options.allowsEmpty = true
    var state = WatchState(suite: suite, selection: options.selection)
    var first: SuiteSelection?
    do throws(Refusal) {
      first = try SuiteSelection.find(options, in: context)
    } catch {
      guard error.status == .success else { throw error }
    }
    if let problem = folderProblem { throw context.refuse(problem) }
    ScratchFolder.removeLeftovers()
    state.readUnselected(besides: first?.plan)
    if let first {
      _ = try? await run(PreparedRun(first, control, adapters: adapters.names, store: suite.store)) {
        state.add($0)
      }
    }
    state.updateList()
    context.onSignal { nil }
    context.output("\(state.subject); press Control-C to stop\n")

    let watch = FileWatch(pause: context.pause)
    while let changes = await watch.changes(of: state.list) {
      if let selection = state.outdated() {
        context.output(separator + state.text(of: changes) + "\n\n")
        for problem in state.newProblems { context.output(context.renderer.text(of: problem) + "\n") }
        if !selection.plan.entries.isEmpty {
          let prepared = PreparedRun(selection, control, adapters: adapters.names, store: suite.store)
          _ = try? await run(prepared, isRerun: true) { state.add($0) }
        }
        context.onSignal { nil }
        context.output("\(state.subject): \(state.summary)\n")
      }
      state.updateList()
    }
    return .success
  }

  /// The text before a rerun, which clears a terminal.
  private var separator: String {
    context.canErase ? "\u{1B}[2J\u{1B}[H" : "\n"
  }
}

/// The scenarios of a suite that is watched, with their files and last results.
private struct WatchState {
  private(set) var list = WatchList()
  /// The problems that belong to no scenario and were not there before the last change.
  private(set) var newProblems: [AuthorDiagnostic] = []

  private let suite: SuiteOptions
  private let selection: ScenarioSelection
  private var found: ScenarioFiles
  private var problems: Set<AuthorDiagnostic.Position>
  /// The paths of all scenarios, and of those that were not there before the last change.
  private var known: Set<String>
  private var added: [String] = []
  private var results: [String: ReportedScenario] = [:]
  /// The files of the scenarios that were read since the list was updated.
  private var files: [String: [StampedFile]] = [:]

  init(suite: SuiteOptions, selection: ScenarioSelection) {
    self.suite = suite
    self.selection = selection
    found = ScenarioFiles(below: suite.scenarios, allowingOutside: suite.allowedFolders)
    problems = Set(found.diagnostics.map(\.position))
    known = Set(found.files.map(\.path))
  }

  mutating func add(_ verdict: ScenarioVerdict) {
    results[verdict.shownName] = ScenarioRenderer().reported(verdict)
    files[verdict.name] = verdict.files
  }

  /// Reads the scenarios that do not belong to the first run, because a change can select them.
  mutating func readUnselected(besides plan: RunPlan?) {
    let run = Set(plan?.entries.map(\.file.name) ?? [])
    for file in scenarios where !run.contains(file.name) {
      files[file.name] = plan?.unselectedFiles[file.name] ?? Scenario.load(file).files
    }
  }

  /// Updates the list with the scenarios that were read. The others keep their stamps, so that a file that was saved in the
  /// meantime is noticed.
  mutating func updateList() {
    list.update(scenarios.map { ($0, files[$0.name]) }, places: found.places)
    files = [:]
  }

  /// The scenarios whose names and paths are selected.
  private var scenarios: [ScenarioFile] { selection.matches(among: found.files).files }

  /// Finds the scenarios of the suite again, and selects those whose files have changed. Returns nil if there is nothing
  /// to report.
  mutating func outdated() -> SuiteSelection? {
    found = ScenarioFiles(below: suite.scenarios, allowingOutside: suite.allowedFolders)
    newProblems = found.diagnostics.filter { !problems.contains($0.position) }
    problems = Set(found.diagnostics.map(\.position))
    let outdated = scenarios.filter { !list.isCurrent($0, FileStamp.init(of:)) }
    added = outdated.map(\.path).filter { !known.contains($0) }
    // With an error in the settings, no scenario is found.
    if !found.files.isEmpty || found.diagnostics.isEmpty { known = Set(found.files.map(\.path)) }
    var selection = selection
    selection.names = Set(outdated.map(\.name))
    let plan = RunPlan(found, selection: selection)
    files = plan.unselectedFiles

    let names = Set(scenarios.map(\.name)).subtracting(plan.unselectedFiles.keys)
    let count = results.count
    results = results.filter { names.contains($0.key) }
    let isReported = !plan.entries.isEmpty || !newProblems.isEmpty || results.count < count
    return isReported ? SuiteSelection(plan: plan, isWhole: false) : nil
  }

  /// Returns the first changes in one line. Folders are named only if nothing else has changed.
  func text(of changes: [WatchList.Change]) -> String {
    let files = changes.filter { !list.isFolder($0.path) }.map { "\($0.kind.rawValue) \($0.path)" }
    let all = files + added.map { "\(WatchList.Change.Kind.new.rawValue) \($0)" }
    let told = all.isEmpty ? changes.map { "\($0.kind.rawValue) \($0.path)" } : all
    let rest = told.count > Self.toldChanges ? " and \(told.count - Self.toldChanges) more" : ""
    return DisplayText.oneLine(told.prefix(Self.toldChanges).joined(separator: ", ") + rest)
  }

  private static let toldChanges = 3

  /// The number of scenarios that were run.
  var subject: String { "watching \(counted(results.count, "scenario"))" }

  /// The last results of all scenarios.
  var summary: String {
    var summary = RunSummary()
    for result in results.values { summary.count(result) }
    return summary.text
  }
}
