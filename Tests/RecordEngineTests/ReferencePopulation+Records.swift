import JSONTree
import RecordEngine
import RecordModel

/// Protos find their records. Rules: `population.fetch`, `population.associate`, `population.create`.
extension ReferencePopulation {
  mutating func fetch(_ reachable: [Int]) {
    for proto in reachable {
      guard case .key(let scope, let values)? = protos[proto].identity else { continue }
      let found = graph.numbers.first { number in
        guard let record = graph.records[number], let key = model.key(record.entity) else { return false }
        return key.scope == scope && key.properties.map { record.values[$0] } == values
      }
      if let found { take(found, for: proto) }
    }
  }

  mutating func associate(_ reachable: [Int]) {
    var didFind = true
    while didFind {
      didFind = false
      for proto in reachable where protos[proto].record == nil {
        guard case .child(let parent, let name)? = protos[proto].identity,
          let owner = protos[parent].record,
          let key = model.relationships(protos[proto].entity).first(where: { $0.name == name }),
          let child = key.inverse.flatMap({ graph.members(owner, $0).first })
        else { continue }
        take(child, for: proto)
        didFind = true
      }
    }
  }

  /// A stored record above or beside the item's entity becomes one of it. Rule: `identity.sub-entity`.
  mutating func take(_ number: Int, for proto: Int) {
    protos[proto].record = number
    let entity = protos[proto].entity
    guard let record = graph.records[number], !model.isKind(record.entity, of: entity),
      !model.isAbstract(entity)
    else { return }
    outcome.codes.insert(.entityChanged)
    let attributes = model.attributes(entity).map(\.name)
    let relationships = model.relationships(entity).map(\.name)
    for relationship in model.relationships(record.entity) where !relationships.contains(relationship.name) {
      for member in graph.members(number, relationship.name) { graph.unlink(number, relationship, member) }
    }
    let former = model.attributes(record.entity).map(\.name)
    graph.records[number]?.entity = entity
    for name in former where !attributes.contains(name) { graph.records[number]?.values[name] = nil }
    for attribute in model.attributes(entity) where !former.contains(attribute.name) {
      graph.records[number]?.values[attribute.name] = attribute.defaultValue
    }
    for (owner, other) in graph.records {
      for relationship in model.relationships(other.entity)
      where relationship.inverse == nil && !model.isKind(entity, of: relationship.destination) {
        graph.unlink(owner, relationship, number)
      }
    }
  }

  mutating func create(_ reachable: [Int]) {
    for proto in reachable where protos[proto].record == nil && !model.isAbstract(protos[proto].entity) {
      let entity = protos[proto].entity
      var record = ReferenceGraph.Record(entity: entity, isStub: !protos[proto].isFull)
      let key = model.key(entity)?.properties ?? []
      for attribute in model.attributes(entity) where !key.contains(attribute.name) {
        record.values[attribute.name] = attribute.defaultValue
      }
      protos[proto].record = graph.insert(record)
      if protos[proto].identity == nil, model.key(entity) != nil { outcome.codes.insert(.missingPrimaryKey) }
    }
  }
}

/// Properties are set. Rules: `population.attributes`.
extension ReferencePopulation {
  mutating func setAttributes(_ index: Int) {
    let proto = protos[index]
    guard let number = proto.record else { return }
    var keyNames: [PropertyName] = []
    if case .key(_, let values)? = proto.identity {
      keyNames = model.key(proto.entity)?.properties ?? []
      for (name, value) in zip(keyNames, values) { graph.records[number]?.values[name] = value }
    }
    guard proto.isFull else { return }
    graph.records[number]?.isStub = false
    if isUnmodified(proto, number) { return }
    for attribute in model.attributes(proto.entity) where !keyNames.contains(attribute.name) {
      guard let value = value(proto, attribute.name) else { continue }
      if value == .null {
        setNull(attribute, proto.entity, number)
      } else if let converted = ReferenceValue.converted(value, to: attribute.type) {
        graph.records[number]?.values[attribute.name] = converted
      } else if !(model.key(proto.entity)?.properties.contains(attribute.name) ?? false) {
        outcome.codes.insert(.valueType)
      }
    }
  }

  /// Rule: `mapping.null`.
  mutating func setNull(_ attribute: AttributeDescription, _ entity: EntityName, _ number: Int) {
    if model.null(attribute.null, entity) == .keep { return }
    if attribute.isOptional {
      graph.records[number]?.values[attribute.name] = nil
    } else if let value = attribute.defaultValue {
      graph.records[number]?.values[attribute.name] = value
    } else {
      outcome.codes.insert(.nullRequired)
    }
  }

  /// Rule: `merge.unmodified`.
  func isUnmodified(_ proto: Proto, _ number: Int) -> Bool {
    guard let attribute = model.modificationAttribute(proto.entity),
      case .number(let old)? = stored.records[number]?.values[attribute.name],
      let found = value(proto, attribute.name),
      case .number(let new)? = ReferenceValue.converted(found, to: attribute.type)
    else { return false }
    return new <= old
  }
}
