import RecordModel

/// The reader of `customize:`.
struct CustomizationReader {
  let findings: Findings
  let records: RecordReader

  private static let representationKeys = [
    "primaryKey", "responseKeyPath", "dateFormat", "keyPaths", "keyFrom",
  ]
  private static let marshalingKeys = FormatMapping.customization.keyNames.filter {
    !representationKeys.contains($0)
  }

  func customizations(_ pair: YAMLPair?) -> [EntityName: EntityCustomization] {
    var customizations: [EntityName: EntityCustomization] = [:]
    for pair in findings.mapping(pair) ?? [] {
      guard let entity = records.entity(pair.key, at: pair.keySpan),
        let reader = MappingReader(pair, as: .customization, findings: findings)
      else { continue }
      var customization = EntityCustomization()
      if Self.representationKeys.contains(where: { reader[$0] != nil }) {
        customization.representation = representation(reader, entity)
      }
      if Self.marshalingKeys.contains(where: { reader[$0] != nil }) {
        customization.marshaling = marshaling(reader, entity)
      }
      customizations[entity] = customization
    }
    return customizations
  }

  // MARK: Names, paths and key

  private func representation(_ reader: MappingReader, _ entity: EntityName) -> DeclaredRepresentation {
    var representation = DeclaredRepresentation()
    representation.primaryKey = findings.propertyNames(reader["primaryKey"])
    representation.responseKeyPath = findings.responsePath(reader["responseKeyPath"])
    representation.dateFormat = findings.dateFormat(reader["dateFormat"])
    for pair in findings.mapping(reader["keyPaths"]) ?? [] {
      let paths = findings.paths(pair)
      // Paths also apply to sub-entities, so they may belong to properties of sub-entities.
      if case .unknown? = records.outline?.property(PropertyName(pair.key), ofKind: entity) {
        _ = records.property(pair, of: entity)
      } else if let paths {
        representation.keyPaths[PropertyName(pair.key)] = paths
      }
    }
    if let paths = findings.paths(reader["keyFrom"]) { representation.keyFrom = paths }
    return representation
  }

  // MARK: Population

  private func marshaling(_ reader: MappingReader, _ entity: EntityName) -> DeclaredMarshaling {
    var marshaling = DeclaredMarshaling()
    for pair in findings.mapping(reader["values"]) ?? [] {
      guard let attribute = attribute(pair, of: entity) else { continue }
      for value in findings.mapping(pair) ?? [] {
        guard case .some(.some(let literal)) = records.literal(value.value, of: attribute) else {
          if value.value.isNull {
            findings.wrongKind(value.value, expected: "a value", for: "'\(value.key)'")
          }
          continue
        }
        marshaling.values[attribute.name, default: [:]][value.key] = literal
      }
    }
    for pair in findings.mapping(reader["attributes"]) ?? [] {
      guard let attribute = attribute(pair, of: entity), let source = source(pair, of: attribute) else {
        continue
      }
      marshaling.attributes[attribute.name] = source
    }
    for pair in findings.mapping(reader["relationships"]) ?? [] {
      guard let name = relationship(pair.key, at: pair.keySpan, of: entity), let conditions = conditions(pair)
      else { continue }
      marshaling.relationships[name] = conditions
    }
    if let pair = reader["childBy"], let name = findings.string(pair),
      case .attribute(let attribute)? = records.property(name, at: pair.value.span, of: entity)
    {
      marshaling.childBy = attribute.name
    }
    marshaling.merge = findings.choice(reader["merge"], DeclaredMerge.self)
    marshaling.before = assignments(reader["before"], of: entity)
    marshaling.after = assignments(reader["after"], of: entity)
    return marshaling
  }

  /// Reads `{path: headline.text}` or `{value: 7}`.
  private func source(_ pair: YAMLPair, of attribute: AttributeDescription) -> AttributeSource? {
    guard let source = MappingReader(pair, as: .attributeSource, findings: findings)?.onlyPair() else {
      return nil
    }
    if source.key == "path" { return findings.path(source).map(AttributeSource.path) }
    return records.literal(source.value, of: attribute).map(AttributeSource.value)
  }

  /// Reads `{rating: {value: 7}, tagCount: {countOf: tags}}`.
  private func assignments(_ pair: YAMLPair?, of entity: EntityName) -> [AroundAssignment] {
    (findings.mapping(pair) ?? []).compactMap { pair in
      guard let attribute = attribute(pair, of: entity),
        let source = MappingReader(pair, as: .assignment, findings: findings)?.onlyPair()
      else { return nil }
      if source.key == "value" {
        return records.literal(source.value, of: attribute)
          .map { AroundAssignment(attribute: attribute.name, source: .value($0)) }
      }
      guard let text = findings.string(source),
        let name = relationship(text, at: source.value.span, of: entity)
      else { return nil }
      guard [.int16, .int32, .int64].contains(attribute.type) else {
        findings.report(
          .wrongKind, at: source.keySpan,
          "'\(attribute.name)' must be an integer attribute to store a count, not \(attribute.type.rawValue)")
        return nil
      }
      return AroundAssignment(attribute: attribute.name, source: .countOf(name))
    }
  }

  private func conditions(_ pair: YAMLPair) -> LinkConditions? {
    guard let reader = MappingReader(pair, as: .linkConditions, findings: findings) else { return nil }
    reader.requireAnyKey()
    return LinkConditions(
      leaveWhen: findings.predicate(reader["leaveWhen"]), emptyWhen: findings.predicate(reader["emptyWhen"]),
      linkWhere: findings.predicate(reader["linkWhere"]))
  }

  // MARK: Parts

  private func attribute(_ pair: YAMLPair, of entity: EntityName) -> AttributeDescription? {
    switch records.property(pair, of: entity) {
    case .attribute(let attribute): return attribute
    case .relationship:
      findings.report(.unknownProperty, at: pair.keySpan, "'\(pair.key)' is a relationship, not an attribute")
      return nil
    case .unknown, .unclear, nil: return nil
    }
  }

  private func relationship(_ name: String, at span: SourceSpan, of entity: EntityName) -> PropertyName? {
    switch records.property(name, at: span, of: entity) {
    case .relationship(let relationship): return relationship.name
    case .attribute:
      findings.report(.unknownProperty, at: span, "'\(name)' is an attribute, not a relationship")
      return nil
    case .unknown, .unclear, nil: return nil
    }
  }
}
