import JSONTree
import OrderedCollections
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// The results of steps as the page of the HTML report reads them: the action, the records, the diagnostics, and the requests
/// that servers received.
struct StepDetails {
  /// The maximum number of labels that are listed together.
  private static let maximumLabels = 200

  private let baseURL: String
  /// The status of each canned response.
  private let statuses: [Int]

  /// Returns the steps of a run.
  static func forms(of executed: ExecutedScenario, _ scenario: Scenario) -> [JSONValue] {
    let details = StepDetails(
      baseURL: scenario.baseURL, statuses: scenario.responses.flatMap { $0.responses.map(\.status) })
    return executed.snapshot.steps.enumerated().map { index, step in
      let answers = executed.answers.indices.contains(index) ? executed.answers[index] : []
      return details.form(of: step, number: index + 1, answers)
    }
  }

  /// - Parameter answers: the index of the canned response to each request.
  private func form(of step: StepSnapshot, number: Int?, _ answers: [Int?]) -> JSONValue {
    var object = JSONFormObject()
    object.add("number", number)
    object.add("action", DisplayText.oneLine(step.actionText))
    object.add("line", DisplayText.oneLine(StepText.line(of: step)))
    object.add("labels", list: labels(of: step))
    object.add(
      "remarks", list: StepText.remarks(on: step).map { .string(DisplayText.oneLine($0)) })
    object.add("batch", list: step.batch.map { form(of: $0, number: nil, []) })
    object.add(
      "requests",
      list: step.requests.enumerated().map { index, request in
        form(of: request, answer: answers.indices.contains(index) ? answers[index] : nil)
      })
    return object.form
  }

  /// Returns the records of a step, each of them once, below all that happened to it, such as `returned, inserted`.
  private func labels(of step: StepSnapshot) -> [JSONValue] {
    let kinds: [(name: String, labels: [RecordLabel])] = [
      ("stored", step.stored), ("returned", step.records),
      ("inserted", step.inserted.sortedForReading()), ("updated", step.updated.keys.sortedForReading()),
      ("deleted", step.deleted.sortedForReading()), ("unchanged", step.unchanged.sortedForReading()),
    ]
    var names: OrderedDictionary<RecordLabel, [String]> = [:]
    for kind in kinds {
      for label in kind.labels where names[label]?.last != kind.name {
        names[label, default: []].append(kind.name)
      }
    }
    var groups: OrderedDictionary<[String], [RecordLabel]> = [:]
    for (label, names) in names { groups[names, default: []].append(label) }
    return groups.map { names, labels in
      let shown = labels.prefix(Self.maximumLabels).map { JSONValue.string($0.rawValue) }
      let count: [JSONValue] = labels.count > shown.count ? [.number(JSONNumber(Int64(labels.count)))] : []
      return .array([.string(names.joined(separator: ", ")), .array(shown)] + count)
    }
  }

  private func form(of request: RequestSnapshot, answer: Int?) -> JSONValue {
    var object = JSONFormObject()
    object.add("method", request.address.method)
    object.add("url", request.address.url(relativeTo: baseURL))
    object.add("headers", list: ScenarioDetails.headers(request.headers))
    object.add("body", request.body?.text)
    object.add("redirectedFrom", request.redirectedFrom)
    if let answer, statuses.indices.contains(answer) {
      object.add("responseIndex", answer)
      object.add("status", statuses[answer])
    }
    return object.form
  }
}
