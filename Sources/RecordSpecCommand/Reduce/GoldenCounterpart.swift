import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The golden file of a reduced scenario.
///
/// What an earlier version of the engine or the model would have made of a reduced scenario is unknown. Its golden file
/// therefore contains its actual result, with the expected value of the first difference. If such a file cannot be made
/// from the difference, it is the original file.
struct GoldenCounterpart: Sendable {
  private enum Form: Sendable {
    /// The recorded value of a property; nil if the record had none.
    case property(RecordLabel, PropertyName, JSONValue?)
    /// A record that is not recorded.
    case extra(RecordLabel)
    /// A record that is only recorded.
    case missing(RecordLabel, JSONValue)
    /// The recorded value of a field of a step, from 0; nil if the step had none.
    case step(Int, String, JSONValue?)
    case original
  }

  private let form: Form
  private let original: JSONValue

  /// Creates the counterpart of a difference.
  ///
  /// - Parameters:
  ///   - original: the contents of the golden file.
  ///   - snapshot: the actual result.
  init(
    of difference: Difference, original: JSONValue, snapshot: ScenarioSnapshot
  ) {
    self.original = original
    form = Self.form(of: difference, original, snapshot)
  }

  /// Creates the original file, for a difference that cannot be transferred to another result.
  init(original: JSONValue) {
    self.original = original
    form = .original
  }

  private static func form(
    of difference: Difference, _ original: JSONValue, _ snapshot: ScenarioSnapshot
  ) -> Form {
    if let label = difference.record {
      let recorded = original["graph"]?[label.entity.rawValue]?[label.rawValue]
      switch (difference.property, recorded) {
      case (let property?, let recorded?):
        return .property(label, PropertyName(property), recorded[property])
      case (nil, nil) where difference.kind == .extra: return .extra(label)
      case (nil, let recorded?) where difference.kind == .missing: return .missing(label, recorded)
      default: return .original
      }
    }
    guard let step = difference.step, let field = difference.property, difference.request == nil,
      case .array(let steps)? = original["steps"], steps.count == snapshot.steps.count,
      steps.indices.contains(step - 1)
    else { return .original }
    return .step(step - 1, field, steps[step - 1][field])
  }

  /// Returns the text of the golden file for a reduced scenario.
  ///
  /// - Parameters:
  ///   - snapshot: the result of the reduced scenario.
  ///   - stepIndex: a function that returns the index of a step, from 0, among the remaining ones; nil if the step was
  ///     removed.
  func text(for snapshot: ScenarioSnapshot, stepIndex: (Int) -> Int?) -> String {
    var content = snapshot.goldenForm
    switch form {
    case .original: content = original
    case .property(let label, let name, let value):
      content.change(["graph", label.entity.rawValue, label.rawValue]) { $0[name.rawValue] = value }
    case .extra(let label):
      content.change(["graph", label.entity.rawValue]) { $0[label.rawValue] = nil }
      if let graph = content["graph"] { content.set("graph", to: graph.unlinked(from: label.rawValue)) }
    case .missing(let label, let record):
      if content["graph"]?[label.entity.rawValue] == nil {
        content.change(["graph"]) { $0[label.entity.rawValue] = [:] }
      }
      content.change(["graph", label.entity.rawValue]) { $0[label.rawValue] = record }
    case .step(let index, let field, let value):
      guard let index = stepIndex(index), case .array(var steps)? = content["steps"],
        steps.indices.contains(index)
      else { break }
      steps[index].change([]) { $0[field] = value }
      content.set("steps", to: .array(steps))
    }
    return content.canonicalText()
  }
}

extension JSONValue {
  fileprivate mutating func set(_ key: String, to value: JSONValue) { change([]) { $0[key] = value } }

  /// Changes the object at a path. A path that does not lead to an object is ignored.
  fileprivate mutating func change(_ path: ArraySlice<String>, _ change: (inout JSONObject) -> Void) {
    guard case .object(var members) = self else { return }
    if let key = path.first {
      guard var inner = members[key] else { return }
      inner.change(path.dropFirst(), change)
      members[key] = inner
    } else {
      change(&members)
    }
    self = .object(members)
  }

  /// Returns a graph without the links to a record.
  fileprivate func unlinked(from label: String) -> JSONValue {
    guard case .object(let entities) = self else { return self }
    return .object(
      JSONObject(
        entities.map { entity, records in
          guard case .object(let records) = records else { return (entity, records) }
          let unlinked = records.map { name, record -> (String, JSONValue) in
            guard case .object(var members) = record else { return (name, record) }
            for (property, value) in members.map({ ($0.key, $0.value) }) {
              if value == .string(label) { members[property] = nil }
              if case .array(let links) = value {
                members[property] = .array(links.filter { $0 != .string(label) })
              }
            }
            return (name, .object(members))
          }
          return (entity, .object(JSONObject(unlinked)))
        }))
  }
}
