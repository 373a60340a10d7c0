import Foundation
import JSONTree
import RecordModel

/// The reader of `graph:`, the expected records of each entity.
struct GraphExpectationReader {
  let findings: Findings
  let records: RecordReader

  func entities(_ pair: YAMLPair?) -> [EntityExpectation] {
    (findings.mapping(pair) ?? []).compactMap { pair in
      if let slash = pair.key.firstIndex(of: "/") {
        findings.report(
          .unknownEntity, at: pair.keySpan, "'\(pair.key)' is a label, and 'graph' lists records by entity",
          advice: "write \(pair.key[..<slash]): [{…}], with the key among the properties")
        return nil
      }
      return records.entity(pair.key, at: pair.keySpan).flatMap { entity(pair, $0) }
    }
  }

  /// Reads a list of records, `none`, or `{count, absent, records, only}`.
  private func entity(_ pair: YAMLPair, _ entity: EntityName) -> EntityExpectation? {
    var expectation = EntityExpectation(
      entity: entity, count: nil, absent: [], records: [], isExhaustive: false, span: pair.keySpan)
    if pair.value.isNone {
      expectation.isExhaustive = true
      return expectation
    }
    if let elements = pair.value.elements {
      if elements.isEmpty {
        findings.report(
          .emptyValue, at: pair.value.span, "an empty list does not check '\(entity)'",
          advice: "write 'none' to expect no record")
        return nil
      }
      expectation.records = elements.compactMap { match($0, of: entity) }
      return expectation
    }
    guard pair.value.pairs != nil else {
      findings.wrongKind(
        pair.value, expected: "a list, a mapping or 'none'", for: "'\(pair.key)'",
        advice: Findings.countAdvice(for: pair.value) ?? "write '- {…}' for each record, or {count: 2}")
      return nil
    }
    if let pairs = pair.value.pairs, let first = pairs.first,
      pairs.allSatisfy({ isProperty($0.key, of: entity) })
    {
      findings.wrongKind(
        pair.value, expected: "a list of records", for: "'\(pair.key)'",
        advice: "write '- \(first.key): …' for each record, or [{\(first.key): …}]")
      return nil
    }
    guard
      let reader = MappingReader(
        pair.value, named: pair, as: .expectedEntity, findings: findings)
    else { return nil }
    if let count = reader["count"], let value = findings.integer(count, in: 0...Int.max) {
      expectation.count = Located(value: value, span: count.value.span)
    }
    expectation.absent = (findings.list(reader["absent"]) ?? []).compactMap {
      records.labels.label($0, of: entity)
    }
    let list = reader.atMostOne(of: ["records", "only"])
    expectation.isExhaustive = list?.key == "only"
    expectation.records = (findings.list(list) ?? []).compactMap { match($0, of: entity) }
    return expectation
  }

  /// Returns a Boolean value that indicates whether a key is a declared property and not a key of this format.
  private func isProperty(_ key: String, of entity: EntityName) -> Bool {
    guard !FormatMapping.expectedEntity.keyNames.contains(key), let outline = records.outline,
      outline.entity(entity) != nil
    else {
      return false
    }
    switch outline.property(PropertyName(key), of: entity) {
    case .attribute, .relationship: return true
    case .unclear, .unknown: return false
    }
  }

  // MARK: Records

  /// Reads a record by its label or by its properties.
  func member(_ node: YAMLNode, of entity: EntityName) -> MemberExpectation? {
    if node.pairs != nil { return match(node, of: entity).map { .match($0) } }
    if node.scalar == nil || node.isNull {
      findings.wrongKind(node, expected: "a label or a mapping", for: "a record of '\(entity)'")
      return nil
    }
    return records.labels.label(node, of: entity).map { .label($0) }
  }

  private func match(_ node: YAMLNode, of entity: EntityName) -> RecordMatch? {
    guard let pairs = node.pairs else {
      findings.wrongKind(
        node, expected: "a mapping", for: "a record of '\(entity)'",
        advice: node.scalar.flatMap { adviceForLabel($0.text, of: entity) } ?? "write {property: value}")
      return nil
    }
    let properties = pairs.flatMap { pair in
      values(pair, of: entity).map {
        PropertyExpectation(name: PropertyName(pair.key), value: $0, span: records.span(pair))
      }
    }
    return RecordMatch(entity: entity, properties: properties, span: node.span)
  }

  /// Returns the advice for a label in place of the properties of a record; nil for any other text.
  private func adviceForLabel(_ text: String, of entity: EntityName) -> String? {
    guard let label = try? LabelSyntax(text), let parts = label.keyParts,
      let names = records.outline?.primaryKey(of: entity), names.count == parts.count
    else { return nil }
    var properties = JSONObject()
    for (name, part) in zip(names, parts) {
      guard case .attribute(let attribute)? = records.outline?.property(name, of: entity),
        let value = part.literal(of: attribute.type)
      else { return nil }
      properties[name.rawValue] = value
    }
    return "write \(JSONValue.object(properties).yamlText().trimmingCharacters(in: .newlines))"
  }

  /// Returns the expected values of one property. A to-many relationship may have several.
  private func values(_ pair: YAMLPair, of entity: EntityName) -> [PropertyExpectation.Value] {
    switch records.property(pair, of: entity) {
    case .attribute(let attribute):
      return records.literal(pair.value, of: attribute).map { [.attribute($0)] } ?? []
    case .relationship(let relationship):
      if relationship.isToMany { return toMany(pair, relationship) }
      if pair.value.isNull { return [.noRecord] }
      return member(pair.value, of: relationship.destination).map { [.record($0)] } ?? []
    case .unknown, .unclear, nil: return []
    }
  }

  /// Reads `[Post/1, {text: a}]`, `{contains: […]}` or `{count: 2}`.
  private func toMany(_ pair: YAMLPair, _ relationship: RelationshipDescription) -> [PropertyExpectation
    .Value]
  {
    if let elements = pair.value.elements {
      return [.exactly(elements.compactMap { member($0, of: relationship.destination) })]
    }
    guard pair.value.pairs != nil else {
      let advice = pair.value.isNull ? "write []" : "write [\(pair.value.scalar?.text ?? "")]"
      findings.wrongKind(
        pair.value, expected: "a list, {contains: […]} or {count: 2}", for: "'\(pair.key)'", advice: advice)
      return []
    }
    guard
      let reader = MappingReader(
        pair.value, named: pair, as: .expectedMembers, findings: findings)
    else { return [] }
    var values: [PropertyExpectation.Value] = []
    if let elements = findings.list(reader["contains"]) {
      values.append(.contains(elements.compactMap { member($0, of: relationship.destination) }))
    }
    if let count = findings.integer(reader["count"], in: 0...Int.max) { values.append(.count(count)) }
    if pair.value.pairs?.isEmpty ?? true { reader.reportMissing(FormatMapping.expectedMembers.keyNames) }
    return values
  }
}
