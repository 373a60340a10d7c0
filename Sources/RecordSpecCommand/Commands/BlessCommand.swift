import ArgumentParser
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// Writes a golden file if nothing else differs from the result, and shows the changes. Never overrides what an author expects.
struct BlessCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bless",
    abstract: "Create or update golden files from the results, and show what changes.",
    discussion: """
      For example, this command creates or updates the golden files of a folder of scenarios:
        recordspec bless books

      A scenario whose own expectations fail is refused: fix it first. A new golden file is refused if a response had no \
      records and 'expect:' does not say so. Golden files cannot be blessed in CI.
      """)

  @OptionGroup var suite: SuiteArguments
  @OptionGroup var golden: GoldenArguments
  @OptionGroup var jobs: JobsArgument
  @OptionGroup var adapters: AdapterArguments
  @OptionGroup var selection: SelectionArguments

  @Flag(help: "Remove golden files without scenario, and do nothing else.")
  var prune = false

  @Flag(help: "Also create golden files for responses without records that 'expect:' does not mention.")
  var allowDiagnostics = false

  func validate() throws {
    if prune, selection.isGiven {
      throw ValidationError("'--prune' cannot be combined with a selection of scenarios")
    }
  }

  var writesFiles: Bool { true }

  var suiteOptions: SuiteOptions { suite.options(golden, jobs: jobs, adapters: adapters) }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    if context.environment.isCI {
      // A person must review the changes.
      throw context.refuse(
        .usage,
        "golden files cannot be blessed in CI ('CI' or 'TF_BUILD' is set); bless them on your machine and commit them"
      )
    }
    let golden = context.suite.goldenFolder
    if let problem = golden.problem(besides: context.suite.scenarios) { throw context.refuse(problem) }
    if prune { return try removeObsolete(in: golden, context) }
    let selection = try SuiteSelection.find(self.selection.options, in: context)
    let writer = GoldenFileWriter(
      golden, count: selection.plan.entries.count, allowsDiagnostics: allowDiagnostics, context: context)
    context.onSignal {
      context.output(writer.summary + "\n")
      return nil
    }
    ScratchFolder.removeLeftovers()
    golden.removeLeftovers()
    if selection.isWhole { writer.show(selection.plan.problems) }
    let adapters = try adapters.adapters(in: context)
    var plan = selection.plan
    plan.expand(to: adapters.names)
    await bless(plan.entries, in: golden, with: writer, context, adapters)
    await adapters.stop()
    if let remark = ScenarioRenderer.remark(
      hiddenWarnings: writer.hiddenWarnings, checkCommand: context.suite.command("check"))
    {
      context.output(remark)
    }
    context.output(writer.summary + "\n")
    if let remark = context.suite.remark(onMissingAdapters: writer.lackingAdapter, "bless") {
      context.output(remark)
      if writer.status == .success, writer.lackingAdapter == plan.entries.count { return .nothingSelected }
    }
    return writer.status
  }

  private func bless(
    _ entries: [RunPlan.Entry], in golden: GoldenFolder, with writer: GoldenFileWriter,
    _ context: CommandContext, _ adapters: AppAdapters, isolation: isolated (any Actor)? = #isolation
  ) async {
    var judge = ScenarioJudge(execute: context.execute, golden: golden, today: context.today)
    judge.executeApp = adapters.executor
    let scenarios = context.suite.scenarios
    let kept = KeptResults(besides: scenarios)
    var results = AdapterResults(count: adapters.names.count)
    await ScenarioRunner(judge: judge, jobs: context.suite.jobs).run(entries) { verdict in
      var verdict = verdict
      switch results.add(verdict) {
      case .incomplete: return
      case .equal(let common): verdict = common
      case .different(let reason):
        writer.refuse(verdict, becauseAdaptersDiffer: reason)
        return
      }
      switch judge.verdictOnKeptResult(of: verdict, in: kept, below: scenarios) {
      case nil: writer.bless(verdict)
      case .failure(let refusal)?: writer.refuse(verdict, refusal.reason)
      case .success(let kept)?:
        guard writer.bless(kept) else { return }
        context.report(ScenarioJudge.noteOnKeptResult(of: kept.name))
      }
    }
  }

  /// Removes golden files without a scenario.
  private func removeObsolete(
    in golden: GoldenFolder, _ context: CommandContext
  ) throws(Refusal) -> ExitStatus {
    let found = ScenarioFiles(
      below: context.suite.scenarios, allowingOutside: context.suite.allowedFolders)
    guard found.diagnostics.isEmpty else {
      context.errors(context.renderer.text(of: found.diagnostics))
      throw context.refuse(
        .invalid,
        "no golden file was removed, because some scenarios could not be found; fix the errors above first")
    }
    guard golden.isThere else {
      throw context.refuse(
        AuthorDiagnostic(.unreadableFile, at: .file(golden.path), "the folder does not exist"))
    }
    if let problem = golden.unreadableFolder { throw context.refuse(.broken, problem.message) }
    golden.removeLeftovers()
    var (removed, kept) = (0, 0)
    var isBroken = false
    for file in golden.obsolete(besides: found.files.map(\.name)) {
      do throws(FileProblem) {
        switch try golden.remove(file) {
        case .removed:
          context.output("removed \(file)\n")
          removed += 1
        case .gone: break
        case .foreign:
          // The user may have named a folder of other JSON files by mistake.
          context.report("error: '\(file)' is not a golden file; remove it by hand if it is not needed\n")
          kept += 1
        }
      } catch {
        context.report("error: \(error.message)\n")
        kept += 1
        isBroken = true
      }
    }
    context.output(removed + kept == 0 ? "no golden files to remove\n" : "\(removed) removed, \(kept) kept\n")
    return isBroken ? .broken : kept > 0 ? .failed : .success
  }
}
