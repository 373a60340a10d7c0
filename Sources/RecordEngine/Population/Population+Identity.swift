import JSONTree
import RecordModel

/// What makes an item a certain record. Rules: `identity.*`.
extension Population {
  mutating func identify(
    _ proto: inout ProtoRecord, _ appearance: ProtoRecord.Appearance, _ enclosing: Enclosing?,
    isKeyAlone: Bool
  ) {
    switch schema.entities[proto.entity].key {
    case .none: break
    case .attributes(let positions): identify(&proto, by: positions, appearance, enclosing)
    case .relationship(let relationship):
      identify(&proto, by: relationship, appearance, enclosing, isKeyAlone: isKeyAlone)
    }
  }

  // MARK: Attribute keys

  private mutating func identify(
    _ proto: inout ProtoRecord, by positions: [AttributeIndex], _ appearance: ProtoRecord.Appearance,
    _ enclosing: Enclosing?
  ) {
    let entity = proto.entity
    if let computation = schema.entities[entity].keyComputation, appearance.item.isDictionary {
      identify(&proto, by: computation, schema.entities[entity].attributes[positions[0]], appearance)
      if proto.identity != nil || proto.missingKey == .unconvertible { return }
    }
    var key: RecordKey?
    var missing: ProtoRecord.MissingKey?
    switch recordKey(positions, appearance, entity) {
    case .success(let found): key = found
    case .failure(let problem): missing = problem.reason
    }
    if missing == .absent, positions.count == 1, let injection = options.keyInjection {
      let description = schema.entities[entity]
      let item = KeyInjectionItem(
        entity: description.name, dictionary: appearance.item.dictionary(of: description),
        parent: parentItem(enclosing))
      if let answer = injection(item), answer != .null {
        let attribute = description.attributes[positions[0]]
        if let value = AttributeValue(
          converting: JSONDocument(answer).root, to: attribute.type, dateFormat: attribute.dateFormat)
        {
          proto.hasInjectedKey = true
          key = .single(value)
        } else {
          missing = .unconvertible
        }
      }
    }
    if let key {
      proto.identity = .key(scope: schema.entities[entity].keyScope, key)
    } else {
      proto.missingKey = missing
    }
  }

  /// A key that no value of the item is. Rule: `customise.representation`.
  private func identify(
    _ proto: inout ProtoRecord, by computation: any Representation, _ attribute: SchemaAttribute,
    _ appearance: ProtoRecord.Appearance
  ) {
    let dictionary = appearance.item.dictionary(of: schema.entities[proto.entity])
    guard let answer = computation.primaryKeyValue(in: dictionary), answer != .null else { return }
    if let value = convert(JSONDocument(answer).root, attribute, proto.entity) {
      proto.hasInjectedKey = true
      proto.identity = .key(scope: schema.entities[proto.entity].keyScope, RecordKey([value]))
    } else {
      proto.missingKey = .unconvertible
    }
  }

  private struct KeyProblem: Error { var reason: ProtoRecord.MissingKey }

  /// The key that an item has; of several problems the first.
  private func recordKey(
    _ positions: [AttributeIndex], _ appearance: ProtoRecord.Appearance, _ entity: EntityIndex
  ) -> Result<RecordKey, KeyProblem> {
    if positions.count == 1 {
      return keyValue(positions[0], appearance, entity).map(RecordKey.single)
    }
    var values: [AttributeValue] = []
    for position in positions {
      switch keyValue(position, appearance, entity) {
      case .success(let value): values.append(value)
      case .failure(let problem): return .failure(problem)
      }
    }
    return .success(RecordKey(values))
  }

  private func keyValue(
    _ position: AttributeIndex, _ appearance: ProtoRecord.Appearance, _ entity: EntityIndex
  ) -> Result<AttributeValue, KeyProblem> {
    if !hasMarshalers,
      let value = plainValue(schema.entities[entity].attributes, position, appearance.findings)
    {
      return .success(value)
    }
    let attribute = schema.entities[entity].attributes[position]
    var finding = appearance.findings.attribute(position)
    if finding?.isNull ?? false { finding = ItemFindings.key(attribute, in: appearance.item.node) }
    guard let finding, !finding.isNull else { return .failure(KeyProblem(reason: .absent)) }
    let value = convert(finding.node, attribute, entity)
    return value.map(Result.success) ?? .failure(KeyProblem(reason: .unconvertible))
  }

  func parentItem(_ enclosing: Enclosing?) -> ParentItem? {
    guard let enclosing else { return nil }
    let parent = protos[enclosing.proto]
    var key: JSONValue?
    if case .key(_, .single(let value)) = parent.identity,
      case .attributes(let positions) = schema.entities[parent.entity].key
    {
      key = value.literal(type: schema.entities[parent.entity].attributes[positions[0]].type)
    }
    return ParentItem(
      entity: schema.entities[parent.entity].name, key: key,
      dictionary: enclosing.item.dictionary(of: schema.entities[parent.entity])
    )
  }

  // MARK: Relationship keys

