import RecordModel

/// Relationships without inverse: a record knows nothing of those that lead to it, so the store is asked for them.
extension WorkingGraph {
  /// Returns the owners of members through a relationship without inverse, as they are now: oldest first.
  ///
  /// Asks the store once and goes over all changes once, however many members there are.
  mutating func owners(of relationship: RelationshipIndex, members: [RecordID]) throws(StoreError)
    -> [[RecordID]]
  {
    let value = schema.relationships[relationship]
    var owners: [RecordID: Set<RecordID>] = [:]
    for member in members where !isDeleted(member) { owners[member] = [] }
    let stored = members.filter { owners[$0] != nil && !isNew($0) }
    if !stored.isEmpty {
      for (member, found) in zip(stored, try reader.owners(of: value, members: stored)) {
        owners[member] = Set(found.filter { stillLeads(value, from: $0, to: member) })
      }
    }
    if let slot = value.slot {
      let tree = schema.entities[value.entity].tree
      for index in changed where records[index].row.id.tree == tree && !records[index].isDeleted {
        if let target = records[index].row.toOnes[slot] { owners[target]?.insert(records[index].row.id) }
      }
    } else {
      for position in changedLinks where links.states[position].isThere {
        let link = links.links[position]
        guard link.relationship == relationship, !isDeleted(link.owner) else { continue }
        owners[link.member]?.insert(link.owner)
      }
    }
    return members.map { (owners[$0] ?? []).sorted() }
  }

  /// Whether a relationship without inverse that leads from one stored record to another does so here.
  private func stillLeads(_ relationship: SchemaRelationship, from owner: RecordID, to member: RecordID)
    -> Bool
  {
    if isDeleted(owner) { return false }
    if let slot = relationship.slot { return knownRow(owner).map { $0.toOnes[slot] == member } ?? true }
    let link = Link(relationship, owner: owner, member: member)
    return links.position(of: link).map { links.states[$0].isThere } ?? true
  }

  /// Returns the relationships without inverse that may have too few members when records are deleted, each with those of
  /// the records that it may lead to.
  func relationshipsRequiring(
    _ rows: [Row]
  ) -> [(relationship: SchemaRelationship, members: [RecordID])] {
    guard !rows.isEmpty else { return [] }
    return schema.relationships.lazy.filter { $0.inverse == nil && $0.leastCount > 0 }.compactMap {
      relationship in
      let members = rows.lazy.filter { schema.isKind($0.entity, of: relationship.destination) }.map(\.id)
      return members.isEmpty ? nil : (relationship, Array(members))
    }
  }

  /// Takes records that have become of other entities out of the relationships without inverse that do not lead to these.
  /// With an inverse, a record has lost that along with its former entity.
  ///
  /// - Parameter former: the entities that the records were of before.
  mutating func leaveOthersRelationships(_ former: [RecordID: EntityIndex]) throws(StoreError) {
    let rows = former.keys.sorted().compactMap { knownRow($0) }.filter { $0.entity != former[$0.id] }
    guard !rows.isEmpty else { return }
    for relationship in schema.relationships where relationship.inverse == nil {
      let members = rows.filter { row in
        guard !schema.isKind(row.entity, of: relationship.destination), let entity = former[row.id] else {
          return false
        }
        return schema.isKind(entity, of: relationship.destination)
      }.map(\.id)
      guard !members.isEmpty else { continue }
      let owners = try owners(of: relationship.index, members: members)
      try load(owners.joined())
      for (member, owners) in zip(members, owners) {
        for owner in owners {
          if relationship.isToMany {
            try removePresentMember(member, from: relationship.index, of: owner)
          } else {
            try setToOne(relationship.index, of: owner, to: nil)
          }
        }
      }
    }
  }
}

extension SchemaRelationship {
  /// How few it may lead to where it is not empty, or has to lead to at least: 0 where there is no bound.
  var leastCount: Int { max(isToMany ? minCount : 0, isOptional ? 0 : 1) }

  /// How many more it would have to lead to. A minimum on an optional one binds only when it is not empty. Rule:
  /// `model.optional-count`.
  func shortfall(of count: Int) -> Int { count == 0 && isOptional ? 0 : max(0, leastCount - count) }
}
