import ArgumentParser
import RecordSpec

struct RunSubcommand: ParsableCommand, RunnableCommand {
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

  @OptionGroup var suite: SuiteArguments
  @OptionGroup var golden: GoldenArguments
  @OptionGroup var jobs: JobsArgument
  @OptionGroup var store: StoreArgument
  @OptionGroup var control: RunControlArguments
  @OptionGroup var report: ReportArguments
  @OptionGroup var selection: SelectionArguments

  @Option(
    help: ArgumentHelp(
      "Keep the results of failed scenarios in this folder, also in CI. (default: .recordspec/kept beside the scenarios, but not in CI)",
      valueName: "folder"), completion: .directory)
  var keep: String?

  @Flag(help: "Explain where different values come from.")
  var explain = false

  @Flag(
    help: "Add the details of scenarios to JSON reports, so that 'merge' can write them into an HTML report.")
  var details = false

  @Flag(
    help:
      "Wait after the run, and rerun scenarios when their file, their golden file or a file that they name is saved."
  )
  var watch = false

  func validate() throws {
    if keep?.isEmpty ?? false { throw ValidationError("'--keep' must not be empty") }
    if let option = control.optionWithoutRun,
      let output = keep != nil
        ? "--keep" : explain ? "--explain" : report.durations != nil ? "--durations" : nil
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

  var writesFiles: Bool { keep != nil || report.requests.contains { $0.path != nil } }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    if let status = report.refusal(in: context) { return status }
    var suite = suite.options.with(golden).with(jobs).with(store)
    suite.explains = explain || suite.settings.explains ?? false
    if context.environment.isReadOnly { suite.settings.omitFiles(context) }
    if watch { suite.settings.omitOptionsForOneRun(context) }
    var control = control.options(suite.settings)
    control.reports = report.report.isEmpty ? suite.settings.reports : report.requests
    control.slowest = report.durations ?? suite.settings.slowest ?? 0
    control.keptResults = keep?.trimmedFolder ?? suite.settings.keptResults
    control.includesDetails = details || suite.settings.includesDetails ?? false
    if details, !control.reports.contains(where: { $0.format == .json }) {
      context.report("error: '--details' has no effect without a JSON report, such as '--report json=FILE'\n")
      return .usage
    }
    let flow = RunCommandFlow(suite: suite, options: selection.options, control: control, context: context)
    return watch ? await flow.watch() : await flow.run()
  }
}

struct CheckSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate scenarios and models, and warn of probable mistakes.",
    discussion: """
      To compare responses with the model, valid scenarios are run in memory. Expectations and golden files are not \
      compared, and nothing is written. For example, this command fails if there is a warning:
        recordspec check --strict

      The end of a warning is its code, such as '[no-inverse]'. An intended warning is silenced in the file, with the \
      reason:
        allows: {no-inverse: tags are never deleted}
      """)

  @OptionGroup var suite: SuiteArguments
  @OptionGroup var selection: SelectionArguments

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Flag(help: "Print the errors and warnings as JSON.")
  var json = false

  var writesFiles: Bool { false }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    let suite = suite.options
    return await CheckCommandFlow(
      suite: suite, options: selection.options, isStrict: strict || suite.settings.isStrict ?? false,
      isJSON: json, context: context
    ).run()
  }
}

struct BlessSubcommand: ParsableCommand, RunnableCommand {
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

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    let flow = BlessCommandFlow(
      suite: suite.options.with(golden).with(jobs), options: selection.options,
      allowsDiagnostics: allowDiagnostics, context: context)
    return prune ? flow.prune() : await flow.run()
  }
}

struct ReviewSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Accept or reject the changes of golden files, one question for the same change in many files.",
    discussion: """
      A golden file is written when all of its changes are accepted. Without a terminal, the command lists the changes \
      with their identifiers:
        recordspec review
        recordspec review --accept 3f9a01c2

      A scenario whose own expectations fail cannot be reviewed: fix it first.
      """)

  @OptionGroup var suite: SuiteArguments
  @OptionGroup var golden: GoldenArguments
  @OptionGroup var jobs: JobsArgument
  @OptionGroup var selection: SelectionArguments

  @Option(
    help: ArgumentHelp(
      "Accept the change with this identifier, and ask nothing. Repeatable.", valueName: "id"))
  var accept: [String] = []

  @Flag(help: "Print the changes as JSON, and ask nothing.")
  var json = false

  @Flag(help: "Also review new golden files for responses without records that 'expect:' does not mention.")
  var allowDiagnostics = false

  func validate() throws {
    if json, !accept.isEmpty { throw ValidationError("'--json' cannot be combined with '--accept'") }
  }

  var writesFiles: Bool { !accept.isEmpty }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    await ReviewCommandFlow(
      suite: suite.options.with(golden).with(jobs), options: selection.options, accepted: accept,
      isJSON: json, allowsDiagnostics: allowDiagnostics, context: context
    ).run()
  }
}

