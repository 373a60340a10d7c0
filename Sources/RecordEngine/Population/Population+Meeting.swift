import JSONTree
import RecordModel

/// Depth first, each item becomes a proto and is known from that moment; then its relationships are followed.
/// Rules: `population.protos`, `identity.*`.
extension Population {
  /// The item that another one is nested in, and the relationship through which.
  struct Enclosing {
    var proto: Int
    var item: Item
    var relationship: RelationshipIndex
  }

  /// The item that names another one as its parent.
  struct Referrer {
    var entity: EntityIndex
    var relationship: RelationshipIndex
    /// Whether the record of the item is gone, so that the parent is only looked up. Rule: `orphans.tombstone`.
    var isTombstone: Bool
  }

  mutating func meetRoots(_ items: Items) {
    // Room for one proto each at least: to grow again and again costs more than to be wrong.
    let count = items.estimatedCount
    roots.reserveCapacity(count)
    protos.reserveCapacity(count)
    identities.reserveCapacity(count)
    repeatedItems.reserveCapacity(count)
    for item in items {
      if let proto = meet(item, declared: entity, enclosing: nil) { roots.append(proto) }
    }
  }

  /// The proto of an item; nil if the item can be no record, which is reported.
  mutating func meet(_ item: Item, declared: EntityIndex, enclosing: Enclosing?, referrer: Referrer? = nil)
    -> Int?
  {
    let mark = repeatedItems.mark(
      of: item, in: document, schema.entities[declared].lookup, declared: declared)
    if let mark, let known = repeatedItems.proto(of: mark, in: document) { return known }
    guard canBeRecord(item, declared: declared, enclosing, referrer) else {
      leftOut.insert(declared)
      return nil
    }
    let chosen = entityChoice.entity(claiming: item, declared: declared)
    let isKeyAlone = referrer?.isTombstone ?? false
    let isTombstone = !isKeyAlone && entityChoice.isTombstone(item, of: chosen)
    // What is gone need not say of which entity it was, nor of which its parent is.
    if schema.entities[chosen].isAbstract, item.isDictionary, !isTombstone, !isKeyAlone {
      reportNoEntity(chosen, item.node)
      leftOut.insert(declared)
      return nil
    }
    let findings = ItemFindings(item, schema, entity: chosen, found: &foundKeys)
    metItems += 1
    let appearance = ProtoRecord.Appearance(
      order: metItems, item: item, entity: chosen, findings: findings,
      isFull: item.isDictionary && !isKeyAlone && findings.isFull(schema, chosen),
      mayMakeStub: mayMakeStub(enclosing, referrer))

    var proto = ProtoRecord(first: appearance)
    proto.isTombstone = isTombstone
    identify(&proto, appearance, enclosing, isKeyAlone: isKeyAlone)
    if proto.identity == nil, !isKeyAlone, findings.hasPartsOfKey(schema, chosen) {
      appearance.isFull = true
      proto.mayBeCreated = true
    }

    if let identity = proto.identity, let known = identities[identity] {
      if isTombstone { protos[known].isTombstone = true }
      if proto.mayBeCreated, !protos[known].mayBeCreated {
        protos[known].mayBeCreated = true
        if let mark, case .key = identity, !proto.hasInjectedKey { repeatedItems.insert(mark, proto: known) }
      }
      if repeatsFirst(appearance, of: known) {
        if appearance.mayMakeStub { protos[known].effective.mayMakeStub = true }
      } else if !isMeetingMerged || isWanted(appearance, by: known) {
        protos[known].others.append(appearance)
        follow(appearance, of: known)
      }
      return known
    }
    let index = protos.count
    if let identity = proto.identity { identities[identity] = index }
    // An item that makes no record here may make one where it stands again.
    if let mark, case .key? = proto.identity, !proto.hasInjectedKey, proto.mayBeCreated {
      repeatedItems.insert(mark, proto: index)
    }
    protos.append(consume proto)
    follow(appearance, of: index)
    return index
  }

  /// Whether the reference that an item is makes a stub where nothing else makes the record.
  private func mayMakeStub(_ enclosing: Enclosing?, _ referrer: Referrer?) -> Bool {
    if referrer?.isTombstone ?? false { return false }
    guard let relationship = enclosing?.relationship ?? referrer?.relationship else { return true }
    return schema.relationships[relationship].stubs == .create
  }

