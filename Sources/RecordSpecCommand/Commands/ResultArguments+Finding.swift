import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The result of one scenario, for the commands that show, explain or draw it. The scenario is run, or a kept result is read
/// where the command line cannot run the scenario or where the user names a folder of kept results.
extension ResultArguments {
  /// Returns the actual result of the scenario.
  ///
  /// - Parameter arguments: the adapter of a scenario that runs an app.
  func actualResult(
    _ arguments: AdapterArguments, in context: CommandContext, isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> ActualResult {
    let hasAdapter = !arguments.adapter.isEmpty || arguments.attach != nil
    switch try find(hasAdapter: hasAdapter, in: context) {
    case .kept(let kept, _, let notes):
      for note in notes { context.report(note) }
      return kept.actual
    case .scenario(let scenario):
      ScratchFolder.removeLeftovers()
      var executed = try await executed(scenario, arguments, context)
      executed.findings += executed.invalidBodies(of: scenario)
      // The records of `store:` cannot be stored.
      if executed.graphs.isEmpty, !executed.findings.isEmpty { throw refuse(executed.findings, context) }
      return ActualResult(
        name: scenario.name, title: scenario.title, model: (executed.tables ?? scenario.model).schema,
        executed: executed)
    }
  }

  /// Runs a scenario on the engine, or on its app.
  private func executed(
    _ scenario: Scenario, _ arguments: AdapterArguments, _ context: CommandContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> ExecutedScenario {
    guard let tables = scenario.tables else { return await context.execute(scenario, context.suite.store) }
    let adapters = try arguments.adapters(in: context)
    guard let execute = adapters.executor, adapters.names.count <= 1 else {
      throw context.refuse(
        .nothingSelected, "'\(scenario.name)' runs an app, so it needs the name of one adapter",
        advice:
          "write '--adapter NAME'; for an adapter in Swift, run the test, which keeps the result if the scenario fails"
      )
    }
    let executed = await execute(scenario, tables, nil)
    await adapters.stop()
    return executed
  }

  /// Returns the explanations of the records of the scenario.
  func explanations(
    in context: CommandContext, isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> any ExplanationSource {
    switch try find(in: context) {
    case .kept(let kept, let file, let notes):
      guard !kept.ranApp else { throw refuseExplaining(kept.name, context) }
      for note in notes { context.report(note) }
      return try explanations(in: kept, file, context)
    case .scenario(let scenario):
      guard scenario.tables == nil else { throw refuseExplaining(scenario.name, context) }
      ScratchFolder.removeLeftovers()
      let executed = await context.explain(scenario, context.suite.store)
      if let breakage = executed.breakage { throw refuse(breakage, context) }
      guard let explainer = Explainer(scenario, executed) else { throw refuse(executed.findings, context) }
      return explainer
    }
  }

  private func refuseExplaining(_ app: String, _ context: CommandContext) -> Refusal {
    context.refuse(
      .usage, "'\(app)' runs an app, and only the engine knows where values come from",
      advice: "'recordspec show' shows the rows after each step")
  }

  private func explanations(
    in kept: KeptResult, _ file: String, _ context: CommandContext
  ) throws(Refusal) -> any ExplanationSource {
    if let breakage = kept.executed.breakage { throw refuse(breakage, context) }
    switch kept.explanations {
    case .complete(let explanations): return explanations.located(below: context.suite.scenarios)
    case .missing(let reason):
      let cause =
        reason.map { ": \($0)" }
        ?? (kept.usesSwiftCode
          ? "; run the test again to keep them"
          : "; 'recordspec run --keep' keeps them")
      throw context.refuse(.broken, "'\(file)' has no explanations\(cause)")
    }
  }

  // MARK: Reports

  /// Reports the defect that ended the run early or made a step fail; if there is none, the findings of the run. Returns
  /// the exit status of the command.
  func reportErrors(of result: ActualResult, in context: CommandContext) -> ExitStatus {
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
    return executed.findings.isEmpty ? .success : refuse(executed.findings, context).status
  }

  private func refuse(_ findings: [AuthorDiagnostic], _ context: CommandContext) -> Refusal {
    context.refuse(findings.withUnusedResponsesAsNotes, .failed)
  }

  private func refuse(_ breakage: Breakage, _ context: CommandContext) -> Refusal {
    context.refuse(.broken, breakage.message, advice: breakage.advice)
  }
}

// MARK: - Finding

extension ResultArguments {
  private enum Found {
    /// A scenario that the command line can run.
    case scenario(Scenario)
    /// A kept result, its file, and notes about it.
    case kept(KeptResult, file: String, notes: [String])
  }

  /// Finds the scenario or its kept result.
  ///
  /// - Parameter hasAdapter: a Boolean value that indicates whether scenarios that run an app can be run.
  private func find(hasAdapter: Bool = false, in context: CommandContext) throws(Refusal) -> Found {
    if let from {
      return try read(in: KeptResults(path: from.trimmedFolder, of: context.suite.scenarios), context)
    }
    let loaded = try SuiteSelection.one(scenario, in: context).read().checkedForNames()
    let runsApp = loaded.scenario.map { $0.tables != nil } ?? false
    if !(runsApp && hasAdapter), let (kept, file) = keptBySwiftCode(loaded, context) {
      let changes = kept.changedInputs(below: context.suite.scenarios)
      if changes.isEmpty || loaded.needsSwiftCode || runsApp {
        let reason = runsApp ? "runs an app" : "uses Swift code"
        let note = "note: the scenario \(reason), so this is the result of its last test run\n"
        let warnings = changes.map { "warning: \($0) since then; run the test again\n" }
        return .kept(kept, file: file, notes: [note] + warnings)
      }
      context.report(
        "warning: the last test run used Swift code, which is missing here; \(changes[0]) since then\n")
    }
    if let scenario = loaded.scenario { return .scenario(scenario) }
    let refusal = context.refuse(loaded)
    if loaded.needsSwiftCode {
      context.report(
        "error: there is no kept result of '\(loaded.name)'; a test run keeps one if the scenario fails\n")
    }
    throw refusal
  }

  /// Returns the kept result of a test that the command line cannot reproduce; nil if there is none.
  private func keptBySwiftCode(
    _ loaded: LoadedScenario, _ context: CommandContext
  ) -> (KeptResult, file: String)? {
    let results = KeptResults(besides: context.suite.scenarios)
    do throws(FileProblem) {
      guard let kept = try results.load(loaded.name), kept.usesSwiftCode else { return nil }
      return (kept, results.file(of: loaded.name))
    } catch {
      context.report("warning: \(error.message)\n")
      return nil
    }
  }

  /// Reads a kept result from the folder that the user named.
  private func read(in results: KeptResults, _ context: CommandContext) throws(Refusal) -> Found {
    let folder = context.suite.scenarios
    let files = results.names.map { ScenarioFile(path: folder + "/" + $0 + ".yaml", name: $0) }
    var selection = ScenarioSelection()
    selection.paths = [scenario]
    let matches = selection.matches(among: files)
    guard matches.unmatchedPaths.isEmpty else {
      guard FileAccess.kind(of: results.path) == .folder else {
        throw context.refuse(.invalid, "'\(results.path)' is not a folder of kept results")
      }
      let near = ScenarioSelection.suggestion(for: scenario, among: files).map { "; did you mean '\($0)'?" }
      throw context.refuse(
        .nothingSelected, "'\(results.path)' has no kept result of '\(scenario)'\(near ?? "")")
    }
    let entries = matches.files.map { RunPlan.Entry(file: $0) }
    let name = try SuiteSelection.one(scenario, of: entries, context: context).file.name
    let file = results.file(of: name)
    let kept = try context.attempt { () throws(FileProblem) in
      guard let kept = try results.load(name) else {
        throw FileProblem(path: file, reason: "does not exist")
      }
      return kept
    }
    let warnings = kept.changedInputs(below: folder).map { "warning: \($0) since this result was kept\n" }
    return .kept(kept, file: file, notes: warnings)
  }
}
