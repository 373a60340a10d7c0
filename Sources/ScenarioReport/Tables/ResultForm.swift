package import JSONTree
import RecordModel
import ScenarioComparison
package import ScenarioFormat
package import ScenarioRun

/// The JSON of results, for editors and scripts. It extends the form of golden files with numbers and messages.
extension ActualResult {
  /// Returns the steps, and the graph after one of them.
  ///
  /// - Parameters:
  ///   - step: the number of the step; 0 for the graph before the first step.
  ///   - isOnlyStep: a Boolean value that indicates whether to include only this step.
  ///   - label: the record to include instead of the graph; nil for the graph.
  package func form(afterStep step: Int, isOnlyStep: Bool, label: RecordLabel?) -> JSONValue {
    var members: JSONObject = ["scenario": .string(name), "title": .string(title)]
    members["step"] = .number(JSONNumber(Int64(step)))
    members["steps"] = .array(
      steps.enumerated().filter { !isOnlyStep || $0.offset + 1 == step }
        .map { $0.element.form(number: $0.offset + 1) })
    let graph = executed.graph(afterStep: step)
    if let label {
      members["record"] = graph[label].map { record in
        [
          "entity": .string(record.entity.rawValue), "label": .string(label.rawValue),
          "properties": record.goldenForm,
        ]
      }
    } else {
      members["graph"] = graph.goldenForm
    }
    if let breakage = executed.breakage { members["broken"] = .string(breakage.message) }
    return .object(members)
  }
}

extension StepSnapshot {
  fileprivate func form(number: Int) -> JSONValue {
    guard case .object(var members) = formWithMessages else { return goldenForm }
    members["number"] = .number(JSONNumber(Int64(number)))
    return .object(members)
  }

  private var formWithMessages: JSONValue {
    guard case .object(var members) = goldenForm else { return goldenForm }
    if !diagnostics.isEmpty { members["diagnostics"] = .array(diagnostics.map(\.formWithMessage)) }
    if let message = failure?.message, case .object(var failure)? = members["failure"] {
      failure["message"] = .string(message)
      members["failure"] = .object(failure)
    }
    if !batch.isEmpty { members["batch"] = .array(batch.map(\.formWithMessages)) }
    return .object(members)
  }
}

extension DiagnosticSnapshot {
  fileprivate var formWithMessage: JSONValue {
    guard case .object(var members) = goldenForm, let message else { return goldenForm }
    members["message"] = .string(message)
    return .object(members)
  }
}