  /// Rule: `subentity.abstract`.
  mutating func reportNoEntity(_ entity: EntityIndex, _ node: JSONNode) {
    report(
      .noEntity, entity: entity, at: node,
      "no sub-entity of '\(schema.entities[entity].name)' claims the item, and it is abstract")
  }

  private mutating func canBeRecord(
    _ item: Item, declared: EntityIndex, _ enclosing: Enclosing?, _ referrer: Referrer?
  ) -> Bool {
    if item.isDictionary { return true }
    let relationship = enclosing?.relationship ?? referrer?.relationship
    let property = relationship.map { schema.relationships[$0].name }
    let owner = referrer?.entity ?? enclosing.map { protos[$0.proto].entity } ?? declared
    if item.node.isNull {
      report(
        .nullElement, entity: owner, property: property, at: item.node, "a null among items was left out")
      return false
    }
    if let problem = scalarProblem(item.node, declared) {
      report(
        relationship == nil ? .invalidItem : .valueType, entity: owner, property: property, at: item.node,
        "a \(item.node.kind.rawValue) was left out: \(problem)")
      return false
    }
    return true
  }

  /// The same dictionary, byte by byte, says nothing new.
  private func repeatsFirst(_ appearance: ProtoRecord.Appearance, of proto: Int) -> Bool {
    let first = protos[proto].effective
    guard first.isFull == appearance.isFull, first.entity == appearance.entity,
      first.item.collectionKey == nil, appearance.item.collectionKey == nil
    else { return false }
    let (node, other) = (first.item.node, appearance.item.node)
    let document = node.document
    return document === other.document
      && document.haveSameBytes(document.extent(at: node.index), document.extent(at: other.index))
  }

  /// Of what stands in a merged dictionary a record that is known takes what it is a stub without: what it is was said
  /// where it was met.
  private func isWanted(_ appearance: ProtoRecord.Appearance, by proto: Int) -> Bool {
    appearance.isFull && !protos[proto].effective.isFull && !protos[proto].others.contains(where: \.isFull)
  }

  /// Meets what is nested in an item.
  mutating func follow(_ appearance: ProtoRecord.Appearance, of proto: Int) {
    guard appearance.isFull || !appearance.children.isEmpty else { return }
    let met = appearance.children
    var all: [ProtoRecord.Children] = []
    all.reserveCapacity(schema.entities[appearance.entity].relationships.count)
    for (position, relationship) in schema.entities[appearance.entity].relationships.enumerated() {
      if let known = met.first(where: { $0.relationship == relationship }) {
        all.append(known)
      } else if let finding = appearance.findings.relationship(position) {
        let enclosing = Enclosing(proto: proto, item: appearance.item, relationship: relationship)
        let found = children(finding, relationship, of: protos[proto].entity, enclosing: enclosing)
        if let found { all.append(found) }
      }
    }
    appearance.children = all
  }

  /// What a finding holds for a relationship of an item of an entity; nil if all of it was left out of a to-one.
  ///
  /// - Parameters:
  ///   - enclosing: the item; nil where it names its parent, so that it is no record yet.
  ///   - referrer: the item that names its parent.
  mutating func children(
    _ finding: PathFinding, _ relationship: RelationshipIndex, of entity: EntityIndex, enclosing: Enclosing?,
    referrer: Referrer? = nil
  ) -> ProtoRecord.Children? {
    let isToMany = schema.relationships[relationship].isToMany
    let destination = schema.relationships[relationship].destination
    var result = ProtoRecord.Children(relationship: relationship)
    if case .node(let node) = finding {
      result.node = place(of: node)
      if isToMany, node.kind == .array { result.links.reserveCapacity(node.count) }
    }
    if finding.isNull {
      result.isNull = !isToMany
      return result
    }
    var items = 0
    for item in Items(in: finding, keyedBy: schema.relationships[relationship].keyedBy) {
      items += 1
      guard let child = meet(item, declared: destination, enclosing: enclosing, referrer: referrer) else {
        result.isPartial = true
        continue
      }
      if isToMany || result.links.isEmpty {
        result.links.append(ProtoRecord.Link(proto: child, node: place(of: item.node)))
      } else if protos[child].identity != nil {
        result.unlinked.append(child)
      }
    }
    if !isToMany, items > 1 || node(at: result.node)?.kind == .array {
      report(
        .manyForOne, entity: entity, property: schema.relationships[relationship].name,
        at: node(at: result.node),
        items == 0
          ? "an empty array where one is declared was left out"
          : "an array of \(items) where one is declared: the first was linked")
    }
    return isToMany || !result.links.isEmpty ? result : nil
  }
}
