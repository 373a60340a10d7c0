import ArgumentParser
import RecordSpec

extension ColorChoice: ExpressibleByArgument {}
extension StoreKind: ExpressibleByArgument {}

/// The arguments for the location of a suite and for its output.
struct SuiteArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Folder of scenarios.", valueName: "folder"), completion: .directory)
  var scenarios = "Scenarios"

  @OptionGroup var files: FileArguments

  /// Returns the options of the suite. The arguments have precedence over the project's settings.
  func options(
    _ golden: GoldenArguments? = nil, jobs: JobsArgument? = nil, store: StoreArgument? = nil,
    adapters: AdapterArguments? = nil
  ) -> SuiteOptions {
    var options = files.options
    options.scenarios = scenarios.trimmedFolder
    let settings = RunSettings(around: options.scenarios)
    options.settings = settings
    if let folder = golden?.golden { options.golden = folder.trimmedFolder }
    options.isVerbose = golden?.verbose == true || settings.isVerbose ?? false
    options.color = files.color.choice ?? settings.color ?? .auto
    // An adapter that the user has started runs one scenario at a time.
    options.jobs = adapters?.attach != nil ? 1 : jobs?.jobs ?? settings.jobs ?? options.jobs
    options.store = store?.store ?? settings.store ?? options.store
    return options
  }

  func validate() throws {
    if scenarios.isEmpty { throw ValidationError("'--scenarios' must not be empty") }
  }
}

/// The arguments for reading files and for messages about them.
struct FileArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Allow scenarios to read files in this folder, outside the project. Repeatable.",
      valueName: "folder"), completion: .directory)
  var allowOutside: [String] = []

  @OptionGroup var color: ColorArgument

  var options: SuiteOptions {
    var options = color.options
    options.allowedFolders = allowOutside.map(\.trimmedFolder)
    return options
  }

  func validate() throws {
    if allowOutside.contains("") { throw ValidationError("'--allow-outside' must not be empty") }
  }
}

/// The argument for the colors of the output.
struct ColorArgument: ParsableArguments {
  @Option(name: .customLong("color"), help: "Color the output. (default: auto)")
  var choice: ColorChoice?

  var options: SuiteOptions {
    var options = SuiteOptions()
    options.color = choice ?? .auto
    return options
  }
}

/// Options of the commands that compare with golden files.
struct GoldenArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Folder of golden files. (default: Golden beside the scenarios)", valueName: "folder"),
    completion: .directory)
  var golden: String?

  @Flag(
    name: .shortAndLong,
    help: "List passing scenarios too, and all differences of failing scenarios.")
  var verbose = false

  func validate() throws {
    if golden?.isEmpty ?? false { throw ValidationError("'--golden' must not be empty") }
  }
}

/// The argument for the number of scenarios that run concurrently.
struct JobsArgument: ParsableArguments {
  @Option(
    name: [.long, .customShort("j", allowingJoined: true)], parsing: .unconditional,
    help: "Number of scenarios to run at the same time. (default: number of processors)")
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("'--jobs' must be at least 1, not \(jobs)") }
  }
}

/// The argument for the store on which scenarios run.
struct StoreArgument: ParsableArguments {
  @Option(help: "Store to run on. Results are identical on every store. (default: memory)")
  var store: StoreKind?
}

/// The arguments that select scenarios of a suite.
struct SelectionArguments: ParsableArguments {
  @Argument(
    help: "Files, folders, glob patterns or names of scenarios. (default: all scenarios)",
    completion: .scenarios)
  var paths: [String] = []

  @Option(help: "Select scenarios with this tag. Repeatable.", completion: .tags)
  var tag: [String] = []

  @Option(
    help: "Select scenarios that cover this rule or group of rules. Repeatable.",
    completion: .list(CompletionCandidates.rules))
  var rule: [String] = []

  @Option(help: "Select scenarios with this text in their title.")
  var title: String?

  @Flag(help: "Select scenarios that failed in their last run.")
  var lastFailed = false

  @Option(
    defaultAsFlag: "HEAD", parsing: .next,
    help: ArgumentHelp(
      "Select scenarios whose file, golden file or a file that they name has changed since a commit or a branch. Write it after the paths.",
      valueName: "revision"))
  var changed: String?

  @Flag(help: "Exit with 0 when no scenario is selected. A misspelled path, name or rule is still an error.")
  var allowEmpty = false

  var options: SelectionOptions {
    var options = SelectionOptions()
    options.selection.paths = paths
    options.selection.tags = tag
    options.selection.rules = rule
    options.selection.title = title
    options.isLastFailed = lastFailed
    options.changedSince = changed
    options.allowsEmpty = allowEmpty
    return options
  }

  func validate() throws {
    if let changed, changed.isEmpty || changed.hasPrefix("-") {
      throw ValidationError("'--changed' needs a revision of Git such as 'main', not '\(changed)'")
    }
  }

  var isGiven: Bool { !options.selection.isEverything || lastFailed || changed != nil }
}

extension String {
  /// The path without slashes at its end: `Golden/` becomes `Golden`.
  var trimmedFolder: String {
    var path = self
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

extension String? {
  /// The file that an option names; nil for standard output, even if the option names it with `-`.
  var outputFile: String? { self == "-" ? nil : self }
}
