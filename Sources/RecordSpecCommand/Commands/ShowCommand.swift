import ArgumentParser
import JSONTree
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// Prints the actual result of a scenario: what the steps did, and the graph after one of them. Compares nothing.
struct ShowCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the actual result of a scenario: its steps and the graph. Compares nothing.",
    usage: "recordspec show [<options>] <scenario> [<label>]",
    discussion: """
      For example, these commands print the graph after the last step, and one record after the second step:
        recordspec show books/list
        recordspec show books/list Book/a-1 --step 2

      If the scenario uses Swift code of a test target, the command prints the result that its last failed test has \
      kept.
      """)

  @OptionGroup var arguments: StepArguments

  @Argument(help: "Label of one record, whose values are printed in full.")
  var label: String?

  @Flag(help: "Print JSON.")
  var json = false

  var writesFiles: Bool { false }

  var suiteOptions: SuiteOptions { arguments.result.suiteOptions }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let (result, step) = try await arguments.actualResult(in: context)
    let label = label.map { RecordLabel($0) }
    if let label, result.executed.graph(afterStep: step)[label] == nil {
      // They may be the reason why the record does not exist.
      _ = arguments.result.reportErrors(of: result, in: context)
      throw context.refuse(.usage, Self.problem(ofMissing: label, in: result, afterStep: step))
    }
    if json {
      context.output(
        result.form(afterStep: step, isOnlyStep: arguments.step != nil, label: label).canonicalText())
    } else {
      let width = context.environment.terminalWidth
      context.output(text(of: result, afterStep: step, label, width: width))
    }
    return arguments.result.reportErrors(of: result, in: context)
  }

  private func text(
    of result: ActualResult, afterStep step: Int, _ label: RecordLabel?, width: Int?
  ) -> String {
    let graph = result.executed.graph(afterStep: step)
    if let record = label.flatMap({ graph[$0] }) { return GraphTables.text(of: record, model: result.model) }
    let only = arguments.step
    var lines = [DisplayText.oneLine("\(result.name): \(result.title)"), ""]
    for (index, snapshot) in result.steps.enumerated() where only == nil || only == index + 1 {
      let text = StepText(number: index + 1, step: snapshot)
      lines += text.lines + (only == nil ? [] : text.details)
    }
    if lines.last != "" { lines.append("") }
    if only != nil { lines += [step == 0 ? "before step 1:" : "after step \(step):", ""] }
    let tables = GraphTables(graph: graph, model: result.model, width: width)
    return lines.map { $0 + "\n" }.joined() + tables.text
  }

  /// Returns the problem of a label without a record, with the nearest label, or the last step after which the record
  /// existed.
  private static func problem(
    ofMissing label: RecordLabel, in result: ActualResult, afterStep step: Int
  ) -> String {
    let graph = result.executed.graph(afterStep: step)
    let other = result.executed.graphs.lastIndex { $0[label] != nil }
    // A property cannot be shown.
    let labels = LabelAdvice(labels: graph.labels, schema: result.model) { _ in [] }
    let advice = other.map { "; '--step \($0)' shows it" } ?? labels.text(for: label.rawValue)
    return "there is no record '\(label)' after step \(step)\(advice)"
  }
}
