import Foundation
import JSONTree
import RecordModel

/// The reader of records as authors write them, which checks them against the model. Seeds, `change` steps and
/// expectations use it.
struct RecordReader {
  let findings: Findings
  /// The outline of the model; nil if nothing is known of it, and properties are not checked.
  let outline: ModelOutline?
  /// The tables whose rows the records are; nil for records of the engine. Only the app knows their columns.
  var tables: TableRules?

  /// A Boolean value that indicates whether the records are rows of an app's own store.
  var areRows: Bool { tables != nil }

  var labels: LabelReader { LabelReader(findings: findings, outline: outline) }

  /// Returns the entity with a name; nil if the model has no such entity, which is reported.
  func entity(_ name: String, at span: SourceSpan) -> EntityName? {
    guard let outline, outline.entity(EntityName(name)) == nil else { return EntityName(name) }
    findings.unknownName(
      .unknownEntity, "unknown entity '\(name)'", name: name, at: span,
      among: outline.entityNames.map(\.rawValue))
    return nil
  }

  func entity(_ pair: YAMLPair?) -> EntityName? {
    pair.flatMap { pair in findings.string(pair).flatMap { entity($0, at: pair.value.span) } }
  }

  /// Returns the entity that a name in another case or in the plural stands for; nil if there is none.
  func entity(namedLike text: String) -> EntityName? {
    let text = text.lowercased()
    return outline?.entityNames.first { name in
      let name = name.rawValue.lowercased()
      let plural = name.hasSuffix("y") ? name.dropLast() + "ies" : name + (name.hasSuffix("s") ? "es" : "s")
      return text == name || text == plural
    }
  }

  /// Returns the property that a key names; nil if it is not declared, which is reported, or unclear.
  func property(_ pair: YAMLPair, of entity: EntityName) -> ModelOutline.Property? {
    property(pair.key, at: pair.keySpan, of: entity)
  }

  func property(_ name: String, at span: SourceSpan, of entity: EntityName) -> ModelOutline.Property? {
    if let tables { return tables.property(PropertyName(name), of: entity) }
    guard let outline, outline.entity(entity) != nil else { return nil }
    switch outline.property(PropertyName(name), of: entity) {
    case .unclear: return nil
    case .unknown:
      findings.unknownName(
        .unknownProperty, "'\(entity)' has no property '\(name)'", name: name, at: span,
        among: outline.propertyNames(of: entity))
      return nil
    case let known: return known
    }
  }

  /// Reads a literal of the attribute's type, or null. Returns nil for any other value, which is reported.
  func literal(_ node: YAMLNode, of attribute: AttributeDescription) -> AttributeValue?? {
    if node.isNull { return .some(nil) }
    guard let value = findings.json(node) else { return nil }
    do {
      return .some(try AttributeValue(literal: value, type: attribute.type))
    } catch {
      findings.report(
        .literal, at: node.span, "\(error.message) for '\(attribute.name)' (\(attribute.type.rawValue))",
        advice: error.advice)
      return nil
    }
  }

  /// Returns the properties that a label or a single key stands for, such as `{id: 7}` for `User/7` and `7`; nil for any
  /// other text.
  func keyProperties(_ text: String, of entity: EntityName) -> String? {
    let label = try? LabelSyntax(text)
    let parts = label == nil ? [text] : label?.keyParts
    guard text.count <= 100, let parts, let names = outline?.primaryKey(of: entity),
      names.count == parts.count
    else { return nil }
    var properties = JSONObject()
    for (name, part) in zip(names, parts) {
      guard case .attribute(let attribute)? = outline?.property(name, of: entity),
        let value = part.literal(of: attribute.type)
      else { return nil }
      properties[name.rawValue] = value
    }
    return JSONValue.object(properties).yamlText().trimmingCharacters(in: .newlines)
  }

  // MARK: Seeds and changes

