import JSONTree
import RecordModel

/// The `recordspec explain` command. It runs one scenario and explains where its records and their values come from.
package struct ExplainCommandFlow {
  private let scenario: String
  private let subject: String?
  private let isJSON: Bool
  private let suite: SuiteOptions
  private let context: CommandContext

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - scenario: the name, file or pattern of the scenario.
  ///   - subject: the label of a record, or a label and a property such as `Post/1.title`; nil for all records.
  package init(
    scenario: String, subject: String?, isJSON: Bool, suite: SuiteOptions, context: CommandContext
  ) {
    self.scenario = scenario
    self.subject = subject
    self.isJSON = isJSON
    self.suite = suite
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    let entry: RunPlan.Entry
    switch SuiteSelection.one(scenario, suite: suite, context: context) {
    case .success(let found): entry = found
    case .failure(let refusal): return refusal.status
    }
    let loaded = entry.read().checkedForRules().checkedForCodes().checkedForSwiftCode(nil)
    guard let scenario = loaded.scenario else {
      let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
      context.errors(renderer.text(of: loaded.diagnostics.filter { $0.severity == .error }))
      if loaded.needsSwiftCode {
        context.report(
          "help: the failure of its test explains the first differences; '\(suite.command("show")) \(ShellText.quoted(loaded.name))' shows the kept result\n"
        )
      }
      return .invalid
    }
    ScratchFolder.removeLeftovers()
    let executed = await context.explain(scenario, suite.store)
    if let breakage = executed.breakage {
      context.report("error: \(breakage.message)\nhelp: \(breakage.advice)\n")
      return .broken
    }
    guard let explainer = Explainer(scenario, executed) else {
      let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
      context.errors(renderer.text(of: executed.findings))
      return .failed
    }
    return explain(with: explainer)
  }

  private func explain(with explainer: Explainer) -> ExitStatus {
    guard let subject else {
      let records = explainer.records()
      if isJSON {
        context.output(JSONValue.object(["records": .array(records.map(\.json))]).canonicalText())
      } else {
        context.output(Explanation.list(records))
      }
      return .success
    }
    do throws(ExplanationSubject.Unknown) {
      let explanation = try ExplanationSubject(subject, in: explainer).explanation
      context.output(isJSON ? explanation.json.canonicalText() : explanation.text)
      return .success
    } catch {
      context.report("error: \(error.message)\n")
      return .usage
    }
  }
}