  private mutating func identify(
    _ proto: inout ProtoRecord, by relationship: RelationshipIndex, _ appearance: ProtoRecord.Appearance,
    _ enclosing: Enclosing?, isKeyAlone: Bool
  ) {
    guard let inverse = schema.relationships[relationship].inverse else { return }
    let named = namedParent(relationship, appearance, isTombstone: proto.isTombstone || isKeyAlone)
    var parent = named
    if let enclosing, enclosing.relationship == inverse {
      if let named, named != enclosing.proto {
        report(
          .inconsistentParents, entity: proto.entity, property: schema.relationships[relationship].name,
          at: appearance.item.node, "the item names one parent and is nested in another, which counts")
        appearance.children = [ProtoRecord.Children(relationship: relationship)]
      }
      parent = enclosing.proto
    }
    guard let parent else {
      proto.missingKey = .noParent
      return
    }
    if !proto.isTombstone, !isKeyAlone, let problem = problem(of: parent, through: relationship) {
      if problem == .missing { proto.missingKey = .noParent } else { proto.parent = parent }
      return
    }
    hasParents = true
    proto.parent = parent
    if schema.relationships[inverse].isToMany {
      proto.identity = .child(
        parent: parent, relationship: relationship, content: content(of: appearance, proto.entity))
    } else {
      proto.identity = .onlyChild(parent: parent, relationship: relationship)
    }
  }

  /// The record that the item's own key relationship names. It is met here, before the item itself can be known.
  private mutating func namedParent(
    _ relationship: RelationshipIndex, _ appearance: ProtoRecord.Appearance, isTombstone: Bool
  ) -> Int? {
    guard let position = schema.entities[appearance.entity].relationships.firstIndex(of: relationship),
      let finding = appearance.findings.relationship(position), !finding.isNull
    else { return nil }
    let referrer = Referrer(
      entity: appearance.entity, relationship: relationship, isTombstone: isTombstone)
    let found = children(
      finding, relationship, of: appearance.entity, enclosing: nil, referrer: referrer)
    // Followed already, whatever came of it.
    appearance.children.append(found ?? ProtoRecord.Children(relationship: relationship))
    return found?.links.first?.proto
  }

  private func content(of appearance: ProtoRecord.Appearance, _ entity: EntityIndex) -> ChildContent {
    var content = ChildContent(entity: entity, attributes: [], unconvertible: [:])
    for (position, attribute) in schema.entities[entity].attributes.indexed {
      let finding = appearance.findings.attribute(position)
      let value = finding.flatMap { $0.isNull ? nil : self.value(of: $0, attribute, entity) }
      content.attributes.append(finding.map { _ in value })
      if let finding, !finding.isNull, value == nil { content.unconvertible[position] = finding.node.value }
    }
    let isKept = schema.entities[entity].dictionaryAttribute != nil
    if isKept || options.prePopulation != nil || options.customisation.marshaler(of: entity) != nil {
      content.unmapped = unmapped(appearance.item, entity, keepsAttributes: isKept)
    }
    return content
  }

  /// The dictionary of an item without its relationships, and without its attributes unless the record keeps them as
  /// they stand.
  private func unmapped(_ item: Item, _ entity: EntityIndex, keepsAttributes: Bool) -> JSONValue {
    let description = schema.entities[entity]
    var dictionary = item.dictionary(of: description).value
    for relationship in description.relationships {
      for path in schema.relationships[relationship].paths { dictionary.remove(path) }
    }
    guard !keepsAttributes else { return dictionary }
    for path in description.attributes.flatMap(\.paths) { dictionary.remove(path) }
    return dictionary
  }

  // MARK: What has none

  /// Diagnostic 3, once per item, or once per group where all keys fail for one reason. Rule: `identity.missing`.
  mutating func reportMissingKeys() {
    var keylessByEntity: [EntityIndex: [Int]] = [:]
    var counts = Array(repeating: 0, count: schema.entities.count)
    for index in protos.indices where protos[index].isReachable {
      counts[for: protos[index].entity] += 1
      if protos[index].missingKey != nil { keylessByEntity[protos[index].entity, default: []].append(index) }
    }
    for (group, keyless) in keylessByEntity.sorted(by: { $0.key < $1.key }) {
      guard let first = keyless.first else { continue }
      let reason = protos[first].missingKey
      if keyless.count > 1, keyless.count == counts[for: group],
        keyless.allSatisfy({ protos[$0].missingKey == reason })
      {
        report(
          .missingPrimaryKey, entity: group, at: protos[first].effective.item.node,
          "none of the \(keyless.count) items is identified: \(explanation(reason, group))")
        continue
      }
      for proto in keyless {
        report(
          .missingPrimaryKey, entity: group, at: protos[proto].effective.item.node,
          explanation(protos[proto].missingKey, group))
      }
    }
  }

  private func explanation(_ reason: ProtoRecord.MissingKey?, _ entity: EntityIndex) -> String {
    switch reason {
    case .unconvertible: "the key is no value of its type: \(keyDescription(entity))"
    case .noParent: "the item has no parent, which is its key"
    case .absent, nil: "the item has no key: \(keyDescription(entity))"
    }
  }

  private func keyDescription(_ entity: EntityIndex) -> String {
    guard case .attributes(let positions) = schema.entities[entity].key else { return "" }
    return positions.map { schema.entities[entity].attributes[$0] }
      .map { "'\($0.name)' is \($0.type.rawValue)" }.joined(separator: ", ")
  }
}
