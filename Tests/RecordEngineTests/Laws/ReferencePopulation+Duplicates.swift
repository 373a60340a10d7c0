import JSONTree
import RecordEngine
import RecordModel

/// The resolution of duplicates. Rules: `population.effective`, `merge.*`.
extension ReferencePopulation {
  mutating func settleDuplicates() {
    for proto in protos.indices {
      let mentions = protos[proto].mentions.sorted { $0.number < $1.number }
      let full = mentions.filter(\.isFull)
      guard let first = full.first else {
        var stub = mentions[0]
        let (entity, hasRivals) = settledEntity(protos[proto])
        stub.entity = entity
        if hasRivals { outcome.codes.insert(.inconsistentDuplicates) }
        protos[proto].effective = [stub]
        continue
      }
      if model.merge(first.entity) == .deep {
        for (index, other) in full.enumerated() where full[..<index].contains(where: { differ($0, other) }) {
          outcome.codes.insert(.inconsistentDuplicates)
        }
        protos[proto].effective = full
      } else {
        let alike = full.filter { $0.entity == first.entity }
        let most = alike.map(propertyCount).max()
        let fullest = alike.first { propertyCount($0) == most } ?? first
        if full.contains(where: { $0.number != fullest.number && differ(fullest, $0) }) {
          outcome.codes.insert(.inconsistentDuplicates)
        }
        protos[proto].effective = [fullest]
      }
      if protos[proto].effective.contains(where: { $0.entity != first.entity }) {
        outcome.openQuestion = "how dictionaries of two entities are merged deep"
      }
    }
  }

  /// Returns the number of properties that an item has, without a parent that is the key.
  private func propertyCount(_ mention: Mention) -> Int {
    mention.attributes.count
      + model.relationships(mention.entity).count {
        $0.name != model.keyRelationship(mention.entity)?.name
          && ReferenceValue.find($0.name, from: $0.from, in: mention.item) != nil
      }
  }

  /// Returns the entity of the first full mention. Without one, returns the most specific entity of the stubs that
  /// create a record, or the first if they are on different branches, which `hasRivals` indicates.
  /// Rules: `identity.sub-entity`, `identity.sub-entity.stubs`.
  func settledEntity(_ proto: Proto) -> (entity: EntityName, hasRivals: Bool) {
    let mentions = proto.mentions.sorted { $0.number < $1.number }
    if let full = mentions.first(where: \.isFull) { return (full.entity, false) }
    let making = mentions.filter(\.makesRecord)
    var entity = (making.first ?? mentions[0]).entity
    var hasRivals = false
    for other in making {
      if model.isKind(other.entity, of: entity) {
        entity = other.entity
      } else if !model.isKind(entity, of: other.entity) {
        hasRivals = true
      }
    }
    return (entity, hasRivals)
  }

  /// Returns a Boolean value that indicates whether two full dictionaries differ in a mapped property. With deep
  /// merging, only properties that both contain can differ. If the first has more properties, the other may lack some.
  func differ(_ left: Mention, _ right: Mention) -> Bool {
    let key = model.key(left.entity)?.properties ?? []
    let isDeep = model.merge(left.entity) == .deep
    if left.entity != right.entity { return true }
    let isFuller = !isDeep && propertyCount(left) > propertyCount(right)
    for attribute in model.attributes(left.entity) where !key.contains(attribute.name) {
      let values = [left, right].map { $0.attributes[attribute.name] }
      if isFuller, values[0] != nil, values[1] == nil { continue }
      if isDeep, values.contains(where: { $0 ?? .null == .null }) { continue }
      let converted = values.map { value in
        value.map { $0 == .null ? $0 : ReferenceValue.converted($0, to: attribute.type) }
      }
      if converted[0] != converted[1] { return true }
    }
    for relationship in model.relationships(left.entity) where !key.contains(relationship.name) {
      let children = [left, right].map { $0.children[relationship.name] }
      if isFuller, children[0] != nil, children[1] == nil { continue }
      if isDeep, relationship.isToMany || children.contains(where: { $0?.isNull ?? true }) { continue }
      let identified = children.map { children in
        children.map { Set($0.linked.filter { protos[$0].identity != nil }) }
      }
      if identified[0] != identified[1] || children[0]?.isNull != children[1]?.isNull { return true }
    }
    return false
  }

  /// Returns the effective value of an attribute: the first value other than null, a null if there is no other, or nil.
  func value(_ proto: Proto, _ name: PropertyName) -> JSONValue? {
    let found = proto.effective.compactMap { $0.attributes[name] }
    return found.first { $0 != .null } ?? found.first
  }

  /// Returns the effective value of a relationship. Rule: `merge.strategy`.
  func children(_ proto: Proto, _ relationship: RelationshipDescription) -> Children? {
    let found = proto.effective.compactMap { $0.children[relationship.name] }
    guard var result = found.first else { return nil }
    if !relationship.isToMany { return found.first { !$0.isNull } ?? result }
    for other in found.dropFirst() {
      result.isPartial = result.isPartial || other.isPartial
      result.linked += other.linked.filter { protos[$0].identity != nil && !result.linked.contains($0) }
    }
    return result
  }

  /// Returns the reachable protos in the order of the response.
  mutating func reachableProtos(from roots: [Int]) -> [Int] {
    var reachable = Set(roots)
    while true {
      var next = reachable
      for proto in reachable.map({ protos[$0] }) where !proto.isGone {
        for relationship in model.relationships(proto.entity) {
          guard let children = children(proto, relationship) else { continue }
          next.formUnion(children.linked + children.populated)
        }
        if let parent = proto.parent { next.insert(parent) }
      }
      if next == reachable { break }
      reachable = next
    }
    // The parents of tombstones, and their parents, are only looked up.
    for proto in reachable where protos[proto].isGone {
      var parent = protos[proto].parent
      while let current = parent, !reachable.contains(current) {
        reachable.insert(current)
        protos[current].isLookedUp = true
        protos[current].effective = [protos[current].effective[0]]
        protos[current].effective[0].isFull = false
        protos[current].effective[0].children = [:]
        parent = protos[current].parent
      }
    }
    func firstNumber(_ proto: Int) -> Int { protos[proto].mentions.map(\.number).min() ?? 0 }
    return reachable.sorted { firstNumber($0) < firstNumber($1) }
  }
}
