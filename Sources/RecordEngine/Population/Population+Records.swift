import OrderedCollections
import RecordModel

/// Protos find their records, or get new ones. Rules: `population.fetch`, `population.associate`, `population.create`.
extension Population {
  // MARK: By key

  /// One fetch per group brings in every stored record whose key is among the group's keys.
  mutating func fetchStored() throws(StoreError) {
    // By scope, which is an entity.
    var groups = Array(repeating: Group(), count: schema.entities.count)
    for index in protos.indices where protos[index].isReachable {
      guard case .key(let scope, let key)? = protos[index].identity else { continue }
      groups[scope].keys.append(key)
      groups[scope].protos.append(index)
    }
    var changing: [(row: Row, proto: Int)] = []
    for scope in groups.indices where !groups[scope].keys.isEmpty {
      let rows = try storedRows(scope, groups[scope].keys)
      graph.adopt(rows.lazy.compactMap(\.self))
      for (proto, row) in zip(groups[scope].protos, rows) {
        guard let row else { continue }
        protos[proto].tie(to: row.id, at: graph.knownPlace(row.id))
        if row.entity != protos[proto].entity { changing.append((row, proto)) }
      }
    }
    try adaptEntities(changing)
  }

  /// The rows with these keys. Stores find rows by the keys of their model; where a tweak has chosen another one, all
  /// rows of the entity are looked at, in one go. Rule: `tweaks.key`.
  func storedRows(_ scope: Int, _ keys: [RecordKey]) throws(StoreError) -> [Row?] {
    guard schema.tweakedKeyScopes.contains(scope) else {
      return try graph.reader.rows(scope: scope, keys: keys)
    }
    var found: [RecordKey: Row?] = Dictionary(keys.map { ($0, nil) }, uniquingKeysWith: { first, _ in first })
    // The oldest first, which is the one that is found, as by the keys of the model.
    for row in try graph.reader.rows(of: scope) where schema.entities[row.entity].keyScope == scope {
      if let key = row.key(in: schema), let known = found[key], known == nil { found[key] = row }
    }
    return keys.map { found[$0] ?? nil }
  }

  private struct Group {
    var keys: [RecordKey] = []
    var protos: [Int] = []
  }

  /// Stored records above or beside the entities of their items become of these. Rule: `identity.sub-entity`.
  mutating func adaptEntities(_ found: [(row: Row, proto: Int)]) throws(StoreError) {
    let changing = found.filter { row, proto in
      let wanted = protos[proto].entity
      return !schema.isKind(row.entity, of: wanted) && !schema.entities[wanted].isAbstract
        && !protos[proto].isTombstone
    }
    guard !changing.isEmpty else { return }
    try prepareLosses(changing)
    try graph.changeEntities(changing.map { (id: $0.row.id, entity: protos[$0.proto].entity) })
    for (row, proto) in changing {
      let wanted = protos[proto].entity
      report(
        .entityChanged, entity: wanted, at: protos[proto].effective.item.node,
        "the stored '\(schema.entities[row.entity].name)' became a '\(schema.entities[wanted].name)'")
    }
  }

  /// Reads the members of the relationships that records are about to lose, a relationship at a time.
  private mutating func prepareLosses(_ changing: [(row: Row, proto: Int)]) throws(StoreError) {
    var owners: [Int: [RecordID]] = [:]
    var related: [RecordID] = []
    for (row, proto) in changing {
      let kept = Set(schema.entities[protos[proto].entity].relationships)
      for relationship in schema.entities[row.entity].relationships where !kept.contains(relationship) {
        if let slot = schema.relationships[relationship].slot {
          row.toOnes[slot].map { related.append($0) }
        } else {
          owners[relationship, default: []].append(row.id)
        }
      }
    }
    for (relationship, owners) in owners.sorted(by: { $0.key < $1.key }) {
      try graph.prepareMembers(of: relationship, owners: owners)
      for owner in owners { related += try graph.members(of: relationship, owner: owner) }
    }
    try graph.load(related)
  }

  // MARK: By parent

  /// Children keyed by a parent are tied to what the parent already has, from the root down.
  mutating func associateChildren() throws(StoreError) {
    for level in childrenByDepth() {
      let parents = level.compactMap { index in protos[index].parent.flatMap { protos[$0].record } }
      try graph.load(parents)
      try associateOnlyChildren(level)
      try associateListedChildren(level)
    }
  }

  /// A parent that is gone, or is neither stored nor can be made, is none. Rule: `identity.relationship-key.root`.
  mutating func dropMissingParents() {
    for index in protos.indices {
      guard let parent = protos[index].parent,
        protos[parent].isTombstone
          || (protos[parent].record == nil && schema.entities[protos[parent].entity].isAbstract)
      else { continue }
      protos[index].parent = nil
      protos[index].identity = nil
      protos[index].missingKey = .noParent
    }
  }

