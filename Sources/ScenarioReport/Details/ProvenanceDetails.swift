import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// The provenance of all values of a run as the page of the HTML report reads it. Each fact is written once, and the
/// explanations after a step only where they differ from those before.
struct ProvenanceDetails {
  /// The maximum number of values of all graphs that are explained.
  private static let maximumValues = 5000

  let scenario: Scenario
  let executed: ExecutedScenario
  /// The same run with provenance; nil if there has been none.
  let explained: ExecutedScenario?

  func add(to object: inout JSONFormObject, _ notes: inout [String]) {
    guard let explained else { return }
    guard explained.graphs == executed.graphs, let explainer = Explainer(scenario, explained) else {
      notes.append(
        "The values are not explained, because the scenario was run again for that, with another result.")
      return
    }
    guard Self.count(of: explainer) <= Self.maximumValues else {
      notes.append(
        "The values are not explained, because the graphs of all steps have more than \(ValueText.grouped(Self.maximumValues)); 'recordspec explain' explains each of them."
      )
      return
    }
    var table = FactTable(path: scenario.file.path)
    let explanations = Self.explanations(by: explainer, &table)
    let labels = explainer.labels.current + explainer.labels.former
    object.add("explanations", list: explanations)
    object.add(
      "origins",
      .object(
        JSONObject(labels.map { ($0.rawValue, table.indices(of: explainer.facts(on: $0) ?? [])) })))
    object.add("facts", list: table.facts)
  }

  /// Returns the number of properties of all records in all graphs, including those without a value.
  private static func count(of explainer: Explainer) -> Int {
    var counts: [EntityName: Int] = [:]
    return explainer.graphs.reduce(0) { count, graph in
      graph.records.values.reduce(into: count) { count, record in
        let known = counts[record.entity] ?? explainer.schema.propertyNames(of: record.entity).count
        counts[record.entity] = known
        count += known
      }
    }
  }

  private static func explanations(by explainer: Explainer, _ table: inout FactTable) -> [JSONValue] {
    var last: [RecordLabel: [PropertyName: JSONValue]] = [:]
    return explainer.graphs.enumerated().map { step, graph in
      let records = graph.readableLabels.compactMap { label -> (String, JSONValue)? in
        let names = graph[label].map { explainer.schema.propertyNames(of: $0.entity) } ?? []
        var changed: [(String, JSONValue)] = []
        for name in names {
          guard let facts = explainer.property(name, of: label, after: step)?.facts else { continue }
          let indices = table.indices(of: facts)
          guard last[label]?[name] != indices else { continue }
          last[label, default: [:]][name] = indices
          changed.append((name.rawValue, indices))
        }
        return changed.isEmpty ? nil : (label.rawValue, .object(JSONObject(changed)))
      }
      return .object(JSONObject(records))
    }
  }

  /// A table that contains equal facts once.
  private struct FactTable {
    /// The file of the scenario, which the facts do not name.
    private let path: String
    private(set) var facts: [JSONValue] = []
    private var known: [JSONValue: Int] = [:]

    init(path: String) { self.path = path }

    mutating func indices(of facts: [Explanation.Fact]) -> JSONValue {
      .array(facts.map { .number(JSONNumber(Int64(index(of: $0)))) })
    }

    private mutating func index(of fact: Explanation.Fact) -> Int {
      let form: JSONValue = [.string(fact.name), .string(DisplayText.oneLine(text(of: fact)))]
      if let index = known[form] { return index }
      known[form] = facts.count
      facts.append(form)
      return facts.count - 1
    }

    private func text(of fact: Explanation.Fact) -> String {
      guard let position = fact.position, position.path == path else { return fact.line }
      var rest = fact
      rest.position = nil
      return "line \(position.line):\(position.column)  \(rest.line)"
    }
  }
}
