/// The `recordspec rules` command. It lists the rules of the engine and the scenarios that prove them.
package struct RulesCommandFlow {
  private let suite: SuiteOptions
  private let names: [String]
  private let isUncoveredOnly: Bool
  private let context: CommandContext

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - names: the rules or groups of rules. If empty, all rules are listed.
  ///   - isUncoveredOnly: a Boolean value that indicates whether to list only rules that need a scenario.
  package init(
    suite: SuiteOptions, names: [String], isUncoveredOnly: Bool, context: CommandContext
  ) {
    self.suite = suite
    self.names = names
    self.isUncoveredOnly = isUncoveredOnly
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
    var texts: [String] = []
    var status = ExitStatus.success
    for name in names.isEmpty ? [nil] : names.map(Optional.some) {
      do {
        texts.append(try RuleListing(coverage, of: name, isUncoveredOnly: isUncoveredOnly).text)
      } catch {
        context.report("error: \(error.message); \(error.advice)\n")
        status = .usage
      }
    }
    context.output(texts.joined(separator: "\n"))
    return status
  }
}
