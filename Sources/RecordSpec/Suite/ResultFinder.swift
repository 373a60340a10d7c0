import RecordModel
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The finder of the result of one scenario, for the commands that show, explain or draw it. It runs the scenario, or
/// reads a kept result where the command line cannot run the scenario or where the user names a folder of kept results.
package struct ResultFinder {
  /// The file, name or pattern of one scenario.
  private let scenario: String
  /// The folder of kept results; nil to run the scenario.
  private let keptResults: String?
  private let suite: SuiteOptions
  let context: CommandContext

  package init(
    scenario: String, keptResults: String? = nil, suite: SuiteOptions, context: CommandContext
  ) {
    self.scenario = scenario
    self.keptResults = keptResults
    self.suite = suite
    self.context = context
  }

  /// Returns the actual result of the scenario. If there is none, reports the reason.
  func actualResult(
    isolation: isolated (any Actor)? = #isolation
  ) async -> Result<ActualResult, SuiteSelection.Refusal> {
    switch find() {
    case .failure(let refusal): return .failure(refusal)
    case .success(.kept(let kept, _)): return .success(kept.actual)
    case .success(.scenario(let scenario)):
      ScratchFolder.removeLeftovers()
      var executed = await context.execute(scenario, suite.store)
      executed.findings += executed.invalidBodies(of: scenario)
      // The records of `store:` cannot be stored.
      if executed.graphs.isEmpty, !executed.findings.isEmpty { return .failure(refuse(executed.findings)) }
      return .success(
        ActualResult(
          name: scenario.name, title: scenario.title, model: scenario.model.schema, executed: executed))
    }
  }

  /// Returns the explanations of the records of the scenario. If there are none, reports the reason.
  func explanations(
    isolation: isolated (any Actor)? = #isolation
  ) async -> Result<any ExplanationSource, SuiteSelection.Refusal> {
    switch find() {
    case .failure(let refusal): return .failure(refusal)
    case .success(.kept(let kept, let file)): return explanations(in: kept, file)
    case .success(.scenario(let scenario)):
      ScratchFolder.removeLeftovers()
      let executed = await context.explain(scenario, suite.store)
      if let breakage = executed.breakage { return .failure(refuse(breakage)) }
      guard let explainer = Explainer(scenario, executed) else { return .failure(refuse(executed.findings)) }
      return .success(explainer)
    }
  }

  private func explanations(
    in kept: KeptResult, _ file: String
  ) -> Result<any ExplanationSource, SuiteSelection.Refusal> {
    if let breakage = kept.executed.breakage { return .failure(refuse(breakage)) }
    switch kept.explanations {
    case .complete(let explanations): return .success(explanations.located(below: suite.scenarios))
    case .missing(let reason):
      let cause =
        reason.map { ": \($0)" }
        ?? (kept.usesSwiftCode
          ? "; run the test again to keep them"
          : "; 'recordspec run --keep' keeps them")
      context.report("error: '\(file)' has no explanations\(cause)\n")
      return .failure(.init(.broken))
    }
  }

  // MARK: Reports

  /// Reports the defect that ended the run early or made a step fail; if there is none, the findings of the run. Returns
  /// the exit status of the command.
  func reportErrors(of result: ActualResult) -> ExitStatus {
    let executed = result.executed
    if let breakage = executed.breakage {
      context.report(
        "error: the scenario ended after step \(result.steps.count): \(breakage.message); \(breakage.advice)\n"
      )
      return .broken
    }
    if let obstacle = executed.obstacle.map({ Breakage($0) }) {
      context.report("error: the scenario could not run normally: \(obstacle.message); \(obstacle.advice)\n")
      return .broken
    }
    if executed.findings.isEmpty { return .success }
    report(executed.findings)
    return .failed
  }

  private func refuse(_ findings: [AuthorDiagnostic]) -> SuiteSelection.Refusal {
    report(findings)
    return .init(.failed)
  }

  private func refuse(_ breakage: Breakage) -> SuiteSelection.Refusal {
    context.report("error: \(breakage.message)\nhelp: \(breakage.advice)\n")
    return .init(.broken)
  }

  private func report(_ findings: [AuthorDiagnostic]) {
    let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
    context.errors(renderer.text(of: findings.withUnusedResponsesAsNotes))
  }

  private func report(_ warnings: [String]) {
    for warning in warnings { context.report("warning: \(warning)\n") }
  }
}

