import ArgumentParser
import RecordSpec
import ScenarioFormat
import ScenarioReport

/// Joins the JSON Lines reports of all shards of a run into one report.
struct MergeCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Join the JSON reports of all shards of a run into one report.",
    usage: "recordspec merge [<options>] <report> ...",
    discussion: """
      The exit status is that of the whole run. It is 3 if a shard is missing or its report was cut off, and 2 if the \
      reports do not belong to one run. For example, after three machines have run 'recordspec run --shard 1/3 --report \
      json=report-1.jsonl' and so on:
        recordspec merge report-*.jsonl

      An HTML report has the records and drawings of scenarios if the shards ran with '--details':
        recordspec merge report-*.jsonl --report html=report.html
      """)

  @OptionGroup var color: ColorArgument
  @OptionGroup var report: ReportArguments

  @Argument(
    help: ArgumentHelp("JSON reports of the shards, in any order.", valueName: "report"),
    completion: .jsonReports)
  var reports: [String]

  @Flag(name: .shortAndLong, help: "List passing scenarios too.")
  var verbose = false

  func validate() throws {
    if reports.contains("") { throw ValidationError("a report must not be empty") }
  }

  var writesFiles: Bool { report.requests.contains { $0.path != nil } }

  var suiteOptions: SuiteOptions {
    var options = color.options
    options.isVerbose = verbose
    return options
  }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    try report.check(in: context)
    let merged = try read(in: context)
    let targets = report.requests
    let sources = Set(reports.map(FileAccess.resolved))
    if let target = targets.compactMap(\.path).first(where: { sources.contains(FileAccess.resolved($0)) }) {
      throw context.refuse(.usage, "the report '\(target)' would replace a report that is merged")
    }
    if let obstacle = context.suite.obstacle(to: targets) { throw context.refuse(.usage, obstacle) }
    let report = MergedReport(merged.reports, empty: merged.empty)
    guard report.conflicts.isEmpty else {
      for conflict in report.conflicts { context.report("error: \(conflict)\n") }
      return .invalid
    }
    var reporters = try context.attempt("the report ") { () throws(FileProblem) in
      try Reporters(targets, slowest: self.report.durations ?? 0, includesDetails: true, context: context)
    }
    var failures: [String] = []
    do throws(RecordedReport.Problem) {
      try report.forEachEvent { reporters.report($0) }
    } catch {
      failures.append(error.message)
    }
    failures += reporters.problems
    context.attemptReport(failures)
    return failures.isEmpty ? report.summary.status : .broken
  }

  /// Reads the reports of the shards. Returns those with lines, and the messages about the others.
  private func read(
    in context: CommandContext
  ) throws(Refusal) -> (reports: [RecordedReport], empty: [String]) {
    var recorded: [RecordedReport] = []
    var empty: [String] = []
    var problems: [RecordedReport.Problem] = []
    for path in reports {
      if path == "-" {
        throw context.refuse(.usage, "standard input cannot be merged; save the report to a file first")
      }
      do throws(RecordedReport.Problem) {
        recorded.append(try RecordedReport(path))
      } catch  where error.isEmpty {
        empty.append(error.message)
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty, !recorded.isEmpty else {
      for message in empty + problems.map(\.message) { context.report("error: \(message)\n") }
      throw Refusal(.invalid)
    }
    return (recorded, empty)
  }
}
