import Foundation
import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec reduce` command. It writes a smaller scenario that fails in the same way as another one.
package struct ReduceCommandFlow {
  /// The options of the command.
  package struct Options: Sendable {
    /// The file, name or pattern of the scenario.
    package var scenario: String
    /// The name of the scenario to write, with the folders below the folder of scenarios; nil for `NAME.reduced.yaml` beside the scenario.
    package var output: String?
    /// A Boolean value that indicates whether existing files are replaced.
    package var isForced = false
    /// The maximum number of times that a scenario is run.
    package var maximumRuns = Options.standardMaximumRuns

    package static let standardMaximumRuns = 2000

    package init(scenario: String) { self.scenario = scenario }
  }

  private let suite: SuiteOptions
  private let golden: GoldenFolder
  private let options: Options
  private let context: CommandContext

  package init(suite: SuiteOptions, options: Options, context: CommandContext) {
    self.suite = suite
    golden = suite.goldenFolder
    self.options = options
    self.context = context
  }

  /// A scenario that fails, with its result.
  private struct Failing {
    let loaded: LoadedScenario
    let scenario: Scenario
    let failure: ScenarioFailure
    let identity: FailureIdentity
    let snapshot: ScenarioSnapshot
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    let entry: RunPlan.Entry
    switch SuiteSelection.one(options.scenario, suite: suite, context: context) {
    case .success(let found): entry = found
    case .failure(let refusal): return refusal.status
    }
    if let problem = golden.problem(besides: suite.scenarios) ?? suite.missingGoldenFolder {
      return context.refuse(problem, suite)
    }
    let target: ScenarioFile
    switch self.target(of: entry.file) {
    case .success(let found): target = found
    case .failure(let refusal): return refusal.status
    }
    ScratchFolder.removeLeftovers()
    let failing: Failing
    switch await self.failing(entry) {
    case .success(let found): failing = found
    case .failure(let refusal): return refusal.status
    }
    let reducer = ScenarioReducer(target: target, judge: judge, maximumRuns: options.maximumRuns)
    let isTerminal = context.environment.isTerminal && context.environment.variables["TERM"] != "dumb"
    let eraseLine = "\r\u{1B}[K"
    let reduced = await reducer.reduce(
      failing.loaded, failing.identity, recorded: recorded(of: entry.file.name), failing.snapshot
    ) { runs, lines in
      if isTerminal {
        context.output(eraseLine + "  \(counted(runs, "run")), \(counted(lines, "line")) left")
      }
    }
    if isTerminal { context.output(eraseLine) }
    guard let reduced else {
      context.report(
        "error: '\(entry.file.name)' does not fail in the same way as '\(target.path)'\n"
          + "help: choose a file in the folder of the scenario, because it names other files\n")
      return .usage
    }
    return write(reduced, of: failing, to: target)
  }

  /// Returns the file to write. Refuses a file that `recordspec run` would not find, and an existing one.
  private func target(of file: ScenarioFile) -> Result<ScenarioFile, SuiteSelection.Refusal> {
    func refuse(_ message: String, _ advice: String) -> Result<ScenarioFile, SuiteSelection.Refusal> {
      context.report("error: \(message)\nhelp: \(advice)\n")
      return .failure(.init(.usage))
    }
    let name: NewScenarioName
    if let output = options.output {
      if output.hasSuffix(".json") {
        return refuse("'\(output)' is not the name of a scenario", "choose a name that ends in '.yaml'")
      }
      do throws(NewScenarioName.Problem) {
        name = try NewScenarioName(output, in: suite.scenarios)
      } catch {
        return .failure(.init(context.refuse(error)))
      }
    } else {
      name = NewScenarioName(
        text: file.name + ".reduced", ending: file.path.hasSuffix(".yml") ? ".yml" : ".yaml")
    }
    let path = FilePath.child(name.file, of: suite.scenarios)
    if name.text == file.name {
      return refuse("'\(file.path)' is the scenario itself", "choose another file")
    }
    if let status = context.refusalOfSameGoldenFile(name, suite) { return .failure(.init(status)) }
    let target = ScenarioFile(path: path, name: name.text, folders: file.folders)
    for path in [path, golden.file(of: name.text)]
    where !options.isForced && FileAccess.kind(of: path) != .missing {
      return refuse(
        "the file '\(path)' exists", "add '--force' to replace it, or choose another name with '--output'")
    }
    return .success(target)
  }

  private var judge: ScenarioJudge {
    ScenarioJudge(
      execute: context.execute, explain: context.explain, store: suite.store, golden: golden,
      today: context.today)
  }

  /// Runs the scenario. Refuses one that does not fail.
  private func failing(
    _ entry: RunPlan.Entry, isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Failing, SuiteSelection.Refusal> {
    let name = entry.file.name
    func refuse(_ message: String, _ advice: String? = nil) -> Result<Failing, SuiteSelection.Refusal> {
      context.report("error: \(message)\n" + (advice.map { "help: \($0)\n" } ?? ""))
      return .failure(.init(.usage))
    }
    let loaded = entry.read()
    let verdict = await judge.verdict(on: RunPlan.Entry(file: entry.file, loaded: loaded))
    switch verdict.outcome {
    case .passed: return refuse("'\(name)' does not fail")
    case .new(let file, _):
      return refuse(
        "'\(name)' does not fail: its expectations are met, and it has no golden file",
        "write the expected result in 'expect:', or restore '\(file)'")
    case .skipped: return refuse("'\(name)' is skipped", "remove 'skip' to reduce the scenario")
    case .expectedFailure:
      return refuse("'\(name)' is expected to fail", "remove 'xfail' to reduce the scenario")
    case .unexpectedPass: return refuse("'\(name)' does not fail, although 'xfail' says so")
    case .invalid(let diagnostics):
      let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
      context.errors(renderer.text(of: diagnostics))
      return .failure(.init(.invalid))
    case .broken:
      context.report(
        "error: the result of '\(name)' is unknown; '\(suite.command("run")) \(name)' says why\n")
      return .failure(.init(.broken))
    case .failed(let failure):
      guard let scenario = loaded.scenario, let snapshot = verdict.snapshot,
        let identity = FailureIdentity(failure, of: scenario, snapshot: snapshot)
      else {
        return refuse(
          "'\(name)' fails only because its golden file cannot be compared",
          "'\(suite.command("run")) \(ShellText.quoted(name))' says why")
      }
      return .success(
        Failing(loaded: loaded, scenario: scenario, failure: failure, identity: identity, snapshot: snapshot))
    }
  }

  /// Returns the contents of a golden file; nil if it does not exist or is invalid.
  private func recorded(of name: String) -> JSONValue? {
    let path = golden.file(of: name)
    guard let bytes = try? FileBytes.read(path) else { return nil }
    return try? GoldenReader.readWithJSON(bytes, path: path).json
  }

  /// Writes the golden file first, so that the scenario is not new if the second file cannot be written.
  private func write(_ reduced: ScenarioReducer.Result, of failing: Failing, to target: ScenarioFile)
    -> ExitStatus
  {
    var written: [String] = []
    do throws(FileProblem) {
      if let text = reduced.golden {
        try golden.write(Array(text.utf8), of: target.name)
        written.append(golden.file(of: target.name))
      } else {
        // The golden file of an earlier scenario with this name, which '--force' replaces.
        try golden.remove(golden.file(of: target.name))
      }
      var files = NewFiles(in: suite.scenarios)
      files.add(target.name + (target.path.hasSuffix(".yml") ? ".yml" : ".yaml"), reduced.text)
      if let problem = files.problems(replacing: options.isForced).first { throw problem }
      try files.write()
      written.append(target.path)
    } catch {
      if let golden = written.first { _ = try? FileBytes.remove(golden) }
      context.report("error: \(error.message)\n")
      return .broken
    }
    let before = counted(reduced.lines.before, "line")
    context.output("reduced \(before) to \(reduced.lines.after) in \(counted(reduced.runs, "run"))\n")
    if reduced.isCutShort {
      context.output(
        "more can be removed, because '--runs' limits the number of runs to \(options.maximumRuns)\n")
    }
    for path in written.reversed() { context.output("wrote \(path)\n") }
    context.output("see the failure with: \(suite.command("run")) \(ShellText.quoted(target.name))\n")
    return .success
  }
}
