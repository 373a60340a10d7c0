import JSONTree
import RecordModel

/// Duplicates are settled: each proto ends with what counts for it. Rules: `population.effective`, `merge.*`.
extension Population {
  mutating func settleDuplicates() {
    var isSettled = false
    while !isSettled {
      isSettled = true
      for proto in protos.indices where !protos[proto].others.isEmpty {
        settle(proto)
        // What a hook has answered may hold what fills a stub that was settled before.
        if mergesByHook { isSettled = false }
      }
    }
  }

  private var mergesByHook: Bool { hasMarshalers || options.mergeHook != nil }

  private mutating func settle(_ proto: Int) {
    // An item whose key is a parent that it names is known only after that parent, and all inside it, was met.
    let appearances = ([protos[proto].effective] + protos[proto].others).sorted { $0.order < $1.order }
    protos[proto].others = []
    var counting = appearances.first { $0.isFull } ?? appearances[0]
    var present: [RelationshipIndex: Set<Int>] = [:]
    let first = counting.order
    for other in appearances where other.isFull && other.order != first {
      if mergesByHook, let merged = merged(counting, other, of: proto) {
        counting = merged
        present = [:]
        continue
      }
      let mergesDeep = strategy(counting.entity) == .deep
      reportDifference(counting, other, mergesDeep: mergesDeep)
      if mergesDeep, other.entity == counting.entity { merge(other, into: counting, &present) }
    }
    // A stub takes the entity of the fuller item.
    if counting.isFull {
      protos[proto].entity = counting.entity
    } else {
      let (entity, rivals) = mostSpecific(appearances)
      protos[proto].entity = entity
      for (stub, rival) in rivals { reportDifference(stub, rival, mergesDeep: false) }
    }
    protos[proto].effective = counting
  }

  /// A proto once its duplicates are settled.
  struct Settled: Hashable {
    var entity: EntityIndex
    var isFull: Bool
  }

  /// The state of a proto once its duplicates are settled, unless a hook decides about them.
  func settledState(of proto: Int) -> Settled {
    let appearances = ([protos[proto].effective] + protos[proto].others).sorted { $0.order < $1.order }
    if let full = appearances.first(where: \.isFull) { return Settled(entity: full.entity, isFull: true) }
    return Settled(entity: mostSpecific(appearances).entity, isFull: false)
  }

  /// What a hook makes of two full dictionaries of one record; nil if it leaves that to the strategy.
  /// Rules: `merge.strategy`, `customise.merge`.
  private mutating func merged(
    _ first: ProtoRecord.Appearance, _ other: ProtoRecord.Appearance, of proto: Int
  ) -> ProtoRecord.Appearance? {
    let duplicates = DuplicateItems(
      entity: schema.entities[first.entity].name, first: dictionary(of: first),
      other: dictionary(of: other))
    var answer = options.mergeHook?(duplicates) ?? .standard
    if answer == .standard, options.mergeStrategy == nil,
      let marshaler = options.customisation.marshaler(of: first.entity)
    {
      answer = marshaler.merge(duplicates)
    }
    switch answer {
    case .first: return first
    case .other: return other
    case .dictionary(let json) where json.kind == .object:
      return appearance(of: JSONDocument(json).root, like: first, of: proto)
    case .standard, .dictionary: return nil
    }
  }

  private func dictionary(of appearance: ProtoRecord.Appearance) -> JSONNode {
    appearance.item.dictionary(of: schema.entities[appearance.entity])
  }

  /// What a merged dictionary says, in the place of the first of those that were merged.
  private mutating func appearance(
    of node: JSONNode, like first: ProtoRecord.Appearance, of proto: Int
  ) -> ProtoRecord.Appearance {
    let item = Item(node: node)
    let findings = ItemFindings(item, schema, entity: first.entity, found: &foundKeys)
    let appearance = ProtoRecord.Appearance(
      order: first.order, item: item, entity: first.entity, findings: findings, isFull: true)
    isMeetingMerged = true
    follow(appearance, of: proto)
    isMeetingMerged = false
    return appearance
  }

  private func strategy(_ entity: EntityIndex) -> MergeStrategy {
    options.mergeStrategy ?? schema.entities[entity].merge
  }

  /// The entity of a record that is known by stubs alone: the lowest on one line of descent, else the first, and the
  /// pairs that contradict each other. Stubs that make no record have no say, unless there are no others. Rule: `identity.sub-entity`.
  private func mostSpecific(
    _ stubs: [ProtoRecord.Appearance]
  ) -> (entity: EntityIndex, rivals: [(ProtoRecord.Appearance, ProtoRecord.Appearance)]) {
    let deciding = stubs.filter(\.makesRecord)
    guard var entity = deciding.first?.entity else { return (stubs[0].entity, []) }
    var rivals: [(ProtoRecord.Appearance, ProtoRecord.Appearance)] = []
    for stub in deciding where !schema.isKind(entity, of: stub.entity) {
      if schema.isKind(stub.entity, of: entity) {
        entity = stub.entity
      } else {
        rivals.append((deciding[0], stub))
      }
    }
    return (entity, rivals)
  }

  // MARK: Two full dictionaries of one record