  /// Protos with a parent, those whose parents have none first: a parent is settled before its children.
  private func childrenByDepth() -> [[Int]] {
    var levels: [[Int]] = []
    for index in protos.indices where protos[index].parent != nil && protos[index].isReachable {
      var level = -1
      var current = index
      while let parent = protos[current].parent {
        level += 1
        current = parent
      }
      while levels.count <= level { levels.append([]) }
      levels[level].append(index)
    }
    return levels
  }

  private mutating func associateOnlyChildren(_ level: [Int]) throws(StoreError) {
    var found: [(proto: Int, child: RecordID)] = []
    for index in level {
      guard case .onlyChild(let parent, let relationship)? = protos[index].identity,
        let slot = schema.relationships[relationship].inverse.flatMap({ schema.relationships[$0].slot }),
        let owner = protos[parent].record, let place = graph.knownPlace(owner),
        let child = graph.records[place].row.toOnes[slot]
      else { continue }
      found.append((index, child))
    }
    try graph.load(found.map(\.child))
    var changing: [(row: Row, proto: Int)] = []
    for (proto, child) in found {
      guard let row = graph.knownRow(child) else { continue }
      if case .new? = childAnswer(proto, among: [child]) { continue }
      protos[proto].tie(to: child, at: graph.knownPlace(child))
      changing.append((row, proto))
    }
    try adaptEntities(changing)
  }

  // MARK: By parent and content

  /// A stored child is matched by the attributes that an item has; one index for each combination of them.
  private mutating func associateListedChildren(_ level: [Int]) throws(StoreError) {
    var items: OrderedDictionary<ListedParent, [Int]> = [:]
    for index in level {
      guard case .child(let parent, let relationship, _)? = protos[index].identity,
        let owner = protos[parent].record, graph.storedRow(owner) != nil,
        let inverse = schema.relationships[relationship].inverse
      else { continue }
      items[ListedParent(relationship: inverse, owner: owner), default: []].append(index)
    }
    for (relationship, owners) in Dictionary(grouping: items.keys, by: \.relationship).sorted(by: {
      $0.key < $1.key
    }) {
      let members = try graph.reader.members(of: relationship, owners: owners.map(\.owner))
      try graph.load(members.joined())
      for (owner, children) in zip(owners, members) where !children.isEmpty {
        match(items[owner] ?? [], with: children)
      }
    }
  }

  private struct ListedParent: Hashable {
    var relationship: Int
    var owner: RecordID
  }

  private mutating func match(_ items: [Int], with children: [RecordID]) {
    var indices: [[Int]: [[AttributeValue?]: [RecordID]]] = [:]
    var claimed: Set<RecordID> = []
    for proto in items {
      guard case .child(_, _, let content)? = protos[proto].identity else { continue }
      let attributes = schema.entities[protos[proto].entity].attributes
      let positions = content.attributes.indices.filter { content.attributes[$0] != nil }
      let columns = positions.map { attributes[$0].column }
      if let answer = childAnswer(proto, among: children.filter { !claimed.contains($0) }) {
        if case .child(let child) = answer, children.contains(child.recordID),
          claimed.insert(child.recordID).inserted
        {
          protos[proto].tie(to: child.recordID, at: graph.knownPlace(child.recordID))
        }
        continue
      }
      if indices[columns] == nil {
        var index: [[AttributeValue?]: [RecordID]] = [:]
        for child in children {
          guard let row = graph.knownRow(child), schema.isKind(row.entity, of: protos[proto].entity) else {
            continue
          }
          index[columns.map { row.values[$0] }, default: []].append(child)
        }
        indices[columns] = index
      }
      let wanted = positions.map { content.attributes[$0] ?? nil }
      let candidates = content.unmapped.isEmpty ? indices[columns]?[wanted] ?? [] : []
      if let child = candidates.first(where: { claimed.insert($0).inserted }) {
        protos[proto].tie(to: child, at: graph.knownPlace(child))
      } else {
        report(
          .unmatchedChild, entity: protos[proto].entity,
          at: protos[proto].effective.item.node,
          "the parent has children, and none equals the item, so "
            + (protos[proto].isTombstone ? "none was deleted" : "another one was made"))
      }
    }
  }

  // MARK: New ones

  mutating func createRecords() {
    var isRoot = Array(repeating: false, count: protos.count)
    for root in roots { isRoot[root] = true }
    var new: [Int] = []
    for index in protos.indices where protos[index].isReachable && protos[index].record == nil {
      if protos[index].isTombstone { continue }
      if schema.entities[protos[index].entity].isAbstract {
        // Whoever refers to it reports that it is missing; an item of the response has nobody else to.
        if isRoot[index] {
          reportNoEntity(protos[index].entity, protos[index].effective.item.node)
          leftOut.insert(protos[index].entity)
        }
      } else if protos[index].mayBeCreated || protos[index].effective.isFull {
        new.append(index)
      }
    }
    for (index, id) in zip(new, graph.insert(new.map { protos[$0].entity })) {
      if !protos[index].effective.isFull { graph.update(id) { $0.isStub = true } }
      protos[index].tie(to: id, at: graph.knownPlace(id))
    }
  }
}
