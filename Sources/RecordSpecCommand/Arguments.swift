import ArgumentParser
import RecordSpec

extension ColorChoice: ExpressibleByArgument {}
extension StoreKind: ExpressibleByArgument {}

/// The arguments for the location of a suite and for its output.
struct SuiteArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of scenarios.", valueName: "folder"))
  var scenarios = "Scenarios"

  @Option(
    help: ArgumentHelp(
      "The folder of golden files. (default: Golden beside the scenarios)", valueName: "folder"))
  var golden: String?

  @Option(
    help: ArgumentHelp(
      "Let scenarios name files below this folder, outside the project. May be given several times.",
      valueName: "folder"))
  var allowOutside: [String] = []

  @Option(help: "Whether output is coloured.")
  var color = ColorChoice.auto

  @Flag(name: .shortAndLong, help: "Also name what is as expected.")
  var verbose = false

  var options: SuiteOptions {
    var options = SuiteOptions()
    options.scenarios = scenarios.trimmedFolder
    if let golden { options.golden = golden.trimmedFolder }
    options.allowedFolders = allowOutside.map(\.trimmedFolder)
    options.color = color
    options.isVerbose = verbose
    return options
  }

  func validate() throws {
    if scenarios.isEmpty { throw ValidationError("'--scenarios' names no folder.") }
    if golden?.isEmpty ?? false { throw ValidationError("'--golden' names no folder.") }
    if allowOutside.contains("") { throw ValidationError("'--allow-outside' names no folder.") }
  }
}

/// The argument for the number of scenarios that run concurrently.
struct JobsArgument: ParsableArguments {
  @Option(name: .shortAndLong, help: "How many scenarios run at the same time. (default: the processors)")
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("'--jobs' is to be at least 1.") }
  }
}

/// The argument for the store on which scenarios run.
struct StoreArgument: ParsableArguments {
  @Option(help: "What keeps the records. Scenarios end alike on all of them.")
  var store = StoreKind.memory
}

/// The arguments that select scenarios of a suite.
struct SelectionArguments: ParsableArguments {
  @Argument(help: "Files, folders, globs or names of scenarios. Without any, all of them.")
  var paths: [String] = []

  @Option(help: "Scenarios with this tag. May be given several times.")
  var tag: [String] = []

  @Option(help: "Scenarios that cover this rule or group of rules. May be given several times.")
  var rule: [String] = []

  @Option(help: "Scenarios with this text in their title.")
  var title: String?

  @Flag(help: "Scenarios that failed when they last ran.")
  var lastFailed = false

  @Flag(help: "Scenarios that git sees a change in, or in a file that they name.")
  var changed = false

  @Flag(help: "Selecting nothing is no mistake.")
  var allowEmpty = false

  var options: SelectionOptions {
    var options = SelectionOptions()
    options.selection.paths = paths
    options.selection.tags = tag
    options.selection.rules = rule
    options.selection.title = title
    options.isLastFailed = lastFailed
    options.isChanged = changed
    options.allowsEmpty = allowEmpty
    return options
  }

  var isGiven: Bool { !options.selection.isEverything || lastFailed || changed }
}

extension String {
  /// The path without slashes at its end: `Golden/` becomes `Golden`.
  fileprivate var trimmedFolder: String {
    var path = self
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
