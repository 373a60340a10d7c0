import JSONTree
import RecordModel
import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec show` command. It prints the actual result of a scenario: what the steps did, and the graph after one
/// of them. It compares nothing.
package struct ShowCommandFlow {
  /// The options of the command.
  package struct Options: Sendable {
    /// The label of the record to show; nil for the graph.
    package var label: String?
    /// The number of the step; nil for the last one.
    package var step: Int?
    package var isJSON = false

    package init() {}
  }

  private let finder: ResultFinder
  private let options: Options
  private var context: CommandContext { finder.context }

  package init(finder: ResultFinder, options: Options) {
    self.finder = finder
    self.options = options
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    switch await finder.actualResult() {
    case .success(let result): show(result)
    case .failure(let refusal): refusal.status
    }
  }

  private func show(_ result: ActualResult) -> ExitStatus {
    guard let step = result.step(options.step, context: context) else { return .usage }
    let label = options.label.map { RecordLabel($0) }
    if let label, result.executed.graph(afterStep: step)[label] == nil {
      // They may be the reason why the record does not exist.
      _ = finder.reportErrors(of: result)
      report(missing: label, in: result, afterStep: step)
      return .usage
    }
    if options.isJSON {
      context.output(
        result.form(afterStep: step, isOnlyStep: options.step != nil, label: label).canonicalText())
    } else {
      context.output(text(of: result, afterStep: step, label))
    }
    return finder.reportErrors(of: result)
  }

  private func text(of result: ActualResult, afterStep step: Int, _ label: RecordLabel?) -> String {
    let graph = result.executed.graph(afterStep: step)
    if let record = label.flatMap({ graph[$0] }) { return GraphTables.text(of: record, model: result.model) }
    var lines = [DisplayText.oneLine("\(result.name): \(result.title)"), ""]
    for (index, snapshot) in result.steps.enumerated() {
      let number = index + 1
      if let only = options.step, only != number { continue }
      let text = StepText(number: number, step: snapshot)
      lines += text.lines + (options.step == nil ? [] : text.details)
    }
    if lines.last != "" { lines.append("") }
    if options.step != nil { lines += [Self.caption(ofStep: step), ""] }
    let tables = GraphTables(graph: graph, model: result.model, width: context.environment.terminalWidth)
    return lines.map { $0 + "\n" }.joined() + tables.text
  }

  private static func caption(ofStep step: Int) -> String {
    step == 0 ? "before step 1:" : "after step \(step):"
  }

  /// Reports a label without a record, with the nearest label, or the last step after which the record existed.
  private func report(missing label: RecordLabel, in result: ActualResult, afterStep step: Int) {
    let graph = result.executed.graph(afterStep: step)
    let other = result.executed.graphs.lastIndex { $0[label] != nil }
    // A property cannot be shown.
    let labels = LabelAdvice(labels: graph.labels, schema: result.model) { _ in [] }
    let advice = other.map { "; '--step \($0)' shows it" } ?? labels.text(for: label.rawValue)
    context.report("error: there is no record '\(label)' after step \(step)\(advice)\n")
  }
}
