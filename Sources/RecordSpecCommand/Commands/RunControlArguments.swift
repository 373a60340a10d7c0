import ArgumentParser
import RecordSpec

/// The arguments for the order and the limits of a run.
struct RunControlArguments: ParsableArguments {
  @Flag(help: "Print the names of the selected scenarios instead of running them.")
  var list = false

  @Flag(help: "Describe the run instead of running scenarios.")
  var dryRun = false

  @Flag(help: "Stop after the first failed scenario. The same as '--max-failures 1'.")
  var failFast = false

  @Option(parsing: .unconditional, help: "Stop after this number of failed scenarios.")
  var maxFailures: Int?

  @Option(
    name: .customLong("repeat"), parsing: .unconditional,
    help: ArgumentHelp("Run each scenario this many times, until it fails.", valueName: "count"))
  var repetitions: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Run the scenarios in an order that depends on this seed.", valueName: "seed"),
    transform: Self.seed)
  var shuffle: UInt64?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Give up scenarios that take longer than this: seconds, or a duration such as 500ms or 2m.",
      valueName: "seconds"), transform: Self.timeLimit)
  var timeout: Duration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Run only one part of the scenarios, such as 2/3 for the second of three.", valueName: "i/n"),
    transform: Shard.init(parsing:))
  var shard: Shard?

  @Option(
    help: ArgumentHelp(
      "Balance the shards by the durations in this JSON report of an earlier run. Repeatable.",
      valueName: "file"), completion: .jsonReports)
  var timings: [String] = []

  @Flag(
    help:
      "Wait after the run, and rerun scenarios when their file, their golden file or a file that they name is saved."
  )
  var watch = false

  func validate() throws {
    if failFast, maxFailures != nil {
      throw ValidationError("'--fail-fast' cannot be combined with '--max-failures'")
    }
    for (name, count) in [("max-failures", maxFailures), ("repeat", repetitions)] {
      if let count, count < 1 { throw ValidationError("'--\(name)' must be at least 1, not \(count)") }
    }
    if timings.contains("") { throw ValidationError("'--timings' must not be empty") }
    if !timings.isEmpty, shard == nil {
      throw ValidationError("'--timings' has no effect without '--shard'")
    }
    if list, dryRun { throw ValidationError("'--list' cannot be combined with '--dry-run'") }
  }

  private static func seed(_ text: String) throws -> UInt64 {
    guard let seed = UInt64(text) else {
      throw ValidationError("write a whole number from 0 to \(UInt64.max)")
    }
    return seed
  }

  private static func timeLimit(_ text: String) throws -> Duration {
    // A duration of that many seconds cannot be created from a larger number.
    let seconds = Double(text).flatMap { $0.isNaN ? nil : Duration.seconds(min(max($0, -1e6), 1e6)) }
    guard let limit = Duration(text: text) ?? seconds else {
      throw ValidationError("write seconds, or a duration such as 500ms, 10s or 2m")
    }
    guard RunSettings.possibleTimeLimits.contains(limit) else {
      throw ValidationError("write 1ms or more, and at most 1d")
    }
    return limit
  }

  /// The option for which nothing is run; nil for a run.
  var optionWithoutRun: String? { list ? "--list" : dryRun ? "--dry-run" : nil }

  /// The first option that makes sense for a single run only; nil if none is given.
  var optionForOneRun: String? {
    [
      ("--list", list), ("--dry-run", dryRun), ("--fail-fast", failFast),
      ("--max-failures", maxFailures != nil),
      ("--repeat", repetitions != nil), ("--shard", shard != nil),
    ].first(where: \.1)?.0
  }

  func options(_ settings: RunSettings) -> RunControl {
    var control = RunControl()
    control.limits.timeLimit = timeout ?? settings.timeLimit
    control.limits.repetitions = repetitions ?? settings.repetitions ?? 1
    control.limits.maximumFailures = failFast ? 1 : maxFailures ?? settings.maximumFailures
    control.shuffleSeed = shuffle ?? settings.shuffleSeed
    control.shard = shard
    control.timings = timings.isEmpty ? settings.timings : timings
    control.listsNames = list
    control.isDryRun = dryRun
    return control
  }
}

/// The arguments for the reports of a run.
struct ReportArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a report: text, json, junit, tap, markdown or html. Without a file, it replaces the text on standard output. Repeatable.",
      valueName: "format=file"),
    completion: .list(ReportFormat.allCases.map { $0.rawValue + "=" }))
  var report: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("List this many of the slowest scenarios.", valueName: "count"))
  var durations: Int?

  func validate() throws {
    if let durations, durations < 1 {
      throw ValidationError("'--durations' must be at least 1, not \(durations)")
    }
    do throws(ReportRequest.Problem) {
      let requests = try report.map { text throws(ReportRequest.Problem) in try ReportRequest(parsing: text) }
      if let conflict = ReportRequest.conflict(among: requests) { throw conflict }
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// The reports to write. The arguments have been validated.
  var requests: [ReportRequest] { report.compactMap { try? ReportRequest(parsing: $0) } }

  /// Refuses to print an HTML page on a terminal.
  func check(in context: CommandContext) throws(Refusal) {
    guard report.contains(ReportFormat.html.rawValue), context.environment.isTerminal else { return }
    throw context.refuse(
      .usage,
      "the HTML report is a page for a browser; write it to a file with '--report html=report.html'",
      advice: "'--report html=-' prints it on a terminal, too")
  }

  /// The first option that makes sense for a single run only; nil if none is given.
  var optionForOneRun: String? { report.isEmpty ? nil : "--report" }
}

/// The arguments for what a run keeps and reports of its results.
struct ResultsArguments: ParsableArguments {
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

  func validate() throws {
    if keep?.isEmpty ?? false { throw ValidationError("'--keep' must not be empty") }
  }

  /// The first option that has no effect without a run; nil if none is given.
  var optionOfRun: String? { keep != nil ? "--keep" : explain ? "--explain" : nil }
}
