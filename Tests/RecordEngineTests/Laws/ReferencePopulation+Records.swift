import JSONTree
import RecordEngine
import RecordModel

/// The assignment of records to protos. Rules: `population.fetch`, `population.associate`, `population.create`.
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

  /// Assigns stored children to protos, parents before their children.
  mutating func associate(_ reachable: [Int]) {
    func depth(_ proto: Int) -> Int { protos[proto].parent.map { depth($0) + 1 } ?? 0 }
    let depths = Dictionary(uniqueKeysWithValues: reachable.map { ($0, depth($0)) })
    for level in Set(depths.values).sorted() {
      let protosOfLevel = reachable.filter { depths[$0] == level }
      for proto in protosOfLevel {
        guard case .child(let parent, let name)? = protos[proto].identity,
          let owner = protos[parent].record,
          let key = model.relationships(protos[proto].entity).first(where: { $0.name == name }),
          let child = key.inverse.flatMap({ graph.members(owner, $0).first })
        else { continue }
        take(child, for: proto)
      }
      associateOneOfSeveral(protosOfLevel)
    }
  }

  /// Assigns to each item the oldest stored child that it leaves unchanged. A tombstone gets all remaining ones.
  private mutating func associateOneOfSeveral(_ level: [Int]) {
    var taken: Set<Int> = []
    let inOrder = level.sorted { protos[$0].effective[0].number < protos[$1].effective[0].number }
    let gone = inOrder.filter { protos[$0].isGone }
    let making = inOrder.filter { !protos[$0].isGone && protos[$0].mayBeMade }
    let weak = inOrder.filter { !protos[$0].isGone && !protos[$0].mayBeMade }
    for proto in making + weak + gone {
      guard case .oneOfSeveral(let parent, let name, _, _, _)? = protos[proto].identity,
        let owner = protos[parent].record, stored.records[owner] != nil,
        let key = model.relationships(protos[proto].entity).first(where: { $0.name == name }),
        let children = key.inverse.map({ stored.members(owner, $0).sorted() }), !children.isEmpty
      else { continue }
      let saysNothing = protos[proto].isGone && settings(protos[proto]).values.isEmpty
      let fitting = saysNothing ? [] : children.filter { !taken.contains($0) && leaves($0, asItIs: proto) }
      guard let child = fitting.first else {
        outcome.codes.insert(.unmatchedChild)
        continue
      }
      protos[proto].record = child
      taken.insert(child)
      if protos[proto].isGone {
        protos[proto].alsoGone = Array(fitting.dropFirst())
        taken.formUnion(fitting)
      }
    }
  }

  /// Returns a Boolean value that indicates whether populating a stored child with an item changes nothing.
  private func leaves(_ child: Int, asItIs proto: Int) -> Bool {
    guard let record = stored.records[child], model.isKind(record.entity, of: protos[proto].entity) else {
      return false
    }
    var values = record.values
    for (name, value) in settings(protos[proto]).values { values[name] = value }
    return values == record.values
  }

  /// Rule: `identity.missing`.
  mutating func reportKeyless(_ reachable: [Int]) {
    for proto in reachable.map({ protos[$0] }) where proto.identity == nil {
      // If the proto has a parent, the parent has another entity, which is reported separately.
      let isKeyed = model.key(proto.entity) != nil && proto.parent == nil
      if isKeyed || proto.isGone { outcome.codes.insert(.missingPrimaryKey) }
    }
  }

  /// Rule: `population.hook`.
  mutating func askHook(_ asked: [Int]) {
    for index in asked where !protos[index].isGone {
      var mention = protos[index].effective[0]
      guard let answer = model.hookAnswer(mention.item, mention.entity) else { continue }
      // Attributes are read from the dictionary that the hook returns. Links stay unchanged.
      for other in protos[index].effective.indices { protos[index].effective[other].attributes = [:] }
      for attribute in model.attributes(mention.entity) {
        protos[index].effective[0].attributes[attribute.name] = ReferenceValue.find(
          attribute.name, from: attribute.from, in: answer)
      }
      mention.attributes = protos[index].effective[0].attributes
      mention.item = answer
      mention.isScalar = false
      if isFull(mention) { protos[index].effective[0].isFull = true }
    }
  }

  /// Assigns a stored record to a proto. A record of a more general or a sibling entity gets the entity of the item.
  /// Rule: `identity.sub-entity`.
  mutating func take(_ number: Int, for proto: Int) {
    protos[proto].record = number
    let entity = protos[proto].entity
    guard let record = graph.records[number], !model.isKind(record.entity, of: entity),
      !model.isAbstract(entity), !protos[proto].isGone, protos[proto].mayBeMade
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
    let inOrder = reachable.sorted { protos[$0].effective[0].number < protos[$1].effective[0].number }
    for proto in inOrder where protos[proto].record == nil && !model.isAbstract(protos[proto].entity) {
      if protos[proto].isGone || !protos[proto].mayBeMade { continue }
      let entity = protos[proto].entity
      var record = ReferenceGraph.Record(entity: entity, isStub: !protos[proto].isFull)
      let key = model.key(entity)?.properties ?? []
      for attribute in model.attributes(entity) where !key.contains(attribute.name) {
        record.values[attribute.name] = attribute.defaultValue
      }
      protos[proto].record = graph.insert(record)
    }
  }

  /// Rule: `orphans.tombstone`.
  mutating func deleteGone(_ reachable: [Int]) {
    for proto in reachable.map({ protos[$0] }) where proto.isGone {
      for number in [proto.record].compactMap(\.self) + proto.alsoGone {
        graph.records[number] = nil
        for other in graph.numbers {
          for name in graph.records[other]?.links.keys ?? [:].keys {
            graph.records[other]?.links[name]?.removeAll { $0 == number }
          }
        }
      }
    }
  }
}

