import JSONTree
import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

// Replacing the responses of recorded scenarios
extension ImportCommand {
  /// Replaces the responses of recorded scenarios by those of the recordings, and runs the scenarios.
  ///
  /// - Parameter path: a scenario, a folder of scenarios, or a folder with the bodies of a scenario.
  func update(
    _ path: String, in context: CommandContext, isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> ExitStatus {
    let scenarios = try recordedScenarios(path, in: context)
    let recorded = try read(in: context)
    let session = RecordedSession(recorded.exchanges)
    let others = leftOut(session)
    guard !session.exchanges.isEmpty else {
      throw context.refuse(
        .invalid, "the recording contains nothing to import" + (others.isEmpty ? "" : "; left out: \(others)")
      )
    }
    let update = SessionUpdate(scenarios, session, keepsValues: keepValues)
    try refuseForeign(update, session, path, in: context)
    let changed = update.files()
    if let file = changed.unchangeable.first {
      throw context.refuse(
        .invalid,
        "no file was written: responses in '\(file)' differ now, and are written in a form that cannot be replaced",
        advice: "write them without '&', '*', '<<' and '?', and give every key a value")
    }
    var files = NewFiles(in: context.suite.scenarios)
    for file in changed.new {
      files.add(FileAccess.relative(file.path, to: context.suite.scenarios), file.bytes)
    }
    try context.check(files, replacing: true)
    try context.write(files)
    let report = UpdateReport(update, changed)
    context.output(text(of: report.lines))
    if !others.isEmpty { context.output(text(of: ["left out: \(others)"])) }
    for warning in report.warnings { context.report("warning: \(DisplayText.oneLine(warning))\n") }
    warnAboutMadeUpURLs(recorded, in: context)
    return changed.new.isEmpty ? .success : try await run(scenarios, in: context)
  }

  /// Returns the scenarios of a path. Reports the errors of those that cannot be read.
  private func recordedScenarios(
    _ path: String, in context: CommandContext
  ) throws(Refusal) -> [RecordedScenario] {
    var options = SelectionOptions()
    options.selection.paths = [scenario(ofBodies: path.trimmedFolder) ?? path]
    let entries = try SuiteSelection.find(options, in: context).plan.entries
    var scenarios: [RecordedScenario] = []
    for entry in entries {
      let loaded = entry.read()
      guard let scenario = loaded.scenario else { throw context.refuse(loaded) }
      if scenario.responses.isEmpty, entries.count > 1 { continue }
      guard let recorded = RecordedScenario(scenario) else {
        throw context.refuse(
          .invalid, "the responses of '\(scenario.file.path)' cannot be replaced: merge keys stand for them",
          advice: "write these responses without '<<'")
      }
      scenarios.append(recorded)
    }
    return scenarios
  }

  /// Returns the scenario whose bodies import has written to a folder such as `Scenarios/_recordings/books`; nil for another
  /// folder.
  private func scenario(ofBodies folder: String) -> String? {
    let parent = FilePath.folder(of: folder)
    guard FilePath.name(of: parent) == "_recordings" else { return nil }
    let stem = FilePath.child(FilePath.name(of: folder), of: FilePath.folder(of: parent))
    return [".yaml", ".yml"].map { stem + $0 }.first(where: FileAccess.exists)
  }

  /// Refuses scenarios of other requests than those of the recordings.
  private func refuseForeign(
    _ update: SessionUpdate, _ session: RecordedSession, _ path: String, in context: CommandContext
  ) throws(Refusal) {
    guard !update.answersAny else { return }
    guard let response = update.responses.first(where: { $0.obstacle == nil }) else {
      let reason = update.responses.first?.obstacle.map { "the first one cannot be replaced, because \($0)" }
      throw context.refuse(
        .invalid,
        "'\(path)' has no responses that a recording can replace" + (reason.map { ": \($0)" } ?? ""),
        advice: "write a scenario of the recording with '--output NAME'")
    }
    let asked = session.exchanges.first.map { "'\($0.method) \($0.url)'" } ?? "nothing"
    let baseURL = update.scenarios[response.scenario].scenario.baseURL
    throw context.refuse(
      .invalid,
      "the recording has none of the requests of '\(path)': they are relative to '\(baseURL)', such as "
        + "'\(response.text)', and the first one of the recording is \(asked)",
      advice: "record the requests of the scenario, or write a new one with '--output NAME'")
  }

  /// Runs the scenarios, and names the commands that accept their changes.
  private func run(
    _ scenarios: [RecordedScenario], in context: CommandContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> ExitStatus {
    let names = scenarios.map(\.scenario.name)
    let shown = names.prefix(5).map { " " + ShellText.quoted($0) }.joined()
    guard scenarios.allSatisfy({ $0.scenario.tables == nil }) else {
      context.output("next: \(context.suite.command("run"))\(shown) --adapter NAME\n")
      return .success
    }
    var options = SelectionOptions()
    options.selection.paths = scenarios.map(\.path)
    let status = try await SuiteRun(
      options: options, control: RunControl(), golden: context.suite.goldenFolder, context: context
    ).start()
    if status == .failed {
      let review = context.suite.command("review")
      context.output(
        "next: if the API has changed as intended, adapt 'expect' and the model, and accept the rest with: \(review)\(shown)\n"
          + "next: otherwise, take back the files, for example with 'git restore'\n")
    }
    return status
  }
}