  /// Reports where two dictionaries disagree, so that the graph depends on which one came first.
  /// Rule: `merge.inconsistent`.
  private mutating func reportDifference(
    _ left: ProtoRecord.Appearance, _ right: ProtoRecord.Appearance, mergesDeep: Bool
  ) {
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
    for (position, attribute) in entity.attributes.indexed where !isKey(position, entity.key) {
      if differs(
        left.findings.attribute(position), right.findings.attribute(position), attribute, left.entity,
        mergesDeep)
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

  func isKey(_ position: AttributeIndex, _ key: SchemaKey) -> Bool {
    if case .attributes(let positions) = key { positions.contains(position) } else { false }
  }

  private func differs(
    _ left: PathFinding?, _ right: PathFinding?, _ attribute: SchemaAttribute, _ entity: EntityIndex,
    _ mergesDeep: Bool
  ) -> Bool {
    if mergesDeep, left?.isNull ?? true || right?.isNull ?? true { return false }
    switch (left, right) {
    case (nil, nil): return false
    case (let left?, let right?):
      if left.isNull || right.isNull { return left.isNull != right.isNull }
      return value(of: left, attribute, entity) != value(of: right, attribute, entity)
    default: return true
    }
  }

  /// Nested items are compared by identity alone: what they say is settled where they are settled.
  private func differs(
    _ left: ProtoRecord.Children?, _ right: ProtoRecord.Children?, _ relationship: RelationshipIndex,
    _ mergesDeep: Bool
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

  // MARK: Merging

  /// Property by property, the first value that is not null. Rule: `merge.strategy`.
  ///
  /// - Parameter present: the records that the merged to-manys have already, by relationship, from call to call.
  private func merge(
    _ other: ProtoRecord.Appearance, into counting: ProtoRecord.Appearance,
    _ present: inout [RelationshipIndex: Set<Int>]
  ) {
    for position in schema.entities[other.entity].attributes.elementIndices {
      guard let finding = other.findings.attribute(position),
        counting.findings.attribute(position)?.isNull ?? true
      else { continue }
      counting.findings.setAttribute(position, finding)
    }
    for children in other.children { merge(children, into: &counting.children, &present) }
    if schema.entities[counting.entity].dictionaryAttribute != nil { counting.mergedItems.append(other.item) }
  }

  /// The first to-one that is no null; the union of to-manys, with the keyless children of the first dictionary that
  /// has the list.
  private func merge(
    _ children: ProtoRecord.Children, into all: inout [ProtoRecord.Children],
    _ present: inout [RelationshipIndex: Set<Int>]
  ) {
    guard let index = all.firstIndex(where: { $0.relationship == children.relationship }) else {
      all.append(children)
      all.sort { $0.relationship < $1.relationship }
      return
    }
    if schema.relationships[children.relationship].isToMany {
      let relationship = children.relationship
      if present[relationship] == nil { present[relationship] = Set(all[index].protos) }
      if children.isPartial { all[index].isPartial = true }
      for link in children.links where protos[link.proto].identity != nil {
        if present[relationship]?.insert(link.proto).inserted ?? false { all[index].links.append(link) }
      }
    } else if all[index].isNull {
      all[index] = children
    }
  }

  /// Protos that only superseded dictionaries speak of are no records, nor those of which only records speak that are
  /// gone. Rules: `population.effective`, `orphans.tombstone`.
  mutating func dropUnreachable() {
    for root in roots { protos[root].isReachable = true }
    var keysOfTombstones: [Int] = []
    // Nearly all have been met before those that they lead to: in that order, which is that of memory, one pass is enough
    // for them.
    var pending: [Int] = []
    for index in protos.indices where protos[index].isReachable {
      reachOthers(from: index, before: index, &pending, &keysOfTombstones)
      while let proto = pending.popLast() {
        reachOthers(from: proto, before: index, &pending, &keysOfTombstones)
      }
    }
    for proto in keysOfTombstones { lookUp(proto) }
  }

  /// A parent that only items name whose records are gone is looked up, for these to be found, and nothing else.
  private mutating func lookUp(_ proto: Int) {
    var next: Int? = proto
    while let current = next, !protos[current].isReachable {
      protos[current].isReachable = true
      protos[current].mayBeCreated = false
      protos[current].effective.isFull = false
      protos[current].effective.children = []
      next = protos[current].parent
    }
  }

  /// - Parameter passed: the proto up to which all have been gone over; those behind it wait for their turn.
  private mutating func reachOthers(
    from proto: Int, before passed: Int, _ pending: inout [Int], _ keysOfTombstones: inout [Int]
  ) {
    if protos[proto].isTombstone {
      if let parent = protos[proto].parent { keysOfTombstones.append(parent) }
      return
    }
    for children in protos[proto].effective.children {
      for link in children.links { reach(link.proto, before: passed, &pending) }
      for child in children.unlinked { reach(child, before: passed, &pending) }
    }
    if let parent = protos[proto].parent { reach(parent, before: passed, &pending) }
  }

  private mutating func reach(_ proto: Int, before passed: Int, _ pending: inout [Int]) {
    guard !protos[proto].isReachable else { return }
    protos[proto].isReachable = true
    if proto < passed { pending.append(proto) }
  }
}
