import JSONTree
import RecordModel
import ScenarioFormat

/// A change of the labels of all records of an entity: the entity has another key than in the golden file, or none.
struct Relabeling {
  let entity: EntityName
  /// The reason in one sentence.
  let cause: String
  /// The labels in the golden file, sorted.
  let recorded: [RecordLabel]
  /// The labels of the run, sorted.
  let actual: [RecordLabel]

  /// A Boolean value that indicates whether the numbers of records differ, so that links to them cannot be compared.
  var isSplit: Bool { recorded.count != actual.count }

  /// The source of the labels of an entity.
  private enum Form: Equatable {
    case key, owner, number

    init(_ label: RecordLabel) {
      let delimiter = label.rawValue.utf8.first { "/@~".utf8.contains($0) }
      self = delimiter == UInt8(ascii: "/") ? .key : delimiter == UInt8(ascii: "@") ? .owner : .number
    }

    /// Creates the form that all labels have; nil if they have several.
    init?(of labels: [RecordLabel]) {
      guard let first = labels.first.map(Form.init), labels.allSatisfy({ Form($0) == first }) else {
        return nil
      }
      self = first
    }
  }

  /// Returns the entities whose records all have other labels than in the golden file, because of their keys.
  ///
  /// - Complexity: linear in the size of both contents.
  static func find(
    recorded: RecordedContent, actual: RecordedContent, model: Schema
  ) -> [EntityName: Relabeling] {
    let old = Dictionary(grouping: recorded.records.keys, by: \.entity)
    let new = Dictionary(grouping: actual.records.keys, by: \.entity)
    var found: [EntityName: Relabeling] = [:]
    for (entity, labels) in old {
      let key = model.key(of: entity)
      // Labels that have not changed, and that the current key explains, need no cause. This is the fast path.
      guard let others = new[entity],
        labels.count != others.count
          || labels.contains(where: { actual.records[$0] == nil || !isLabel($0, of: key, in: recorded) }),
        let cause = cause(labels, recorded, others, actual, of: entity, key: key)
      else { continue }
      found[entity] = Relabeling(
        entity: entity, cause: cause, recorded: RecordPairing.sorted(labels) { $0 },
        actual: RecordPairing.sorted(others) { $0 })
    }
    return found
  }

  /// Returns a Boolean value that indicates whether the label of a record consists of its values for a key.
  private static func isLabel(
    _ label: RecordLabel, of key: [PropertyName], in content: RecordedContent
  ) -> Bool {
    guard let record = content.records[label] else { return false }
    let texts = key.compactMap { record.properties[$0].flatMap(keyText) }
    return !key.isEmpty && texts.count == key.count && .keyed(record.entity, by: texts) == label
  }

  private static func cause(
    _ labels: [RecordLabel], _ recorded: RecordedContent, _ others: [RecordLabel], _ actual: RecordedContent,
    of entity: EntityName, key: [PropertyName]
  ) -> String? {
    guard let old = Form(of: labels), let new = Form(of: others) else { return nil }
    let keyText = key.map { "'\($0)'" }.joined(separator: ", ")
    let formerKey = old == .key ? Self.key(of: labels, in: recorded) : nil
    let former =
      switch old {
      case .key:
        formerKey.map { key in
          "in the golden file, it is \(key.map { "'\($0.name)'" }.joined(separator: ", "))"
        } ?? "in the golden file, it is an attribute"
      case .owner: "in the golden file, it is a relationship"
      case .number: "the records in the golden file have none"
      }
    switch (old, new) {
    case (.key, .key):
      guard let formerKey else { return nil }
      let isSame = formerKey.count == key.count && zip(formerKey, key).allSatisfy { $0.names.contains($1) }
      if !isSame { return "the primary key is \(keyText); \(former)" }
      return typeCause(labels, recorded, others, actual, key: key)
    case _ where old == new: return nil
    case (_, .number) where key.isEmpty: return "'\(entity)' has no primary key; \(former)"
    case (_, .number): return "no \(entity) record has a value for the primary key \(keyText)"
    default: return "the primary key is \(keyText); \(former)"
    }
  }

  /// Returns the cause if no label is in both lists and the key's values have another type.
  private static func typeCause(
    _ labels: [RecordLabel], _ recorded: RecordedContent, _ others: [RecordLabel], _ actual: RecordedContent,
    key: [PropertyName]
  ) -> String? {
    guard Set(labels).isDisjoint(with: others) else { return nil }
    for name in key {
      let old = Set(labels.map { recorded.records[$0]?.properties[name]?.kind })
      let new = Set(others.map { actual.records[$0]?.properties[name]?.kind })
      if old.count == 1, new.count == 1, old != new, let old = old.first ?? nil, let new = new.first ?? nil {
        return "the primary key '\(name)' is a \(new.rawValue); in the golden file, it is a \(old.rawValue)"
      }
    }
    return nil
  }

  /// A part of a key: the attributes whose values are in the labels of all records.
  private struct KeyPart {
    var names: Set<PropertyName>
    var name: PropertyName { names.min() ?? "" }
  }

  /// Returns the parts of the key that the labels contain; nil if the attributes of the records do not have them.
  private static func key(of labels: [RecordLabel], in content: RecordedContent) -> [KeyPart]? {
    var parts: [KeyPart]?
    for label in labels {
      guard let record = content.records[label] else { return nil }
      var names: [Substring: Set<PropertyName>] = [:]
      for (name, value) in record.properties {
        guard let text = keyText(of: value) else { continue }
        let encoded = RecordLabel.keyed(record.entity, by: [text]).rawValue
        names[encoded.dropFirst(record.entity.rawValue.count + 1), default: []].insert(name)
      }
      let texts = content.base(of: label).rawValue.dropFirst(record.entity.rawValue.count + 1)
        .split(separator: ",", omittingEmptySubsequences: false)
      var found = texts.map { KeyPart(names: names[$0] ?? []) }
      if let parts {
        guard parts.count == found.count else { return nil }
        for index in found.indices { found[index].names.formIntersection(parts[index].names) }
      }
      guard found.allSatisfy({ !$0.names.isEmpty }) else { return nil }
      parts = found
    }
    return parts
  }

  private static func keyText(of value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number, .boolean: value.compactText()
    case .null, .array, .object: nil
    }
  }
}
