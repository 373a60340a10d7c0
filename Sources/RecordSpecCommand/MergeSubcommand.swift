import ArgumentParser
import RecordSpec

struct MergeSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Join the JSON reports of all shards of a run into one report.",
    discussion: """
      The exit status is that of the whole run. It is 3 if a shard is missing or its report was cut off, and 2 if the \
      reports do not belong to one run. For example, after three machines have run 'recordspec run --shard 1/3 --report \
      json=report-1.jsonl' and so on:
        recordspec merge report-*.jsonl

      An HTML report has the records and drawings of scenarios if the shards ran with '--details':
        recordspec merge report-*.jsonl --report html=report.html
      """)

  @OptionGroup var files: FileArguments
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

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    if let status = report.refusal(in: context) { return status }
    var suite = files.options
    suite.isVerbose = verbose
    return MergeCommandFlow(
      paths: reports, reports: report.requests, slowest: report.durations ?? 0, suite: suite, context: context
    ).run()
  }
}
