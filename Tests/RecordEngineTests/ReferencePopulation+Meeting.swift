import JSONTree
import RecordEngine
import RecordModel

/// Items become protos. Rules: `population.protos`, `identity.*`.
extension ReferencePopulation {
  /// The proto of an item; nil if the item can be no record.
  mutating func meet(
    _ item: JSONValue, _ declared: EntityName,
    enclosing: (proto: Int, relationship: RelationshipDescription)?,
    isRoot: Bool = false
  ) -> Int? {
    let number = mentionCount
    mentionCount += 1
    guard let dictionary = dictionary(item, declared, isRoot: isRoot) else { return nil }
    let isScalar = item.kind != .object
    let entity = claimingEntity(dictionary, declared)
    if model.isAbstract(entity), !isScalar {
      outcome.codes.insert(.noEntity)
      return nil
    }
    var mention = Mention(number: number, entity: entity, item: dictionary, isScalar: isScalar)
    for attribute in model.attributes(entity) {
      mention.attributes[attribute.name] = ReferenceValue.find(
        attribute.name, from: attribute.from, in: dictionary)
    }
    mention.isFull = isFull(mention)
    var parent: Int?
    let identity = identity(&mention, enclosing, &parent)
    if identity == nil {
      outcome.hasKeyless = true
      // Parts of a key that identify nobody are attributes like others.
      let parts = model.keyAttributes(entity) ?? []
      if parts.count > 1, parts.contains(where: { mention.attributes[$0.name] != nil }) {
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
    followRelationships(mention, of: proto)
    return proto
  }

  /// What an item says; a scalar stands for a dictionary of the key. Rules: `response.scalar-item`,
  /// `relationships.key-reference`.
  mutating func dictionary(_ item: JSONValue, _ declared: EntityName, isRoot: Bool) -> JSONValue? {
    if case .object = item { return item }
    if item == .null {
      outcome.codes.insert(.nullElement)
      return nil
    }
    guard let key = model.keyAttributes(declared), key.count == 1, item.kind != .boolean, item != "",
      ReferenceValue.converted(item, to: key[0].type) != nil
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

  /// Whether there is a mapped property besides the key; where there is no key there are no stubs.
  func isFull(_ mention: Mention) -> Bool {
    if mention.isScalar { return false }
    guard let key = model.key(mention.entity)?.properties else { return true }
    return mention.attributes.keys.contains { !key.contains($0) }
      || model.relationships(mention.entity).contains {
        !key.contains($0.name) && ReferenceValue.find($0.name, from: $0.from, in: mention.item) != nil
      }
  }

  mutating func identity(
    _ mention: inout Mention, _ enclosing: (proto: Int, relationship: RelationshipDescription)?,
    _ parent: inout Int?
  ) -> Identity? {
    guard let key = model.key(mention.entity) else { return nil }
    if let attributes = model.keyAttributes(mention.entity) {
      let values = attributes.compactMap { attribute in
        ReferenceValue.findKey(attribute, in: mention.item)
          .flatMap { ReferenceValue.converted($0, to: attribute.type) }
      }
      return values.count == attributes.count ? .key(key.scope, values) : nil
    }
    guard let relationship = model.keyRelationship(mention.entity) else { return nil }
    var named: Int?
    if let value = ReferenceValue.find(relationship.name, from: relationship.from, in: mention.item),
      value != .null
    {
      for item in ReferenceValue.items(value) where named == nil {
        named = meet(item, relationship.destination, enclosing: nil)
      }
    }
    parent = named
    mention.children[relationship.name] = named.map { Children(linked: [$0]) }
    if let enclosing, enclosing.relationship.name == relationship.inverse {
      if let named, named != enclosing.proto {
        outcome.openQuestion = "whether the parent that an item names in vain is populated"
      }
      parent = enclosing.proto
      mention.children[relationship.name] = nil
    }
    return parent.map { .child(parent: $0, relationship.name) }
  }

  mutating func followRelationships(_ mention: Mention, of proto: Int) {
    let index = protos[proto].mentions.count - 1
    for relationship in model.relationships(mention.entity)
    where relationship.name != model.keyRelationship(mention.entity)?.name {
      guard
        let value = ReferenceValue.find(relationship.name, from: relationship.from, in: mention.item)
      else { continue }
      var children = Children()
      if value == .null {
        children.isNull = !relationship.isToMany
      } else {
        let items = ReferenceValue.items(value)
        if !relationship.isToMany, value.kind == .array { outcome.codes.insert(.manyForOne) }
        for item in items {
          guard let child = meet(item, relationship.destination, enclosing: (proto, relationship)) else {
            children.isPartial = true
            continue
          }
          if relationship.isToMany || children.linked.isEmpty {
            children.linked.append(child)
          } else if protos[child].identity != nil {
            children.populated.append(child)
          }
        }
        // What was left out is not there.
        if !relationship.isToMany, children.linked.isEmpty { continue }
      }
      protos[proto].mentions[index].children[relationship.name] = children
    }
  }
}
