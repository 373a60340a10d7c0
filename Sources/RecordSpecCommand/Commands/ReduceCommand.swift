import ArgumentParser
import JSONTree
import RecordModel
import RecordSpec
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// Writes a smaller scenario that fails in the same way as another one.
struct ReduceCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reduce",
    abstract: "Write a smaller scenario that fails in the same way.",
    usage: "recordspec reduce [<options>] <scenario>",
    discussion: """
      For example, this command writes the scenario 'feed/home.reduced':
        recordspec reduce feed/home

      Everything that the first failure of the scenario does not need is removed, such as steps, responses, keys of \
      bodies, entities and expectations. Models and recorded bodies become part of the scenario. Comments on the rest \
      remain. The original is not changed.
      """)

  @OptionGroup var suite: SuiteArguments

  @Option(
    help: ArgumentHelp(
      "Folder of golden files. (default: Golden beside the scenarios)", valueName: "folder"),
    completion: .directory)
  var golden: String?

  @OptionGroup var store: StoreArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Name of the scenario to write, with folders below the folder of scenarios. (default: NAME.reduced)",
      valueName: "folder/name"), completion: .scenarioFolders)
  var output: String?

  @Flag(help: "Replace existing files.")
  var force = false

  @Option(help: "Maximum number of runs.")
  var runs = 2000

  @Argument(help: "File, name or pattern of one scenario.", completion: .scenarios)
  var scenario: String

  func validate() throws {
    if golden?.isEmpty ?? false { throw ValidationError("'--golden' must not be empty") }
    if output?.isEmpty ?? false { throw ValidationError("'--output' must not be empty") }
    if runs < 1 { throw ValidationError("'--runs' must be at least 1, not \(runs)") }
  }

  var writesFiles: Bool { true }

  var suiteOptions: SuiteOptions {
    var options = suite.options(store: store)
    if let golden { options.golden = golden.trimmedFolder }
    return options
  }

  /// A scenario that fails, with its result.
  private struct Failing {
    let loaded: LoadedScenario
    let identity: FailureIdentity
    let snapshot: ScenarioSnapshot
  }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let entry = try SuiteSelection.one(scenario, in: context)
    if entry.read().scenario?.tables != nil {
      throw context.refuse(
        .usage, "'\(entry.file.name)' runs an app, which would have to run thousands of times",
        advice: "remove steps and responses by hand, and run it with 'recordspec run --watch --adapter NAME'")
    }
    let golden = context.suite.goldenFolder
    if let problem = golden.problem(besides: context.suite.scenarios) ?? context.suite.missingGoldenFolder {
      throw context.refuse(problem)
    }
    let target = try target(of: entry.file, besides: golden, in: context)
    ScratchFolder.removeLeftovers()
    var judge = ScenarioJudge(execute: context.execute, golden: golden, today: context.today)
    (judge.explain, judge.store) = (context.explain, context.suite.store)
    let failing = try await failing(entry, judge, in: context)
    let reducer = ScenarioReducer(target: target, judge: judge, maximumRuns: runs)
    let eraseLine = "\r\u{1B}[K"
    let reduced = await reducer.reduce(
      failing.loaded, failing.identity, recorded: Self.recorded(golden.file(of: entry.file.name)),
      failing.snapshot
    ) { runs, lines in
      if context.canErase {
        context.output(eraseLine + "  \(counted(runs, "run")), \(counted(lines, "line")) left")
      }
    }
    if context.canErase { context.output(eraseLine) }
    guard let reduced else {
      throw context.refuse(
        .usage, "'\(entry.file.name)' does not fail in the same way as '\(target.path)'",
        advice: "choose a file in the folder of the scenario, because it names other files")
    }
    try write(reduced, to: target, golden, in: context)
    return .success
  }

  /// Returns the file to write. Refuses a file that `recordspec run` would not find, and an existing one.
  private func target(
    of file: ScenarioFile, besides golden: GoldenFolder, in context: CommandContext
  ) throws(Refusal) -> ScenarioFile {
    let name: NewScenarioName
    if let output {
      if output.hasSuffix(".json") {
        throw context.refuse(
          .usage, "'\(output)' is not the name of a scenario", advice: "choose a name that ends in '.yaml'")
      }
      name = try context.newScenarioName(output)
    } else {
      name = NewScenarioName(
        text: file.name + ".reduced", ending: file.path.hasSuffix(".yml") ? ".yml" : ".yaml")
    }
    let path = FilePath.child(name.file, of: context.suite.scenarios)
    if name.text == file.name {
      throw context.refuse(.usage, "'\(file.path)' is the scenario itself", advice: "choose another file")
    }
    try context.checkGoldenFile(of: name)
    for path in [path, golden.file(of: name.text)] where !force && FileAccess.kind(of: path) != .missing {
      throw context.refuse(
        .usage, "the file '\(path)' exists",
        advice: "add '--force' to replace it, or choose another name with '--output'")
    }
    return ScenarioFile(path: path, name: name.text, folders: file.folders)
  }

  /// Runs the scenario. Refuses one that does not fail.
  private func failing(
    _ entry: RunPlan.Entry, _ judge: ScenarioJudge, in context: CommandContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> Failing {
    let name = entry.file.name
    func refuse(_ message: String, _ advice: String? = nil) -> Refusal {
      context.refuse(.usage, "'\(name)' \(message)", advice: advice)
    }
    let run = context.suite.command("run")
    let loaded = entry.read()
    let verdict = await judge.verdict(on: RunPlan.Entry(file: entry.file, loaded: loaded))
    switch verdict.outcome {
    case .passed: throw refuse("does not fail")
    case .new(let file, _):
      throw refuse(
        "does not fail: its expectations are met, and it has no golden file",
        "write the expected result in 'expect:', or restore '\(file)'")
    case .skipped: throw refuse("is skipped", "remove 'skip' to reduce the scenario")
    case .expectedFailure: throw refuse("is expected to fail", "remove 'xfail' to reduce the scenario")
    case .unexpectedPass: throw refuse("does not fail, although 'xfail' says so")
    case .invalid(let diagnostics): throw context.refuse(diagnostics)
    case .broken:
      throw context.refuse(.broken, "the result of '\(name)' is unknown; '\(run) \(name)' says why")
    case .failed(let failure):
      guard let scenario = loaded.scenario, let snapshot = verdict.snapshot,
        let identity = FailureIdentity(failure, of: scenario, snapshot: snapshot)
      else {
        throw refuse(
          "fails only because its golden file cannot be compared",
          "'\(run) \(ShellText.quoted(name))' says why")
      }
      return Failing(loaded: loaded, identity: identity, snapshot: snapshot)
    }
  }

  /// Returns the contents of a golden file; nil if it does not exist or is invalid.
  private static func recorded(_ file: String) -> JSONValue? {
    guard let bytes = try? FileBytes.read(file) else { return nil }
    return try? GoldenReader.readWithJSON(bytes, path: file).json
  }

  /// Writes the golden file first, so that the scenario is not new if the second file cannot be written.
  private func write(
    _ reduced: ScenarioReducer.Result, to target: ScenarioFile, _ golden: GoldenFolder,
    in context: CommandContext
  ) throws(Refusal) {
    var written: [String] = []
    do throws(FileProblem) {
      if let text = reduced.golden {
        try golden.write(Array(text.utf8), of: target.name)
        written.append(golden.file(of: target.name))
      } else {
        // The golden file of an earlier scenario with this name, which '--force' replaces.
        try golden.remove(golden.file(of: target.name))
      }
      var files = NewFiles(in: context.suite.scenarios)
      files.add(target.name + (target.path.hasSuffix(".yml") ? ".yml" : ".yaml"), reduced.text)
      if let problem = files.problems(replacing: force).first { throw problem }
      try files.write()
      written.append(target.path)
    } catch {
      if let golden = written.first { _ = try? FileBytes.remove(golden) }
      throw context.refuse(.broken, error.message)
    }
    let before = counted(reduced.lines.before, "line")
    context.output("reduced \(before) to \(reduced.lines.after) in \(counted(reduced.runs, "run"))\n")
    if reduced.isCutShort {
      context.output("more can be removed, because '--runs' limits the number of runs to \(runs)\n")
    }
    for path in written.reversed() { context.output("wrote \(path)\n") }
    context.output(
      "see the failure with: \(context.suite.command("run")) \(ShellText.quoted(target.name))\n")
  }
}
