import Foundation
import JSONTree
import RecordModel

/// Attributes are set, the key first. Rules: `population.hook`, `population.attributes`, `values.*`, `mapping.null`.
extension Population {
  // MARK: The pre-population hook

  /// Asked once per proto; attributes are then read from what it answers.
  mutating func runPrePopulation() {
    guard let hook = options.prePopulation else { return }
    let parents = enclosingProtos()
    for index in protos.indices where protos[index].record != nil {
      let proto = protos[index]
      let entity = schema.entities[proto.entity]
      let item = PrePopulationItem(
        entity: entity.name, dictionary: proto.effective.item.dictionary(of: entity),
        parent: parents[index].flatMap(parentItem))
      guard let answer = hook(item), answer.kind == .object else { continue }
      let changed = Item(
        node: JSONDocument(answer).root, collectionKey: proto.effective.item.collectionKey)
      let findings = ItemFindings(changed, entity: entity, schema: schema)
      protos[index].effective.findings.attributes = findings.attributes
      // What the hook adds makes a stub full, as if the server had sent it.
      if findings.isFull(entity) { protos[index].effective.isFull = true }
    }
  }

  /// For each proto, where its item is nested first.
  private func enclosingProtos() -> [Enclosing?] {
    var result = [Enclosing?](repeating: nil, count: protos.count)
    for (index, proto) in protos.enumerated() {
      for children in proto.effective.children {
        for child in children.protos + children.unlinked where result[child] == nil && child != index {
          result[child] = Enclosing(
            proto: index, item: proto.effective.item, relationship: children.relationship)
        }
      }
    }
    return result
  }

  // MARK: Setting

  mutating func setAttributes() {
    for index in protos.indices {
      guard let id = protos[index].record, let row = graph.knownRow(id) else { continue }
      let proto = protos[index]
      var new = row
      setKey(of: proto, &new)
      if proto.effective.isFull {
        new.isStub = false
        let findings = proto.effective.findings.attributes
        if !isUnmodified(proto, findings, row) { setAttributes(of: proto, findings, &new) }
      }
      if new != row { graph.update(id) { $0 = new } }
    }
  }

  private func setKey(of proto: ProtoRecord, _ row: inout Row) {
    guard case .key(_, let key)? = proto.identity,
      case .attributes(let positions) = schema.entities[proto.entity].key
    else { return }
    for (position, value) in zip(positions, key.values) {
      row.values[schema.entities[proto.entity].attributes[position].column] = value
    }
  }

  private mutating func setAttributes(of proto: ProtoRecord, _ findings: [PathFinding?], _ row: inout Row) {
    let entity = schema.entities[proto.entity]
    var identifying: [Int] = []
    if proto.identity != nil, case .attributes(let positions) = entity.key { identifying = positions }
    for (position, attribute) in entity.attributes.enumerated() {
      guard let finding = findings[position], !identifying.contains(position) else { continue }
      let value = finding.isNull ? nil : self.value(of: finding, attribute)
      if let value, value != .json(.null) {
        row.values[attribute.column] = value
      } else if isKey(position, entity.key) {
        // A record without key stays without, default or not; it is reported as what it is, diagnostic 3.
        row.values[attribute.column] = nil
      } else if finding.isNull || value != nil {
        setNull(attribute, proto.entity, finding, &row)
      } else {
        reportValueType(finding, attribute, proto.entity)
      }
    }
  }

  private mutating func setNull(
    _ attribute: SchemaAttribute, _ entity: Int, _ finding: PathFinding, _ row: inout Row
  ) {
    if attribute.null == .keep { return }
    if attribute.isOptional {
      row.values[attribute.column] = nil
    } else if let value = attribute.defaultValue {
      row.values[attribute.column] = value
    } else {
      report(
        .nullRequired, entity: entity, property: attribute.name, at: place(of: finding),
        "the attribute is required and has no default, so a null leaves it as it was")
    }
  }

  private mutating func reportValueType(_ finding: PathFinding, _ attribute: SchemaAttribute, _ entity: Int) {
    let text = excerpt(finding.node.value.compactText())
    let advice =
      attribute.type == .date && attribute.dateFormat == nil && finding.node.kind == .string
      ? " without a date format" : ""
    report(
      .valueType, entity: entity, property: attribute.name, at: place(of: finding),
      "\(text) is no \(attribute.type.rawValue)\(advice)")
  }

  /// Values in messages are cut to what fits a line.
  private func excerpt(_ text: String) -> String {
    text.count > 60 ? text.prefix(57) + "…" : text
  }

  // MARK: Values

  /// The value of a finding that is no null; nil if it cannot become one of the attribute's type.
  func value(of finding: PathFinding, _ attribute: SchemaAttribute) -> AttributeValue? {
    if attribute.type == .transformable, let name = attribute.transformer,
      let transformer = options.transformers[name]
    {
      return (try? transformer.value(from: finding.node.value)).map(AttributeValue.json)
    }
    return AttributeValue(converting: finding.node, to: attribute.type, dateFormat: attribute.dateFormat)
  }

  /// Whether the stored record is as new as the item or newer. Rule: `merge.unmodified`.
  private func isUnmodified(_ proto: ProtoRecord, _ findings: [PathFinding?], _ row: Row) -> Bool {
    let entity = schema.entities[proto.entity]
    guard graph.storedRow(row.id) != nil, let position = entity.modificationAttribute,
      let finding = findings[position], !finding.isNull,
      let new = value(of: finding, entity.attributes[position]),
      let stored = row.values[entity.attributes[position].column]
    else { return false }
    if case .string = stored { return new == stored }
    return !AttributeValue.areInIncreasingOrder(stored, new)
  }
}
