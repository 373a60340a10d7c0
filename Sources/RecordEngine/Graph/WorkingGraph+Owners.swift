import RecordModel

/// Relationships without inverse. A record does not know the relationships that lead to it, so the store is queried for
/// them.
extension WorkingGraph {
  /// Returns the current owners of members through a relationship without inverse, oldest first.
  ///
  /// Queries the store once and enumerates all changes once, regardless of the number of members.
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
        if link.relationship == relationship, !isDeleted(link.owner) {
          owners[link.member]?.insert(link.owner)
        }
      }
    }
    return members.map { (owners[$0] ?? []).sorted() }
  }

  /// Returns a Boolean value that indicates whether a relationship without inverse still leads from one stored record
  /// to another.
  private func stillLeads(_ relationship: SchemaRelationship, from owner: RecordID, to member: RecordID)
    -> Bool
  {
    if isDeleted(owner) { return false }
    if let slot = relationship.slot { return knownRow(owner).map { $0.toOnes[slot] == member } ?? true }
    let link = Link(relationship, owner: owner, member: member)
    return links.position(of: link).map { links.states[$0].isThere } ?? true
  }

  /// Returns the relationships without inverse that may have too few members after a deletion, each with the deleted
  /// records that it can lead to.
  func relationshipsRequiring(
    _ rows: [Row]
  ) -> [(relationship: SchemaRelationship, members: [RecordID])] {
    relationships(leadingTo: rows) { $0.leastCount > 0 }
  }

  /// Returns the relationships without inverse that can lead to some of the given records, each with these records.
  private func relationships(
    leadingTo rows: [Row], where isIncluded: (SchemaRelationship) -> Bool = { _ in true }
  ) -> [(relationship: SchemaRelationship, members: [RecordID])] {
    guard !rows.isEmpty else { return [] }
    return schema.relationships.filter { $0.inverse == nil && isIncluded($0) }.compactMap { relationship in
      let members = rows.lazy.filter { schema.isKind($0.entity, of: relationship.destination) }.map(\.id)
      return members.isEmpty ? nil : (relationship, Array(members))
    }
  }

  /// Removes records whose entity has changed from the relationships without inverse that do not lead to the new
  /// entity. Relationships with an inverse have been emptied when the entity changed.
  ///
  /// - Parameter former: the former entities of the records.
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
      try leaveOwners(of: relationship, members)
    }
  }

  /// Removes records from all relationships without inverse.
  ///
  /// - Parameter rows: the rows of the records. Their entities determine which relationships can lead to the records.
  mutating func leaveOwners(_ rows: [Row]) throws(StoreError) {
    for (relationship, members) in relationships(leadingTo: rows) {
      try leaveOwners(of: relationship, members)
    }
  }

  private mutating func leaveOwners(
    of relationship: SchemaRelationship, _ members: [RecordID]
  ) throws(StoreError) {
    guard !members.isEmpty else { return }
    let owners = try owners(of: relationship.index, members: members)
    try load(owners.joined())
    for (member, owners) in zip(members, owners) {
      for owner in owners {
        name(RelationshipEnd(relationship: relationship.index, owner: owner))
        if relationship.isToMany {
          try removePresentMember(member, from: relationship.index, of: owner)
        } else {
          try setToOne(relationship.index, of: owner, to: nil)
        }
      }
    }
  }
}

extension SchemaRelationship {
  /// The minimum number of members of a nonempty or required relationship; 0 if there is no minimum.
  var leastCount: Int { max(isToMany ? minCount : 0, isOptional ? 0 : 1) }

  /// Returns the number of missing members. The minimum of an optional relationship applies only if the relationship is
  /// not empty. Rule: `model.optional-count`.
  func shortfall(of count: Int) -> Int { count == 0 && isOptional ? 0 : max(0, leastCount - count) }
}
