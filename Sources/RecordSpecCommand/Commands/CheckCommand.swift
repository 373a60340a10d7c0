import ArgumentParser
import RecordModel
import RecordSpec
import ScenarioReport
import ScenarioRun

/// Reads scenarios, their models and recordings, and reports all errors and warnings. Runs valid scenarios in memory to
/// compare their requests and models with their responses, and writes nothing.
struct CheckCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate scenarios and models, and warn of probable mistakes.",
    usage: "recordspec check [<options>] [<paths> ...]",
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

  var suiteOptions: SuiteOptions { suite.options() }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let selection = try SuiteSelection.find(self.selection.options, in: context)
    ScratchFolder.removeLeftovers()
    var diagnostics = selection.isWhole ? selection.plan.problems : []
    var lint = SuiteLint(isWhole: selection.isWhole)
    var (valid, invalid) = (0, 0)
    let explain = context.explain
    await OrderedWork(jobs: context.suite.jobs).run(selection.plan.entries) { entry in
      await SearchedScenario(entry.read().checkedForRules().checkedForCodes(), with: explain)
    } ended: { searched in
      diagnostics += searched.loaded.diagnostics + searched.errors + lint.warnings(about: searched)
      if searched.loaded.scenario == nil || !searched.errors.isEmpty { invalid += 1 } else { valid += 1 }
    }
    diagnostics += lint.warningsAboutAll()
    let others = selection.isWhole ? selection.plan.problems.count { $0.severity == .error } : 0
    let warnings = diagnostics.sortedByLocation().count { $0.severity == .warning }
    let isStrict = strict || context.suite.settings.isStrict ?? false
    if isStrict {
      for index in diagnostics.indices { diagnostics[index].severity = .error }
    }
    let sorted = diagnostics.sortedByLocation()
    if json {
      context.output(CheckReport(diagnostics: sorted, valid: valid, invalid: invalid).text)
    } else {
      if !sorted.isEmpty { context.output(context.renderer.text(of: sorted) + "\n") }
      var counts = "\(valid) valid, \(invalid) invalid"
      if others > 0 { counts += ", \(counted(others, "other error"))" }
      if warnings > 0 {
        counts += ", " + counted(warnings, "warning")
        if isStrict { counts += warnings == 1 ? " treated as an error" : " treated as errors" }
      }
      context.output(counts + "\n")
    }
    return sorted.contains { $0.severity == .error } ? .invalid : .success
  }
}
