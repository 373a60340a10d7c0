import Foundation
import JSONTree
import RecordModel
package import ScenarioComparison
package import ScenarioFormat

// Each graph is kept as the difference from the graph before it, because most steps change few records.

extension GraphSnapshot {
  /// Returns the records that differ from another graph, and the labels of the records that only the other graph has.
  func keptForm(after other: GraphSnapshot) -> JSONValue {
    var object = JSONFormObject()
    object.add(
      "records",
      sorted: records.filter { other.records[$0.key] != $0.value }
        .map { ($0.key.rawValue, $0.value.keptForm) })
    object.add("removed", names: other.records.keys.filter { records[$0] == nil }.sorted())
    return object.form
  }

  /// Creates a graph from its difference from another one.
  package init(kept form: JSONForm, after other: GraphSnapshot) throws(JSONForm.Damaged) {
    self = other
    for label in try form.optional("removed")?.elements({ form throws(JSONForm.Damaged) in
      try form.name(RecordLabel.self)
    }) ?? [] {
      records[label] = nil
    }
    for (label, form) in try form.optional("records")?.members() ?? [] {
      records[RecordLabel(label)] = try RecordSnapshot(label: RecordLabel(label), kept: form)
    }
  }
}

extension RecordSnapshot {
  fileprivate var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("entity", entity.rawValue)
    object.add("properties", sorted: properties.map { ($0.key.rawValue, $0.value.keptForm) })
    return object.form
  }

  fileprivate init(label: RecordLabel, kept form: JSONForm) throws(JSONForm.Damaged) {
    self.init(label: label, entity: try form.required("entity").name())
    for (name, form) in try form.optional("properties")?.members() ?? [] {
      properties[PropertyName(name)] = try PropertySnapshot(kept: form)
    }
  }
}

extension PropertySnapshot {
  /// The value with its kind: `{"string": "Ada"}`, `{"toOne": "User/7"}` or `{"toMany": ["Post/1"]}`.
  fileprivate var keptForm: JSONValue {
    switch self {
    case .attribute(let value, let type): .object([type.rawValue: value.literal(type: type)])
    case .toOne(let label): ["toOne": .string(label.rawValue)]
    case .toMany(let labels, let isOrdered):
      .object([isOrdered ? "ordered" : "toMany": .array(labels.map { .string($0.rawValue) })])
    }
  }

  fileprivate init(kept form: JSONForm) throws(JSONForm.Damaged) {
    let members = try form.members()
    guard let (kind, form) = members.first, members.count == 1 else {
      throw form.damaged("one kind of value")
    }
    switch kind {
    case "toOne": self = .toOne(try form.name())
    case "toMany", "ordered":
      let labels = try form.elements { form throws(JSONForm.Damaged) in try form.name(RecordLabel.self) }
      self = .toMany(labels, isOrdered: kind == "ordered")
    default:
      guard let type = AttributeType(rawValue: kind) else { throw form.damaged("a type of attribute") }
      guard let value = AttributeValue(kept: form.value, type) else {
        throw form.damaged("a value of \(kind)")
      }
      self = .attribute(value, type)
    }
  }
}

extension AttributeValue {
  /// Creates a value from its literal. In contrast to a literal in a scenario, it may also be NaN, an infinity, or null as
  /// a transformable value. Only Swift code sets these.
  fileprivate init?(kept literal: JSONValue, _ type: AttributeType) {
    if type == .transformable {
      self = .json(literal)
      return
    }
    if let value = try? AttributeValue(literal: literal, type: type) {
      self = value
      return
    }
    guard case .string(let text) = literal else { return nil }
    switch type {
    case .float, .double:
      guard let value = Double(text) else { return nil }
      self = .double(value)
    case .decimal where text == "nan": self = .decimal(.nan)
    default: return nil
    }
  }
}
