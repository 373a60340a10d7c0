import JSONTree
import RecordModel

/// The expected changes of records: `updated`.
extension ExpectationReader {
  /// Reads `{Post/1: [text]}`, `{Post/1: {text: {from: a, to: b}}}`, or a list of labels if the changed properties do
  /// not matter.
  func updates(_ pair: YAMLPair) -> [UpdateExpectation]? {
    if let elements = pair.value.elements {
      return elements.compactMap(updatedRecord).map { UpdateExpectation(record: $0, properties: nil) }
    }
    return findings.mapping(pair)?.compactMap { pair in
      guard let label = records.labels.label(pair) else { return nil }
      if pair.value.pairs != nil { return changes(pair, of: label) }
      guard findings.list(pair) != nil else { return nil }
      let names = findings.strings(pair)
      for name in names { _ = records.property(name.value, at: name.span, of: label.value.entity) }
      return UpdateExpectation(record: label, properties: names.map { PropertyName($0.value) })
    }
  }

  /// Reads the label of an updated record. Reports a record that is described by its properties.
  private func updatedRecord(_ node: YAMLNode) -> Located<RecordLabel>? {
    guard let pairs = node.pairs, let first = pairs.first else { return records.labels.label(node) }
    let advice: String
    if first.key.contains("/") || first.key.contains("~") {
      advice = "write '\(first.key): …' without '- ' or brackets"
    } else {
      let label = records.labels.example(key: "1") ?? "Post/1"
      advice = "write '\(label)', or {\(label): [\(pairs[pairs.count - 1].key)]} for its changed properties"
    }
    findings.wrongKind(
      node, expected: "the label of a record", for: "an element of 'updated'", advice: advice)
    return nil
  }

  private func changes(_ pair: YAMLPair, of label: Located<RecordLabel>) -> UpdateExpectation {
    var update = UpdateExpectation(record: label, properties: [])
    for pair in findings.mapping(pair) ?? [] {
      update.properties?.append(PropertyName(pair.key))
      update.values[PropertyName(pair.key)] = change(pair, of: label.value.entity)
    }
    return update
  }

  /// Reads the change of a property: values of the attribute's type, or labels of the relationship's destination.
  private func change(_ pair: YAMLPair, of entity: EntityName) -> ChangeExpectation? {
    switch records.property(pair, of: entity) {
    case .attribute(let attribute):
      return change(pair, of: "an attribute", .valueChange, insteadOf: .memberChange) { pair in
        records.literal(pair.value, of: attribute).map { $0?.literal(type: attribute.type) ?? .null }
      }
    case .relationship(let relationship) where relationship.isToMany:
      return change(pair, of: "a to-many", .memberChange, insteadOf: .valueChange) { pair in
        findings.list(pair).map { JSONValue.array($0.compactMap { member($0, of: relationship) }) }
      }
    case .relationship(let relationship):
      return change(pair, of: "a to-one", .valueChange, insteadOf: .memberChange) { pair in
        pair.value.isNull ? .null : member(pair.value, of: relationship)
      }
    case .unknown, .unclear, nil: return nil
    }
  }

  private func change(
    _ pair: YAMLPair, of subject: String, _ mapping: FormatMapping, insteadOf other: FormatMapping,
    _ value: (YAMLPair) -> JSONValue?
  ) -> ChangeExpectation? {
    let keys = mapping.keyNames
    let hint = "a change of \(subject) has the keys '\(keys[0])' and '\(keys[1])'"
    if pair.value.pairs == nil {
      let new = mapping.name == FormatMapping.valueChange.name ? pair.value.scalar?.text : nil
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'\(pair.key)'",
        advice: new.map { "write {to: \($0)} for the new value" } ?? hint)
      return nil
    }
    guard
      let reader = MappingReader(
        pair, as: mapping, of: "a change of \(subject)",
        hints: Dictionary(uniqueKeysWithValues: other.keyNames.map { ($0, hint) }), findings: findings)
    else { return nil }
    var members: [String: JSONValue] = [:]
    for key in keys { members[key] = reader[key].flatMap(value) }
    return ChangeExpectation(members: members, span: pair.value.span)
  }

  private func member(_ node: YAMLNode, of relationship: RelationshipDescription) -> JSONValue? {
    guard node.scalar != nil, !node.isNull else {
      findings.wrongKind(node, expected: "the label of a record", for: "a change of '\(relationship.name)'")
      return nil
    }
    return records.labels.label(node, of: relationship.destination).map { .string($0.value.rawValue) }
  }
}
