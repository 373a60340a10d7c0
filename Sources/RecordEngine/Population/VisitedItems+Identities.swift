import JSONTree
import RecordModel

/// The identities of items: by their keys, by the requested record, or by their parents.
extension VisitedItems {
  /// Returns a Boolean value that indicates whether an item is the first one of the response to a request for a record.
  func isRequested(_ origin: ItemOrigin) -> Bool {
    guard requested != nil, summary.roots.isEmpty, case .response = origin else { return false }
    return true
  }

  mutating func identify(_ proto: inout ProtoRecord, _ origin: ItemOrigin, isKeyAlone: Bool) {
    switch schema.entities[proto.entity].key {
    case .none: break
    case .attributes(let positions):
      do throws(MissingKey) {
        let key = try key(of: proto.effective, positions, origin)
        let identity = ProtoIdentity.key(scope: schema.entities[proto.entity].keyScope, key)
        proto.identity = identity
        guard let requested, requested.receivesKey else { break }
        if isRequested(origin) {
          self.requested?.newIdentity = identity
        } else if identity == requested.identity, let newIdentity = requested.newIdentity {
          // The former key of the record.
          proto.identity = newIdentity
        }
      } catch {
        guard isRequested(origin), let requested, let identity = requested.identity,
          case .key(let scope, let key) = identity
        else {
          proto.missingKey = error
          return
        }
        let completed = AttributeKey.completed(key, by: proto.effective, positions, population)
        guard completed == key || requested.receivesKey else {
          proto.missingKey = error
          return
        }
        proto.identity = .key(scope: scope, completed)
        if completed != key { self.requested?.newIdentity = proto.identity }
        proto.isDetail = true
        report.addUnconvertibleKey(of: proto.effective, error)
      }
    case .relationship(let relationship):
      identify(&proto, by: relationship, origin, isKeyAlone: isKeyAlone)
    }
  }

  private mutating func key(
    of appearance: Appearance, _ positions: [AttributeIndex], _ origin: ItemOrigin
  ) throws(MissingKey) -> RecordKey {
    let missing: MissingKey
    do {
      return try AttributeKey.find(of: appearance, positions, population)
    } catch {
      missing = error
    }
    if missing == .absent, let injection = population.options.keyInjection {
      do {
        return try AttributeKey.injected(
          by: injection, into: appearance, positions, population, parent: parentItem(origin))
      } catch {
        guard error == .absent else { throw error }
      }
    }
    guard let key = prepopulatedKey(of: appearance, positions, origin) else { throw missing }
    return key
  }

  /// Returns the key in the dictionary that the pre-population hook returns for an item without a key; nil if it has none
  /// either. Rule: `population.hook`.
  private mutating func prepopulatedKey(
    of appearance: Appearance, _ positions: [AttributeIndex], _ origin: ItemOrigin
  ) -> RecordKey? {
    guard let hook = population.options.prePopulation else { return nil }
    let item = PrePopulationItem(
      appearance.item, of: schema.entities[appearance.entity], parentItem(origin))
    guard let answer = item.answer(of: hook, for: appearance) else { return nil }
    let findings = ItemFindings(answer, schema.entities, entity: appearance.entity, found: &foundKeys)
    return try? AttributeKey.find(
      of: Appearance(
        order: appearance.order, item: answer, entity: appearance.entity, findings: findings, isFull: true),
      positions, population)
  }

  private func parentItem(_ origin: ItemOrigin) -> ParentItem? {
    guard case .item(let item, let proto, _, _) = origin else { return nil }
    return ParentItem(item, of: protos[proto].entity, protos[proto].identity, schema)
  }

  private mutating func identify(
    _ proto: inout ProtoRecord, by relationship: RelationshipIndex, _ origin: ItemOrigin, isKeyAlone: Bool
  ) {
    guard let inverse = schema.relationships[relationship].inverse else { return }
    let appearance = proto.effective
    let named = namedParent(relationship, appearance, isTombstone: proto.isTombstone || isKeyAlone)
    var parent = named
    if case .item(_, let enclosing, inverse, _) = origin {
      if let named, named != enclosing {
        report.add(
          .inconsistentParents, entity: proto.entity, property: schema.relationships[relationship].name,
          at: appearance.item.node,
          "the item names one parent but is nested in another; the enclosing parent is used")
        appearance.children = [Appearance.Children(relationship: relationship)]
      }
      parent = enclosing
    }
    guard let parent else {
      proto.missingKey = .noParent
      return
    }
    if case .response = origin, summary.roots.isEmpty, let requested,
      requested.mayBeChild(of: protos[parent], population)
    {
      report.addUnconvertibleKey(of: protos[parent].effective, protos[parent].missingKey)
      appearance.children = [Appearance.Children(relationship: relationship)]
      return
    }
    if !proto.isTombstone, !isKeyAlone,
      let problem = problems.problem(of: parent, through: relationship, among: protos)
    {
      if problem == .missing { proto.missingKey = .noParent } else { proto.parent = parent }
      return
    }
    summary.hasParents = true
    proto.parent = parent
    proto.identity =
      schema.relationships[inverse].isToMany
      ? .child(
        parent: parent, relationship: relationship,
        content: ChildContent(appearance, of: proto.entity, population))
      : .onlyChild(parent: parent, relationship: relationship)
  }

  /// Returns the proto of the parent that the item itself names. Reads the parent first, because it identifies the
  /// item.
  private mutating func namedParent(
    _ relationship: RelationshipIndex, _ appearance: Appearance, isTombstone: Bool
  ) -> ProtoIndex? {
    guard let position = schema.entities[appearance.entity].relationships.firstIndex(of: relationship),
      let finding = appearance.findings.relationship(position), !finding.isNull
    else { return nil }
    let origin = ItemOrigin.child(appearance.entity, relationship, isTombstone: isTombstone)
    let found = children(finding, relationship, of: appearance.entity, in: origin)
    // The relationship must not be followed again, whatever the result.
    appearance.children.append(found ?? Appearance.Children(relationship: relationship))
    return found?.links.first?.proto
  }
}