// MARK: - Finding

extension ResultFinder {
  private enum Found {
    /// A scenario that the command line can run.
    case scenario(Scenario)
    /// A kept result, and its file.
    case kept(KeptResult, file: String)
  }

  /// Finds the scenario or its kept result, and prints notes about a kept result.
  private func find() -> Result<Found, SuiteSelection.Refusal> {
    if let folder = keptResults { return read(in: KeptResults(path: folder, of: suite.scenarios)) }
    return SuiteSelection.one(scenario, suite: suite, context: context).flatMap(find)
  }

  private func find(_ entry: RunPlan.Entry) -> Result<Found, SuiteSelection.Refusal> {
    let loaded = entry.read().checkedForNames()
    if let (kept, file) = keptBySwiftCode(loaded) {
      let changes = kept.changedInputs(below: suite.scenarios)
      if changes.isEmpty || loaded.needsSwiftCode {
        context.report("note: the scenario uses Swift code, so this is the result of its last test run\n")
        report(changes.map { "\($0) since then; run the test again" })
        return .success(.kept(kept, file: file))
      }
      report(["the last test run used Swift code, which is missing here; \(changes[0]) since then"])
    }
    if let scenario = loaded.scenario { return .success(.scenario(scenario)) }
    let status = context.refuse(loaded, suite)
    if loaded.needsSwiftCode {
      context.report(
        "error: there is no kept result of '\(loaded.name)'; a test run keeps one if the scenario fails\n")
    }
    return .failure(.init(status))
  }

  /// Returns the kept result of a test that the command line cannot reproduce; nil if there is none.
  private func keptBySwiftCode(_ loaded: LoadedScenario) -> (KeptResult, file: String)? {
    let results = KeptResults(besides: suite.scenarios)
    do throws(FileProblem) {
      guard let kept = try results.load(loaded.name), kept.usesSwiftCode else { return nil }
      return (kept, results.file(of: loaded.name))
    } catch {
      report([error.message])
      return nil
    }
  }

  /// Reads a kept result from the folder that the user named.
  private func read(in results: KeptResults) -> Result<Found, SuiteSelection.Refusal> {
    let files = results.names.map { ScenarioFile(path: suite.scenarios + "/" + $0 + ".yaml", name: $0) }
    var selection = ScenarioSelection()
    selection.paths = [scenario]
    let matches = selection.matches(among: files)
    guard matches.unmatchedPaths.isEmpty else {
      guard FileAccess.kind(of: results.path) == .folder else {
        context.report("error: '\(results.path)' is not a folder of kept results\n")
        return .failure(.init(.invalid))
      }
      let near = ScenarioSelection.suggestion(for: scenario, among: files).map { "; did you mean '\($0)'?" }
      context.report("error: '\(results.path)' has no kept result of '\(scenario)'\(near ?? "")\n")
      return .failure(.init(.nothingSelected))
    }
    let entries = matches.files.map { RunPlan.Entry(file: $0) }
    return SuiteSelection.one(scenario, of: entries, context: context).flatMap { entry in
      do throws(FileProblem) {
        let file = results.file(of: entry.file.name)
        guard let kept = try results.load(entry.file.name) else {
          throw FileProblem(path: file, reason: "does not exist")
        }
        report(kept.changedInputs(below: suite.scenarios).map { "\($0) since this result was kept" })
        return .success(.kept(kept, file: file))
      } catch {
        context.report("error: \(error.message)\n")
        return .failure(.init(.broken))
      }
    }
  }
}
