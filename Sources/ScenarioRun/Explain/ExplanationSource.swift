import JSONTree
package import RecordModel
import ScenarioComparison
package import ScenarioFormat

/// A source of explanations of the records of a result: a run that has recorded their provenance, or a kept result.
package protocol ExplanationSource {
  /// The model of the records.
  var schema: Schema { get }

  /// The labels of all records after the last step, followed by those of records that earlier steps had.
  var labels: (current: [RecordLabel], former: [RecordLabel]) { get }

  /// Returns the fact about the origin of a record, or about its deletion; nil if no record has the label.
  func origin(of label: RecordLabel) -> Explanation.Fact?

  /// Returns the facts about a record as a whole: its origin, each response that mentions it, and its deletion. Nil if no
  /// record has the label.
  func facts(on label: RecordLabel) -> [Explanation.Fact]?

  /// Returns the names of the properties of a record, in the order of the model; empty if no record has the label.
  func properties(of label: RecordLabel) -> [PropertyName]

  /// Returns the explanation of a property, after the last step that has the record; nil if there is no such record or
  /// property.
  func property(_ name: PropertyName, of label: RecordLabel) -> Explanation?
}

extension ExplanationSource {
  /// Returns an explanation of one line for each record after the last step, and for each record that was deleted.
  package func records() -> [Explanation] {
    let (current, former) = labels
    return (current + former).map { label in
      Explanation(record: label, facts: origin(of: label).map { [$0] } ?? [])
    }
  }

  /// Returns the explanation of a record, with a line for each of its properties; nil if no record has the label.
  package func record(_ label: RecordLabel) -> Explanation? {
    facts(on: label).map { facts in
      Explanation(
        record: label,
        facts: facts + properties(of: label).compactMap { property($0, of: label)?.summary })
    }
  }
}

extension Explanation {
  /// The explanation of a property in one line: its value, and the position that it comes from.
  fileprivate var summary: Fact {
    let value = value.map { ValueText.clipped($0.compactText()) } ?? ValueText.nothing
    let sources = facts.filter {
      ["value", "tried", "link", "member", "parent", "inverse"].contains($0.name)
    }
    // The position of several members is that of their array.
    let array = sources.count > 1 ? facts.first { $0.name == "path" && $0.pointer != nil } : nil
    var fact = array ?? sources.first ?? facts.first ?? Fact(name: "", text: "")
    switch fact.name {
    case "value" where fact.text.hasPrefix(value): break
    // The value was converted.
    case "value" where facts.contains { $0.name == "type" }: fact.text = "\(value), from \(fact.text)"
    case "link", "member", "parent", "inverse", "path": fact.text = value
    case "tried" where self.value != nil: fact.text = "\(value), the default value"
    case "tried": fact.text = "\(value), tried \(fact.text)"
    default: fact.text = "\(value), \(fact.text)"
    }
    if self.value != nil,
      let lacking = facts.last(where: { $0.name == "then" && $0.rules == ["mapping.missing"] })
    {
      fact.text += "; \(lacking.text)"
    }
    fact.name = property?.rawValue ?? ""
    fact.rules = []
    return fact
  }
}
