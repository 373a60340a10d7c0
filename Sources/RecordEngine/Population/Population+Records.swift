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
      groups[for: scope].keys.append(key)
      groups[for: scope].protos.append(index)
    }
    var changing: [(row: Row, proto: Int)] = []
    for scope in schema.entities.elementIndices where !groups[for: scope].keys.isEmpty {
      let rows = try storedRows(scope, groups[for: scope].keys)
      graph.adopt(rows.lazy.compactMap(\.self))
      for (proto, row) in zip(groups[for: scope].protos, rows) {
        guard let row else { continue }
        protos[proto].tie(to: row.id, at: graph.knownPlace(row.id))
        if row.entity != protos[proto].entity { changing.append((row, proto)) }
      }
    }
    try adaptEntities(changing)
  }

  /// The rows with these keys. Stores find rows by the keys of their model; where a tweak has chosen another one, all
  /// rows of the entity are looked at, in one go. Rule: `tweaks.key`.
  func storedRows(_ scope: EntityIndex, _ keys: [RecordKey]) throws(StoreError) -> [Row?] {
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

  /// Stored records above or beside the entities of their items become of these, unless their items make no record.
  /// Rule: `identity.sub-entity`.
  mutating func adaptEntities(_ found: [(row: Row, proto: Int)]) throws(StoreError) {
    var changing: [(row: Row, proto: Int)] = []
    for (row, proto) in found where !schema.isKind(row.entity, of: protos[proto].entity) {
      if protos[proto].isTombstone || schema.entities[protos[proto].entity].isAbstract { continue }
      if protos[proto].mayBeCreated {
        changing.append((row, proto))
      } else {
        protos[proto].entity = row.entity
      }
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
    var owners: [RelationshipIndex: [RecordID]] = [:]
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
    // Of the children of one parent the first item finds the oldest, when the same response comes again.
    if hasParents { new.sort { protos[$0].effective.order < protos[$1].effective.order } }
    for (index, id) in zip(new, graph.insert(new.map { protos[$0].entity })) {
      if !protos[index].effective.isFull { graph.update(id) { $0.isStub = true } }
      protos[index].tie(to: id, at: graph.knownPlace(id))
    }
  }
}
