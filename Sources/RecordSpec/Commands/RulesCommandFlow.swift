import RecordModel
import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec rules` command. It lists the rules of the engine and the scenarios that prove them.
package struct RulesCommandFlow {
  /// A page in HTML that is written instead of the list.
  package struct Page: Sendable {
    /// The file to write; nil for standard output.
    package var path: String?
    /// The JSON Lines reports whose outcomes the page shows.
    package var results: [String]

    package init(path: String?, results: [String] = []) { (self.path, self.results) = (path, results) }
  }

  private let suite: SuiteOptions
  private let names: [String]
  private let isUncoveredOnly: Bool
  private let page: Page?
  private let context: CommandContext

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - names: the rules or groups of rules. If empty, all rules are listed.
  ///   - isUncoveredOnly: a Boolean value that indicates whether to list only rules that need a scenario.
  ///   - page: the page to write; nil to print the list.
  package init(
    suite: SuiteOptions, names: [String], isUncoveredOnly: Bool, page: Page? = nil, context: CommandContext
  ) {
    self.suite = suite
    self.names = names
    self.isUncoveredOnly = isUncoveredOnly
    self.page = page
    self.context = context
  }

  package func run() -> ExitStatus {
    // The rules can be listed without scenarios, but a folder that the user named must exist.
    let found = ScenarioFiles(below: suite.scenarios, allowingOutside: suite.allowedFolders)
    if found.files.isEmpty, let problem = found.diagnostics.first,
      suite.scenarios != SuiteOptions().scenarios || problem.path != suite.scenarios
    {
      return context.refuse(problem, suite)
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
    for name in names.isEmpty ? [nil] : names.map(Optional.some) {
      do {
        listings.append(try RuleListing(coverage, of: name, isUncoveredOnly: isUncoveredOnly))
      } catch {
        context.report("error: \(error.message); \(error.advice)\n")
        status = .usage
      }
    }
    if let page {
      return status == .success ? write(page, of: loaded, rules: listings.flatMap(\.rules)) : status
    }
    context.output(listings.map(\.text).joined(separator: "\n"))
    return status
  }

  private func write(_ page: Page, of loaded: [LoadedScenario], rules: [Rule]) -> ExitStatus {
    var content = RulePage(loaded, rules: rules, version: Version.current)
    do {
      for path in page.results {
        let report = try RecordedReport(path)
        guard report.end != nil else {
          context.report("error: '\(path)' was cut off, so outcomes are missing; run the scenarios again\n")
          return .broken
        }
        try content.add(report)
      }
    } catch let problem as RecordedReport.Problem {
      context.report("error: \(problem.message)\n")
      return .invalid
    } catch let conflict as RulePage.Conflict {
      context.report("error: \(conflict.message)\n")
      return .invalid
    } catch {
      context.report("error: \(error)\n")
      return .broken
    }
    if content.unknownCount > 0 {
      context.report(
        "warning: \(counted(content.unknownCount, "scenario")) of the reports \(content.unknownCount == 1 ? "is" : "are") not in '\(suite.scenarios)'\n"
      )
    }
    guard let path = page.path else {
      context.output(content.text)
      return .success
    }
    do throws(FileProblem) {
      try FileBytes.write(Array(content.text.utf8), to: path)
      return .success
    } catch {
      context.report("error: \(error.message)\n")
      return .broken
    }
  }
}
