import ArgumentParser
import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// Lists the rules of the engine and the scenarios that prove them.
struct RulesCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List the rules of the engine and the scenarios that cover them.",
    usage: "recordspec rules [<options>] [<names> ...]",
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

  var writesFiles: Bool { html.outputFile != nil }

  var suiteOptions: SuiteOptions { suite.options() }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let suite = context.suite
    // The rules can be listed without scenarios, but a folder that the user named must exist.
    let found = ScenarioFiles(below: suite.scenarios, allowingOutside: suite.allowedFolders)
    if found.files.isEmpty, let problem = found.diagnostics.first,
      suite.scenarios != SuiteOptions().scenarios || problem.path != suite.scenarios
    {
      throw context.refuse(problem)
    }
    let loaded = found.files.map { Scenario.load($0) }
    let unreadable = loaded.count { $0.scenario == nil }
    if unreadable > 0 {
      let files = unreadable == 1 ? "1 scenario is" : "\(unreadable) scenarios are"
      context.report(
        "warning: \(files) invalid and not counted; '\(suite.command("check"))' prints the errors\n")
    }
    let coverage = RuleCoverage(loaded.compactMap(\.scenario))
    var listings: [RuleListing] = []
    var status = ExitStatus.success
    let names = group + names
    for name in names.isEmpty ? [nil] : names.map(Optional.some) {
      do {
        listings.append(try RuleListing(coverage, of: name, isUncoveredOnly: uncovered))
      } catch {
        context.report("error: \(error.message); \(error.advice)\n")
        status = .usage
      }
    }
    if html == nil {
      context.output(listings.map(\.text).joined(separator: "\n"))
    } else if status == .success {
      let page = try page(of: loaded, rules: listings.flatMap(\.rules), in: context)
      try context.write(page, to: html.outputFile)
    }
    return status
  }

  /// Returns the page in HTML, with the outcomes in the reports.
  private func page(
    of loaded: [LoadedScenario], rules: [Rule], in context: CommandContext
  ) throws(Refusal) -> String {
    var page = RulePage(loaded, rules: rules, version: Version.current)
    do {
      for path in results {
        let report = try RecordedReport(path)
        guard report.end != nil else {
          throw context.refuse(
            .broken, "'\(path)' was cut off, so outcomes are missing; run the scenarios again")
        }
        try page.add(report)
      }
    } catch let refusal as Refusal {
      throw refusal
    } catch let problem as RecordedReport.Problem {
      throw context.refuse(.invalid, problem.message)
    } catch let conflict as RulePage.Conflict {
      throw context.refuse(.invalid, conflict.message)
    } catch {
      throw context.refuse(.broken, "\(error)")
    }
    if page.unknownCount > 0 {
      context.report(
        "warning: \(counted(page.unknownCount, "scenario")) of the reports \(page.unknownCount == 1 ? "is" : "are") not in '\(context.suite.scenarios)'\n"
      )
    }
    return page.text
  }
}
