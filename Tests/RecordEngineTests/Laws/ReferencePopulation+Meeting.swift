import JSONTree
import RecordEngine
import RecordModel

/// The creation of protos from items. Rules: `population.protos`, `identity.*`.
extension ReferencePopulation {
  /// Returns the proto of an item, or nil if the item cannot be a record.
  mutating func meet(
    _ item: JSONValue, _ declared: EntityName,
    enclosing: (proto: Int, relationship: RelationshipDescription, isGone: Bool)?,
    namedBy: (relationship: RelationshipDescription, isGone: Bool)? = nil, isRoot: Bool = false
  ) -> Int? {
    let number = mentionCount
    mentionCount += 1
    guard let dictionary = dictionary(item, declared, isRoot: isRoot) else { return nil }
    let isScalar = item.kind != .object
    let entity = claimingEntity(dictionary, declared)
    // Of the parent of a tombstone, and of the items nested in one, only the key is read.
    let isKeyAlone = namedBy?.isGone ?? enclosing?.isGone ?? false
    let isGone = !isScalar && !isKeyAlone && model.isGone(dictionary, entity)
    let needsEntity = model.isAbstract(entity) && !isScalar && !isGone && !isKeyAlone
    if needsEntity, !isReference(dictionary, entity) {
      outcome.codes.insert(.noEntity)
      return nil
    }
    var mention = Mention(number: number, entity: entity, item: dictionary, isScalar: isScalar)
    for attribute in model.attributes(entity) {
      mention.attributes[attribute.name] = ReferenceValue.find(
        attribute.name, from: attribute.from, in: dictionary)
    }
    mention.isFull = isFull(mention) && !isKeyAlone && !needsEntity
    mention.makesStub =
      (enclosing?.relationship ?? namedBy?.relationship)?.stubs != .never && !isKeyAlone
    var parent: Int?
    let identity = identity(&mention, enclosing, &parent, isGone: isGone || isKeyAlone)
    if identity == nil {
      outcome.hasKeyless = true
      // The parts of an incomplete composite key are treated as other attributes.
      let parts = model.keyAttributes(entity) ?? []
      if parts.count > 1, !isKeyAlone, parts.contains(where: { mention.attributes[$0.name] != nil }) {
        mention.isFull = true
      }
    }
    let proto: Int
    if let identity, let known = protos.firstIndex(where: { $0.identity == identity }) {
      proto = known
    } else {
      proto = protos.count
      protos.append(Proto(identity: identity, parent: parent))
    }
    protos[proto].mentions.append(mention)
    if isGone { protos[proto].isGone = true }
    if !isKeyAlone { followRelationships(mention, of: proto, isGone: isGone) }
    return proto
  }

  /// Returns the dictionary of an item. A scalar is treated as a dictionary with the key.
  /// Rules: `response.scalar-item`, `relationships.key-reference`.
  mutating func dictionary(_ item: JSONValue, _ declared: EntityName, isRoot: Bool) -> JSONValue? {
    if case .object = item { return item }
    if item == .null {
      outcome.codes.insert(.nullElement)
      return nil
    }
    guard let key = model.keyAttributes(declared), key.count == 1, item.kind != .boolean, item != "",
      model.convertedKey(item, to: key[0], of: declared) != nil
    else {
      outcome.codes.insert(isRoot ? .invalidItem : .valueType)
      return nil
    }
    return [key[0].name.rawValue: item]
  }

  /// Rule: `subentity.choose`.
  func claimingEntity(_ item: JSONValue, _ declared: EntityName) -> EntityName {
    for entity in model.entities
    where entity.parent == declared && item["kind"] == .string(entity.name.rawValue) {
      return claimingEntity(item, entity.name)
    }
    return declared
  }

  /// Returns a Boolean value that indicates whether a dictionary is the key of a record and nothing else.
  private func isReference(_ item: JSONValue, _ entity: EntityName) -> Bool {
    guard case .object(let members) = item, let key = model.keyAttributes(entity) else { return false }
    let hasKey = key.allSatisfy { attribute in
      ReferenceValue.findKey(attribute, in: item)
        .flatMap { model.convertedKey($0, to: attribute, of: entity) } != nil
    }
    let paths = key.flatMap { $0.from + [MappingPath(keys: [$0.name.rawValue])] }
    return hasKey
      && Self.leaves(.object(members), []).allSatisfy { leaf in
        paths.contains { leaf.starts(with: $0.components) }
      }
  }

  /// Returns the paths of the values in a dictionary that are not dictionaries.
  private static func leaves(_ value: JSONValue, _ path: [MappingPath.Component]) -> [[MappingPath.Component]]
  {
    guard case .object(let members) = value else { return [path] }
    return members.flatMap { leaves($1, path + [.key($0)]) }
  }

