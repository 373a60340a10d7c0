import ArgumentParser
import RecordSpec
import ScenarioReport

/// Runs scenarios, compares their results and reports them. Writes nothing below the folder of golden files.
struct RunCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run scenarios and compare the results with their golden files. Does not write golden files.",
    discussion: """
      For example, the first command reruns the scenarios of a folder whenever you save one of their files. The others \
      run a third of the suite on a CI machine, and join the reports of all three machines:
        recordspec run books --watch
        recordspec run --shard 2/3 --report json=report-2.jsonl
        recordspec merge report-1.jsonl report-2.jsonl report-3.jsonl

      A page with the records, drawings and explanations of all scenarios, which is one file:
        recordspec run --report html=report.html
      """)

  @OptionGroup(title: "Selection") var selection: SelectionArguments
  @OptionGroup(title: "Run") var jobs: JobsArgument
  @OptionGroup(title: "Run") var store: StoreArgument
  @OptionGroup(title: "Run") var adapters: AdapterArguments
  @OptionGroup(title: "Run") var control: RunControlArguments
  @OptionGroup(title: "Results and reports") var report: ReportArguments
  @OptionGroup(title: "Results and reports") var results: ResultsArguments
  @OptionGroup(title: "Files and output") var suite: SuiteArguments
  @OptionGroup(title: "Files and output") var golden: GoldenArguments

  private var watch: Bool { control.watch }

  func validate() throws {
    if let option = control.optionWithoutRun,
      let output = results.optionOfRun ?? (report.durations != nil ? "--durations" : nil)
    {
      throw ValidationError("'\(output)' cannot be combined with '\(option)', which runs nothing")
    }
    if control.list, !report.report.isEmpty {
      throw ValidationError("'--report' cannot be combined with '--list', which runs nothing")
    }
    if watch, selection.allowEmpty {
      throw ValidationError(
        "'--allow-empty' cannot be combined with '--watch', which waits until a scenario is selected")
    }
    if watch, let option = control.optionForOneRun ?? report.optionForOneRun {
      throw ValidationError(
        "'\(option)' cannot be combined with '--watch', which runs scenarios more than once")
    }
  }

  var writesFiles: Bool { results.keep != nil || report.requests.contains { $0.path != nil } }

  var suiteOptions: SuiteOptions {
    var options = suite.options(golden, jobs: jobs, store: store, adapters: adapters)
    options.explains = results.explain || options.settings.explains ?? false
    return options
  }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    try report.check(in: context)
    var context = context
    if context.environment.isReadOnly { context.suite.settings.omitFiles(context) }
    if watch { context.suite.settings.omitOptionsForOneRun(context) }
    let settings = context.suite.settings
    var control = control.options(settings)
    control.reports = report.report.isEmpty ? settings.reports : report.requests
    control.slowest = report.durations ?? settings.slowest ?? 0
    control.keptResults = results.keep?.trimmedFolder ?? settings.keptResults
    control.includesDetails = results.details || settings.includesDetails ?? false
    if results.details, !control.reports.contains(where: { $0.format == .json }) {
      throw context.refuse(
        .usage, "'--details' has no effect without a JSON report, such as '--report json=FILE'")
    }
    let run = SuiteRun(
      options: selection.options, control: control, golden: context.suite.goldenFolder, context: context,
      adapters: try adapters.adapters(in: context))
    return watch ? try await run.watch() : try await run.start()
  }
}