  /// Reads `{User: [{id: "7"}]}`.
  func seeds(_ pair: YAMLPair?) -> [SeedRecord] {
    if let pair, reportsLabels(pair) { return [] }
    var seeds: [SeedRecord] = []
    for pair in findings.mapping(pair) ?? [] {
      guard !reportsLabel(pair, "records are listed by entity"),
        let entity = entity(pair.key, at: pair.keySpan)
      else { continue }
      if outline?.entity(entity)?.isAbstract == true {
        findings.report(
          .unknownEntity, at: pair.keySpan, "'\(entity)' is abstract and has no records",
          advice: "write the record under one of its sub-entities")
        continue
      }
      for element in findings.list(pair) ?? [] {
        guard element.pairs != nil else {
          findings.wrongKind(element, expected: "a mapping", for: "a record of '\(entity)'")
          continue
        }
        let properties = assignments(element, of: entity)
        seeds.append(SeedRecord(entity: entity, properties: properties, span: element.span))
      }
    }
    return seeds
  }

  /// Reports a label in place of an entity. Returns a Boolean value that indicates whether the key is one.
  func reportsLabel(_ pair: YAMLPair, _ reason: String) -> Bool {
    guard let slash = pair.key.firstIndex(of: "/") else { return false }
    findings.report(
      .unknownEntity, at: pair.keySpan, "'\(pair.key)' is a label, and \(reason)",
      advice: "write \(pair.key[..<slash]): [{…}], with the key among the properties")
    return true
  }

  /// Reports a list of labels in place of records. Returns a Boolean value that indicates whether the value is one.
  private func reportsLabels(_ pair: YAMLPair) -> Bool {
    guard let text = pair.value.elements?.first?.scalar?.text, let slash = text.firstIndex(of: "/"),
      let key = keyProperties(text, of: EntityName(String(text[..<slash])))
    else { return false }
    findings.wrongKind(
      pair.value, expected: "a mapping", for: "'\(pair.key)'", advice: "write {\(text[..<slash]): [\(key)]}")
    return true
  }

  func assignments(_ node: YAMLNode, of entity: EntityName) -> [PropertyAssignment] {
    (node.pairs ?? []).compactMap { pair in
      assignment(pair, of: entity).map {
        PropertyAssignment(name: PropertyName(pair.key), value: $0, span: span(pair))
      }
    }
  }

  private func assignment(_ pair: YAMLPair, of entity: EntityName) -> PropertyAssignment.Value? {
    switch property(pair, of: entity) {
    case .attribute(let attribute): return literal(pair.value, of: attribute).map { .attribute($0) }
    case .relationship(let relationship):
      guard relationship.isToMany else { return toOne(pair, relationship) }
      guard let elements = findings.list(pair) else { return nil }
      let labels = elements.compactMap { label($0, relationship) }
      return labels.count == elements.count ? .toMany(labels) : nil
    case .unknown, .unclear, nil: return nil
    }
  }

  private func toOne(_ pair: YAMLPair, _ relationship: RelationshipDescription) -> PropertyAssignment.Value? {
    pair.value.isNull ? .toOne(nil) : label(pair.value, relationship).map { .toOne($0) }
  }

  private func label(_ node: YAMLNode, _ relationship: RelationshipDescription) -> Located<RecordLabel>? {
    if node.scalar == nil {
      findings.wrongKind(
        node, expected: "the label of a record", for: "'\(relationship.name)'",
        advice: "write the record under its own entity, and its label here: \(relationship.destination)/1")
      return nil
    }
    return labels.label(node, of: relationship.destination)
  }

  /// Returns the range from a key to the end of its value.
  func span(_ pair: YAMLPair) -> SourceSpan {
    let end = pair.value.range.upperBound
    return pair.value.file.span(pair.keyRange.lowerBound..<max(end, pair.keyRange.upperBound))
  }
}

extension TableRules {
  /// Returns a column of a table: a to-one relationship if it refers to another table, otherwise an attribute.
  fileprivate func property(_ column: PropertyName, of table: EntityName) -> ModelOutline.Property {
    if let rule = self[table], let destination = rule.links[column] {
      return .relationship(RelationshipDescription(column, to: destination))
    }
    return .attribute(AttributeDescription(column, .transformable))
  }
}
