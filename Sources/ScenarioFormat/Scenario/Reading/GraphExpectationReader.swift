import JSONTree
import RecordModel

/// The reader of `graph:`, the expected records of each entity.
struct GraphExpectationReader {
  let findings: Findings
  let records: RecordReader

  /// The names of keys in other tools.
  private static let otherNames = [
    "equals": ["only"], "equal": ["only"], "exactly": ["only"], "all": ["only"], "contains": ["records"],
    "includes": ["records"], "items": ["records"], "objects": ["records"],
  ]

  func entities(_ pair: YAMLPair?) -> [EntityExpectation] {
    (findings.mapping(pair) ?? []).compactMap { pair in
      if records.reportsLabel(pair, "'graph' lists records by entity") { return nil }
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
        advice: "write "
          + (Findings.countMapping(for: pair.value) ?? "'- {…}' for each record, or {count: 2}"))
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
        pair, as: .expectedEntity, hints: recordHints(pair.value, entity),
        otherNames: Self.otherNames, findings: findings)
    else { return nil }
    expectation.count = findings.located(reader["count"]) { findings.count($0) }
    expectation.absent = (findings.list(reader["absent"]) ?? []).compactMap { absent($0, entity) }
    let list = reader.atMostOne(of: ["records", "only"])
    expectation.isExhaustive = list?.key == "only"
    expectation.records = elements(of: list, entity).compactMap { match($0, of: entity) }
    return expectation
  }

  /// Returns the advice for the first records that are listed by their key or label, as in `{7: {name: Ada}}`.
  private func recordHints(_ node: YAMLNode, _ entity: EntityName) -> [String: String] {
    var hints: [String: String] = [:]
    for pair in node.pairs?.prefix(10) ?? [] where pair.value.pairs != nil {
      guard pair.key.contains(where: \.isNumber),
        let key = records.keyProperties(pair.key, of: entity)
      else { continue }
      let more = pair.value.pairs?.first.map { ", \($0.key): …" } ?? ""
      hints[pair.key] = "write 'only: [\(key.dropLast())\(more)}]', or 'records' if there may be others"
    }
    return hints
  }

  /// Reads the label of a record that must not exist. Reports a record that is described by its key.
  private func absent(_ node: YAMLNode, _ entity: EntityName) -> Located<RecordLabel>? {
    guard let pairs = node.pairs else { return records.labels.label(node, of: entity) }
    let names = records.outline?.primaryKey(of: entity) ?? []
    let key = pairs.first { names == [PropertyName($0.key)] }?.value.scalar?.text
    findings.wrongKind(
      node, expected: "a string", for: "the label of a record",
      advice: records.labels.example(key: key ?? "1", of: entity).map {
        key == nil ? "write its label, such as \($0)" : "write \($0)"
      })
    return nil
  }

  /// Reads the list of `records` or `only`. Reports a single label with the list that is meant.
  private func elements(of pair: YAMLPair?, _ entity: EntityName) -> [YAMLNode] {
    if let pair, let text = pair.value.scalar?.text, text.contains("/"),
      let properties = records.keyProperties(text, of: entity)
    {
      findings.wrongKind(
        pair.value, expected: "a list", for: "'\(pair.key)'", advice: "write [\(properties)]")
      return []
    }
    return findings.list(pair) ?? []
  }

  /// Returns a Boolean value that indicates whether a key is a declared property and not a key of this format.
  private func isProperty(_ key: String, of entity: EntityName) -> Bool {
    guard !FormatMapping.expectedEntity.keyNames.contains(key), let outline = records.outline else {
      return false
    }
    return outline.entity(entity) != nil && outline.property(PropertyName(key), of: entity).isKnown
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
        advice:
          "write \(node.scalar.flatMap { records.keyProperties($0.text, of: entity) } ?? "{property: value}")"
      )
      return nil
    }
    let properties = pairs.flatMap { pair in
      values(pair, of: entity).map {
        PropertyExpectation(name: PropertyName(pair.key), value: $0, span: records.span(pair))
      }
    }
    return RecordMatch(entity: entity, properties: properties, span: node.span)
  }

  /// Returns the expected values of one property. A to-many relationship may have several.
  private func values(_ pair: YAMLPair, of entity: EntityName) -> [PropertyExpectation.Value] {
    if reportsPath(pair, of: entity) { return [] }
    switch records.property(pair, of: entity) {
    case .attribute(let attribute):
      return records.literal(pair.value, of: attribute).map { [.attribute($0)] } ?? []
    case .relationship(let relationship):
      if relationship.isToMany { return toMany(pair, relationship) }
      if pair.value.isNull { return [.noRecord] }
      if let elements = pair.value.elements {
        findings.wrongKind(
          pair.value, expected: "a label or a mapping", for: "'\(pair.key)'",
          advice: elements.isEmpty
            ? "write null" : "write one record, or declare '\(pair.key)' as 'toMany' in the model")
        return []
      }
      return member(pair.value, of: relationship.destination).map { [.record($0)] } ?? []
    case .unknown, .unclear, nil: return []
    }
  }

  /// Reports a path such as `author.name` in place of a property. Returns a Boolean value that indicates whether the key
  /// is one.
  private func reportsPath(_ pair: YAMLPair, of entity: EntityName) -> Bool {
    guard let dot = pair.key.firstIndex(of: "."), let outline = records.outline,
      case .unknown = outline.property(PropertyName(pair.key), of: entity),
      case .relationship(let relationship) = outline.property(
        PropertyName(String(pair.key[..<dot])), of: entity)
    else { return false }
    let value = pair.value.scalar.map { $0.text.count <= 40 ? $0.text : "…" } ?? "…"
    let record = "{\(pair.key[dot...].dropFirst()): \(value)}"
    findings.report(
      .unknownProperty, at: pair.keySpan, "'\(entity)' has no property '\(pair.key)'",
      advice: "write '\(relationship.name): \(relationship.isToMany ? "[\(record)]" : record)'")
    return true
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
    guard let reader = MappingReader(pair, as: .expectedMembers, findings: findings) else { return [] }
    reader.requireAnyKey()
    var values: [PropertyExpectation.Value] = []
    if let elements = findings.list(reader["contains"]) {
      values.append(.contains(elements.compactMap { member($0, of: relationship.destination) }))
    }
    if let count = findings.count(reader["count"]) { values.append(.count(count)) }
    return values
  }
}
