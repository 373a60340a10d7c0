package import JSONTree
package import RecordModel
import ScenarioComparison
package import ScenarioFormat

/// An explanation of a record or of one of its properties: the facts that led to its value, and their rules.
package struct Explanation: Sendable {
  /// One fact, which is a line of the text.
  package struct Fact: Sendable {
    /// The kind of the fact, such as `set by` or `path`; for a property of a record, its name.
    package var name: String
    package var text: String
    /// The rules that the fact follows from.
    package var rules: [String] = []
    /// The position in the files of the author; nil if the fact has none.
    package var position: SourcePosition?
    /// The JSON pointer in the response; nil for a fact that is not about a value of a response.
    package var pointer: JSONPointer?
    /// The step that the fact is about, from 1; nil for other facts.
    package var step: Int?

    package init(
      name: String, text: String, rules: [String] = [], position: SourcePosition? = nil,
      pointer: JSONPointer? = nil, step: Int? = nil
    ) {
      (self.name, self.text, self.rules) = (name, text, rules)
      (self.position, self.pointer, self.step) = (position, pointer, step)
    }

    /// The fact without its name: `Scenarios/feed.yaml:31:14  /data/0/title  "Hello"`.
    package var line: String {
      let parts = [position?.description, pointer?.place, text].compactMap(\.self).filter { !$0.isEmpty }
      return parts.joined(separator: "  ") + (rules.isEmpty ? "" : " (\(rules.joined(separator: ", ")))")
    }
  }

  package var record: RecordLabel
  /// The property; nil for the record as a whole.
  package var property: PropertyName?
  /// The value in the form of a golden file; nil for none, and for a record as a whole.
  package var value: JSONValue?
  package var facts: [Fact] = []

  package init(
    record: RecordLabel, property: PropertyName? = nil, value: JSONValue? = nil, facts: [Fact] = []
  ) {
    (self.record, self.property, self.value, self.facts) = (record, property, value, facts)
  }

  /// The headline: `Post/1.title  "Hello"`.
  package var headline: String {
    guard let property else { return record.rawValue }
    return "\(record).\(property)  \(value.map { ValueText.clipped($0.compactText()) } ?? ValueText.nothing)"
  }

  /// The headline, followed by an indented line for each fact.
  package var lines: [String] {
    let width = facts.reduce(10) { max($0, $1.name.count) }
    let lines = facts.map { fact in
      "  " + fact.name + String(repeating: " ", count: width - fact.name.count + 2) + fact.line
    }
    return ([headline] + lines).map(DisplayText.oneLine)
  }

  /// Returns a list of explanations, one per line, each with its first fact.
  package static func list(_ explanations: [Explanation]) -> String {
    // Long labels, such as those with an address as key, do not widen the column.
    let width = explanations.lazy.map(\.record.rawValue.count).filter { $0 <= 40 }.max() ?? 0
    return explanations.map { explanation in
      let name = explanation.record.rawValue
      let line = explanation.facts.first.map { fact in
        var fact = fact
        if fact.name == "deleted" { fact.text = "deleted by \(fact.text)" }
        return fact.line
      }
      return DisplayText.oneLine(
        name + String(repeating: " ", count: max(width - name.count, 0) + 2) + (line ?? ""))
        + "\n"
    }.joined()
  }

  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// The explanation as JSON, with sorted keys. A member is omitted if it has no value, except the value of a property.
  package var json: JSONValue {
    var members: JSONObject = ["facts": .array(facts.map(\.json))]
    if let property { members["property"] = .string(property.rawValue) }
    members["record"] = .string(record.rawValue)
    if property != nil { members["value"] = value ?? .null }
    return .object(members)
  }
}

extension Explanation.Fact {
  fileprivate var json: JSONValue {
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }
    var members: JSONObject = [:]
    if let position { members["column"] = number(position.column) }
    members["fact"] = .string(name)
    if let position {
      members["file"] = .string(position.path)
      members["line"] = number(position.line)
    }
    if let pointer { members["pointer"] = .string(pointer.description) }
    if !rules.isEmpty { members["rules"] = .array(rules.map(JSONValue.string)) }
    if let step { members["step"] = number(step) }
    if !text.isEmpty { members["text"] = .string(text) }
    return .object(members)
  }
}

extension JSONPointer {
  /// The pointer in a text: `/data/0`, or `the root`.
  package var place: String { tokens.isEmpty ? "the root" : description }
}
