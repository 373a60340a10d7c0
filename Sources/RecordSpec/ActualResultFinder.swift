internal import RecordModel

/// The finder of the actual result of a scenario. It runs the scenario, or reads a kept result where the command line
/// cannot run the scenario or where the user names a folder of kept results.
struct ActualResultFinder {
  let suite: SuiteOptions
  let context: CommandContext
  /// The folder of kept results that the user named; nil to run the scenario.
  let folder: String?

  /// Returns the result of the scenario that an argument selects. If there is none, reports the reason.
  func find(
    _ argument: String, isolation: isolated (any Actor)? = #isolation
  ) async -> Result<ActualResult, SuiteSelection.Refusal> {
    if let folder { return read(argument, in: KeptResults(path: folder, of: suite.scenarios)) }
    switch SuiteSelection.one(argument, suite: suite, context: context) {
    case .success(let entry): return await result(of: entry)
    case .failure(let refusal): return .failure(refusal)
    }
  }

  private func result(
    of entry: RunPlan.Entry, isolation: isolated (any Actor)? = #isolation
  ) async -> Result<ActualResult, SuiteSelection.Refusal> {
    let loaded = entry.read().checkedForRules().checkedForCodes().checkedForSwiftCode(nil)
    if let kept = keptBySwiftCode(loaded) {
      let changes = kept.changedInputs(below: suite.scenarios)
      if changes.isEmpty || loaded.needsSwiftCode {
        context.report("note: the scenario uses Swift code, so this is the result of its last test run\n")
        report(changes.map { "\($0) since then; run the test again" })
        return .success(kept.actual)
      }
      report(["the last test run used Swift code, which is missing here; \(changes[0]) since then"])
    }
    guard let scenario = loaded.scenario else {
      let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
      context.errors(renderer.text(of: loaded.diagnostics.filter { $0.severity == .error }))
      if loaded.needsSwiftCode {
        context.report(
          "error: there is no kept result of '\(loaded.name)'; a test run keeps one if the scenario fails\n")
      }
      return .failure(.init(.invalid))
    }
    ScratchFolder.removeLeftovers()
    let executed = await context.execute(scenario, suite.store)
    if executed.graphs.isEmpty, !executed.findings.isEmpty {
      // The records of `store:` cannot be stored.
      let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
      context.errors(renderer.text(of: executed.findings))
      return .failure(.init(.failed))
    }
    return .success(
      ActualResult(
        name: scenario.name, title: scenario.title, model: scenario.model.schema, executed: executed))
  }

  /// Returns the kept result of a test that the command line cannot reproduce; nil if there is none.
  private func keptBySwiftCode(_ loaded: LoadedScenario) -> KeptResult? {
    do throws(FileProblem) {
      let kept = try KeptResults(besides: suite.scenarios).load(loaded.name)
      return kept.flatMap { $0.usesSwiftCode ? $0 : nil }
    } catch {
      report([error.message])
      return nil
    }
  }

  /// Reads a kept result from the folder that the user named.
  private func read(
    _ argument: String, in results: KeptResults
  ) -> Result<ActualResult, SuiteSelection.Refusal> {
    let files = results.names.map { ScenarioFile(path: suite.scenarios + "/" + $0 + ".yaml", name: $0) }
    var selection = ScenarioSelection()
    selection.paths = [argument]
    let matches = selection.matches(among: files)
    guard matches.unmatchedPaths.isEmpty else {
      let near = ScenarioSelection.suggestion(for: argument, among: files)
      let reason =
        FileAccess.kind(of: results.path) == .folder
        ? "has no kept result of '\(argument)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
        : "is not a folder of kept results"
      context.report("error: '\(results.path)' \(reason)\n")
      return .failure(.init(.nothingSelected))
    }
    let entries = matches.files.map { RunPlan.Entry(file: $0) }
    return SuiteSelection.one(argument, of: entries, context: context).flatMap { entry in
      do throws(FileProblem) {
        guard let kept = try results.load(entry.file.name) else {
          throw FileProblem(path: results.file(of: entry.file.name), reason: "does not exist")
        }
        report(kept.changedInputs(below: suite.scenarios).map { "\($0) since this result was kept" })
        return .success(kept.actual)
      } catch {
        context.report("error: \(error.message)\n")
        return .failure(.init(.broken))
      }
    }
  }

  private func report(_ warnings: [String]) {
    for warning in warnings { context.report("warning: \(warning)\n") }
  }
}

extension ActualResult {
  /// Returns the number of the step to show. Reports a number that does not exist and returns nil.
  ///
  /// - Parameter number: the number that the user named; nil for the last step.
  func step(_ number: Int?, context: CommandContext) -> Int? {
    guard let number else { return steps.count }
    if (0...steps.count).contains(number) { return number }
    let count = counted(steps.count, "step")
    context.report(
      "error: '--step' must be from 0 to \(steps.count), because the result has \(count); 0 is the graph before the first step\n"
    )
    return nil
  }

  /// Reports the defect that ended the run early, or that made a step fail. Returns the exit status of the command.
  func status(_ context: CommandContext) -> ExitStatus {
    if let breakage = executed.breakage {
      context.report(
        "error: the scenario ended after step \(steps.count): \(breakage.message); \(breakage.advice)\n")
    } else if let obstacle = executed.obstacle.map({ Breakage($0) }) {
      context.report("error: the scenario could not run normally: \(obstacle.message); \(obstacle.advice)\n")
    } else {
      return .success
    }
    return .broken
  }
}