struct RulesSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List the rules of the engine and the scenarios that cover them.",
    discussion: """
      For example, this command lists the rules of a group that no scenario covers:
        recordspec rules identity --uncovered

      This one writes a page with all rules, the scenarios that cover them, and the outcomes on both stores:
        recordspec run --report json=memory.jsonl
        recordspec run --store sqlite --report json=sqlite.jsonl
        recordspec rules --html rules.html --results memory.jsonl --results sqlite.jsonl
      """)

  @OptionGroup var suite: SuiteArguments

  @Argument(
    help: "Rules or groups of rules. (default: all rules)", completion: .list(CompletionCandidates.rules))
  var names: [String] = []

  @Option(
    help: "List the rules of this group. Repeatable.", completion: .list(CompletionCandidates.ruleGroups))
  var group: [String] = []

  @Flag(help: "List only rules that no scenario covers.")
  var uncovered = false

  @Option(
    help: ArgumentHelp("Write the list to an HTML page instead; - is standard output.", valueName: "file"),
    completion: .file())
  var html: String?

  @Option(
    help: ArgumentHelp(
      "Show the outcomes in this JSON report of a run on the page. Repeatable.", valueName: "file"),
    completion: .jsonReports)
  var results: [String] = []

  func validate() throws {
    if html?.isEmpty ?? false { throw ValidationError("'--html' must not be empty") }
    if results.contains("") { throw ValidationError("'--results' must not be empty") }
    if !results.isEmpty, html == nil { throw ValidationError("'--results' has no effect without '--html'") }
  }

  var writesFiles: Bool { ![nil, "-"].contains(html) }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    RulesCommandFlow(
      suite: suite.options, names: group + names, isUncoveredOnly: uncovered,
      page: html.map { RulesCommandFlow.Page(path: $0 == "-" ? nil : $0, results: results) }, context: context
    ).run()
  }
}

struct ModelSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Print a model as a YAML model file.",
    discussion: """
      For example, this command converts a model of Xcode:
        recordspec model App.xcdatamodeld > Scenarios/_models/app.model.yaml

      The model of a scenario includes the names, key paths and keys of 'customize:'. The command fails if a model file \
      cannot express a part of the model, and lists these parts.
      """)

  @OptionGroup var files: FileArguments

  @Argument(
    help: ArgumentHelp(
      "Model file, '.xcdatamodeld', '.xcdatamodel' or scenario.", valueName: "source"),
    completion: .models)
  var path: String

  @Flag(help: "Omit the parts that a model file cannot express.")
  var lossy = false

  func validate() throws {
    if path.isEmpty { throw ValidationError("the source must not be empty") }
  }

  var writesFiles: Bool { false }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    ModelCommandFlow(path: path.trimmedFolder, isLossy: lossy, suite: files.options, context: context).run()
  }
}

struct MergeGoldenSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-golden",
    abstract: "Merge golden files by record. Git calls this command as a merge driver.",
    discussion: """
      Set it up once per clone, and commit the line of '.gitattributes':
        git config merge.recordspec.name "golden files by record"
        git config merge.recordspec.driver "recordspec merge-golden %O %A %B %P"
        echo "Golden/** merge=recordspec" >> .gitattributes

      The result is written to OURS. If both sides have changed a value in different ways, OURS keeps its value, the \
      command lists the conflict and exits with 1.
      """)

  @Argument(
    help: ArgumentHelp("Golden file of the common ancestor. It may be empty.", valueName: "base"),
    completion: .file(extensions: ["json"]))
  var base: String

  @Argument(
    help: ArgumentHelp("Golden file of the current branch, which gets the result.", valueName: "ours"),
    completion: .file(extensions: ["json"]))
  var ours: String

  @Argument(
    help: ArgumentHelp("Golden file of the other branch.", valueName: "theirs"),
    completion: .file(extensions: ["json"]))
  var theirs: String

  @Argument(
    help: ArgumentHelp(
      "Path of the golden file for messages. (default: the path of each file)", valueName: "path"),
    completion: .file(extensions: ["json"]))
  var path: String?

  var writesFiles: Bool { true }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    MergeGoldenCommandFlow(base: base, ours: ours, theirs: theirs, path: path, context: context).run()
  }
}

extension SuiteOptions {
  fileprivate func with(_ argument: JobsArgument) -> SuiteOptions {
    var options = self
    if let jobs = argument.jobs { options.jobs = jobs }
    return options
  }

  func with(_ argument: StoreArgument) -> SuiteOptions {
    var options = self
    if let store = argument.store { options.store = store }
    return options
  }
}