/// The population of attributes. Rules: `population.attributes`.
extension ReferencePopulation {
  mutating func setAttributes(_ index: Int) {
    let proto = protos[index]
    guard let number = proto.record, !proto.isGone else { return }
    var keyNames: [PropertyName] = []
    if case .key(_, let values)? = proto.identity {
      keyNames = model.key(proto.entity)?.properties ?? []
      for (name, value) in zip(keyNames, values) { graph.records[number]?.values[name] = value }
    }
    guard proto.isFull else { return }
    graph.records[number]?.isStub = false
    if isUnmodified(proto, number) { return }
    let settings = settings(proto)
    for (name, value) in settings.values where !keyNames.contains(name) {
      graph.records[number]?.values[name] = value
    }
    outcome.codes.formUnion(settings.codes.filter { !keyNames.contains($0.key) }.values)
  }

  /// Returns the values that an item sets, with nil to clear an attribute, and the diagnostics of the other attributes.
  /// Rule: `mapping.null`.
  func settings(_ proto: Proto) -> (values: [PropertyName: JSONValue?], codes: [PropertyName: DiagnosticCode])
  {
    var values: [PropertyName: JSONValue?] = [:]
    var codes: [PropertyName: DiagnosticCode] = [:]
    for attribute in model.attributes(proto.entity) {
      let isKey = model.key(proto.entity)?.properties.contains(attribute.name) ?? false
      guard let value = value(proto, attribute.name) else { continue }
      let converted =
        isKey
        ? model.convertedKey(value, to: attribute, of: proto.entity)
        : ReferenceValue.converted(value, to: attribute.type)
      if let converted, value != .null {
        values[attribute.name] = converted
      } else if isKey {
        values[attribute.name] = .some(nil)
      } else if value != .null {
        codes[attribute.name] = .valueType
      } else if model.null(attribute.null, proto.entity) == .keep {
        continue
      } else if attribute.isOptional {
        values[attribute.name] = .some(nil)
      } else if let value = attribute.defaultValue {
        values[attribute.name] = value
      } else {
        codes[attribute.name] = .nullRequired
      }
    }
    return (values, codes)
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
