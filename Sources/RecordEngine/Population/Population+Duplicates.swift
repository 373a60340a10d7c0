import JSONTree
import RecordModel

/// Duplicates are settled: each proto ends with what counts for it. Rules: `population.effective`, `merge.*`.
extension Population {
  mutating func settleDuplicates() {
    for proto in protos.indices {
      guard protos[proto].appearances.count > 1 else {
        protos[proto].effective = [0]
        continue
      }
      // An item whose key is a parent that it names is known only after that parent, and all inside it, was met.
      protos[proto].appearances.sort { $0.order < $1.order }
      let appearances = protos[proto].appearances
      let full = appearances.indices.filter { appearances[$0].isFull }
      guard let first = full.first else {
        protos[proto].effective = [0]
        protos[proto].entity = mostSpecific(appearances.map(\.entity))
        continue
      }
      // A stub takes the entity of the fuller item.
      protos[proto].entity = appearances[first].entity
      switch strategy(appearances[first].entity) {
      case .first:
        protos[proto].effective = [first]
        for other in full.dropFirst() { compare(proto, first, other, mergesDeep: false) }
      case .deep:
        protos[proto].effective = full.filter { appearances[$0].entity == appearances[first].entity }
        for other in full.dropFirst() { compare(proto, first, other, mergesDeep: true) }
      }
    }
  }

  private func strategy(_ entity: Int) -> MergeStrategy {
    options.mergeStrategy ?? schema.entities[entity].merge
  }

  /// Among entities on one line of descent the lowest; the first one of any others.
  private func mostSpecific(_ entities: [Int]) -> Int {
    entities.dropFirst().reduce(entities[0]) { schema.isKind($1, of: $0) ? $1 : $0 }
  }

  // MARK: Two full dictionaries of one record

  /// Reports where two dictionaries disagree, so that the graph depends on which one came first.
  /// Rule: `merge.inconsistent`.
  private mutating func compare(_ proto: Int, _ first: Int, _ other: Int, mergesDeep: Bool) {
    let left = protos[proto].appearances[first]
    let right = protos[proto].appearances[other]
    guard let difference = difference(left, right, mergesDeep: mergesDeep) else { return }
    report(
      .inconsistentDuplicates, entity: left.entity, property: difference.property, at: left.item.node,
      other: right.item.node, difference.message)
  }

  private func difference(
    _ left: ProtoRecord.Appearance, _ right: ProtoRecord.Appearance, mergesDeep: Bool
  ) -> (property: PropertyName?, message: String)? {
    guard left.entity == right.entity else {
      return (
        nil,
        "the record is a '\(schema.entities[left.entity].name)' here and a '\(schema.entities[right.entity].name)' there"
      )
    }
    let entity = schema.entities[left.entity]
    var differing: [PropertyName] = []
    for (position, attribute) in entity.attributes.enumerated() where !isKey(position, entity.key) {
      if differs(
        left.findings.attributes[position], right.findings.attributes[position], attribute, mergesDeep)
      {
        differing.append(attribute.name)
      }
    }
    for relationship in entity.relationships where entity.key != .relationship(relationship) {
      if differs(
        left.children.first { $0.relationship == relationship },
        right.children.first { $0.relationship == relationship }, relationship, mergesDeep)
      {
        differing.append(schema.relationships[relationship].name)
      }
    }
    guard let property = differing.first else { return nil }
    let names = differing.map { "'\($0)'" }.joined(separator: ", ")
    return (property, "two dictionaries of one record differ in \(names)")
  }

  private func isKey(_ position: Int, _ key: SchemaKey) -> Bool {
    if case .attributes(let positions) = key { positions.contains(position) } else { false }
  }

  private func differs(
    _ left: PathFinding?, _ right: PathFinding?, _ attribute: SchemaAttribute, _ mergesDeep: Bool
  ) -> Bool {
    if mergesDeep, left?.isNull ?? true || right?.isNull ?? true { return false }
    switch (left, right) {
    case (nil, nil): return false
    case (let left?, let right?):
      if left.isNull || right.isNull { return left.isNull != right.isNull }
      return value(of: left, attribute) != value(of: right, attribute)
    default: return true
    }
  }

  /// Nested items are compared by identity alone: what they say is settled where they are settled.
  private func differs(
    _ left: ProtoRecord.Children?, _ right: ProtoRecord.Children?, _ relationship: Int, _ mergesDeep: Bool
  ) -> Bool {
    if mergesDeep {
      if schema.relationships[relationship].isToMany { return false }
      guard let left, let right, !left.isNull, !right.isNull else { return false }
    }
    guard let left, let right else { return (left == nil) != (right == nil) }
    if left.isNull || right.isNull { return left.isNull != right.isNull }
    return Set(identified(left)) != Set(identified(right))
  }

  private func identified(_ children: ProtoRecord.Children) -> [Int] {
    children.protos.filter { protos[$0].identity != nil }
  }

  // MARK: What counts

  /// What a proto's effective dictionary has for its relationships, in the model's order.
  func effectiveChildren(_ proto: ProtoRecord) -> [ProtoRecord.Children] {
    if proto.effective.count == 1 { return proto.appearances[proto.effective[0]].children }
    var merged: [Int: ProtoRecord.Children] = [:]
    for appearance in proto.effective {
      for children in proto.appearances[appearance].children { merge(children, into: &merged) }
    }
    return schema.entities[proto.entity].relationships.compactMap { merged[$0] }
  }

  /// Property by property: the first to-one that is no null; the union of to-manys, with the keyless children of the
  /// first dictionary that has the list. Rule: `merge.strategy`.
  private func merge(_ children: ProtoRecord.Children, into merged: inout [Int: ProtoRecord.Children]) {
    guard var known = merged[children.relationship] else {
      merged[children.relationship] = children
      return
    }
    if schema.relationships[children.relationship].isToMany {
      var present = Set(known.protos)
      for child in identified(children) where present.insert(child).inserted { known.protos.append(child) }
      merged[children.relationship] = known
    } else if known.isNull {
      merged[children.relationship] = children
    }
  }

  /// What a proto's effective dictionary has for its attributes, by position.
  func effectiveAttributes(_ proto: ProtoRecord) -> [PathFinding?] {
    var result = proto.appearances[proto.effective[0]].findings.attributes
    for appearance in proto.effective.dropFirst() {
      for (position, finding) in proto.appearances[appearance].findings.attributes.enumerated() {
        if let finding, result[position]?.isNull ?? true, !(finding.isNull && result[position] != nil) {
          result[position] = finding
        }
      }
    }
    return result
  }

  /// Protos that only superseded dictionaries speak of are no records. Rule: `population.effective`.
  mutating func dropUnreachable() {
    var pending = roots
    for root in roots { protos[root].isReachable = true }
    while let proto = pending.popLast() {
      for children in effectiveChildren(protos[proto]) {
        for child in children.protos + children.unlinked where !protos[child].isReachable {
          protos[child].isReachable = true
          pending.append(child)
        }
      }
      if let parent = protos[proto].parent, !protos[parent].isReachable {
        protos[parent].isReachable = true
        pending.append(parent)
      }
    }
  }
}