  /// Returns a Boolean value that indicates whether a mapped property besides the key is present. Without a key there
  /// are no stubs.
  func isFull(_ mention: Mention) -> Bool {
    if mention.isScalar { return false }
    guard let key = model.key(mention.entity)?.properties else { return true }
    return mention.attributes.keys.contains { !key.contains($0) }
      || model.relationships(mention.entity).contains {
        !key.contains($0.name) && ReferenceValue.find($0.name, from: $0.from, in: mention.item) != nil
      }
  }

  mutating func identity(
    _ mention: inout Mention, _ enclosing: (proto: Int, relationship: RelationshipDescription, isGone: Bool)?,
    _ parent: inout Int?, isGone: Bool
  ) -> Identity? {
    guard let key = model.key(mention.entity) else { return nil }
    if let attributes = model.keyAttributes(mention.entity) {
      let values = attributes.compactMap { attribute in
        ReferenceValue.findKey(attribute, in: mention.item)
          .flatMap { model.convertedKey($0, to: attribute, of: mention.entity) }
      }
      return values.count == attributes.count ? .key(key.scope, values) : nil
    }
    guard let relationship = model.keyRelationship(mention.entity) else { return nil }
    var named: Int?
    if let value = ReferenceValue.find(relationship.name, from: relationship.from, in: mention.item) {
      let children = children(value, relationship) {
        $0.meet($1, relationship.destination, enclosing: nil, namedBy: (relationship, isGone))
      }
      mention.children[relationship.name] = children
      named = children?.linked.first
    }
    parent = named
    if let enclosing, enclosing.relationship.name == relationship.inverse {
      if let named, named != enclosing.proto {
        // The parent that is not used does not become a record because of this item.
        outcome.codes.insert(.inconsistentParents)
        mention.children[relationship.name] = nil
      }
      parent = enclosing.proto
    }
    guard let found = parent else { return nil }
    if !isGone, let problem = problems[namedParent(found, relationship.name)] {
      if problem == .missing { parent = nil }
      return nil
    }
    guard model.isOneOfSeveral(mention.entity) else { return .child(parent: found, relationship.name) }
    return .oneOfSeveral(
      parent: found, relationship.name, mention.entity, content(mention), unmapped: unmapped(mention))
  }

  /// Returns the attributes in an item, converted if possible.
  private func content(_ mention: Mention) -> [PropertyName: [JSONValue]] {
    var content: [PropertyName: [JSONValue]] = [:]
    for attribute in model.attributes(mention.entity) {
      guard let value = mention.attributes[attribute.name] else { continue }
      content[attribute.name] =
        value == .null
        ? []
        : ReferenceValue.converted(value, to: attribute.type).map { ["converted", $0] } ?? ["as is", value]
    }
    return content
  }

  /// Returns the unmapped members that a hook can read, or nil without a hook.
  private func unmapped(_ mention: Mention) -> JSONValue? {
    guard model.hooked != nil, case .object(var members) = mention.item else { return nil }
    let attributes = model.attributes(mention.entity).map { ($0.name, $0.from) }
    let relationships = model.relationships(mention.entity).map { ($0.name, $0.from) }
    for (name, paths) in attributes + relationships {
      for path in paths + [MappingPath(keys: [name.rawValue])] {
        let keys = path.components.compactMap { component in
          if case .key(let key) = component { key } else { nil }
        }
        if keys.count == 1 {
          members[keys[0]] = nil
        } else if case .object(var inner)? = members[keys[0]] {
          inner[keys[1]] = nil
          members[keys[0]] = .object(inner)
        }
      }
    }
    return .object(members)
  }

  mutating func followRelationships(_ mention: Mention, of proto: Int, isGone: Bool) {
    let index = protos[proto].mentions.count - 1
    for relationship in model.relationships(mention.entity)
    where relationship.name != model.keyRelationship(mention.entity)?.name {
      guard
        let value = ReferenceValue.find(relationship.name, from: relationship.from, in: mention.item)
      else { continue }
      let found = children(value, relationship) {
        $0.meet($1, relationship.destination, enclosing: (proto, relationship, isGone))
      }
      // Omitted items count as missing.
      if let found { protos[proto].mentions[index].children[relationship.name] = found }
    }
  }

  /// Returns the children in a value of a relationship, or nil if all items of a to-one relationship were omitted.
  private mutating func children(
    _ value: JSONValue, _ relationship: RelationshipDescription,
    _ meet: (inout ReferencePopulation, JSONValue) -> Int?
  ) -> Children? {
    var children = Children()
    if value == .null {
      children.isNull = !relationship.isToMany
      return children
    }
    if !relationship.isToMany, value.kind == .array, ReferenceValue.items(value).count != 1 {
      outcome.codes.insert(.manyForOne)
    }
    for item in ReferenceValue.items(value) {
      guard let child = meet(&self, item) else {
        children.isPartial = true
        continue
      }
      if relationship.isToMany || children.linked.isEmpty {
        children.linked.append(child)
      } else if protos[child].identity != nil {
        children.populated.append(child)
      }
    }
    return relationship.isToMany || !children.linked.isEmpty ? children : nil
  }
}
