import RecordModel

/// Lists that replace: members that they do not name go, unless they name the owner themselves.
/// Rule: `relationships.replace`.
extension Population {
  /// Members that a list leaves out, of which is to be found out yet whether they may go.
  struct LeavingMembers {
    /// Keyed by the relationship, they are deleted: with the position of the list, in the order of the response.
    var deleted: [(member: RecordID, list: Int)] = []
    /// By the other end, which must have so many members: the owners of the lists, with the positions of these.
    var counted: [RelationshipEnd: [RecordID: Int]] = [:]
  }

  /// Takes out the members that may go whatever else the response says; the others are answered.
  mutating func removeOthers(_ statements: RelationshipStatements) throws(StoreError) -> LeavingMembers {
    var leaving = LeavingMembers()
    let brought = Set(protos.lazy.compactMap(\.record))
    let gone = Set(protos.lazy.filter(\.isTombstone).compactMap(\.record))
    for (position, list) in statements.lists.enumerated() where list.replaces {
      let relationship = schema.relationships[list.relationship]
      let inverse = relationship.inverse.map { schema.relationships[$0] }
      // Those that are gone are deleted after this.
      let named = gone.union(list.members)
      let others = try graph.members(of: list.relationship, owner: list.owner).filter { !named.contains($0) }
      try graph.load(others)
      for member in others where !states(member, list, statements) {
        guard let row = graph.knownRow(member) else { continue }
        if let inverse, schema.entities[row.entity].key == .relationship(inverse.index),
          !brought.contains(member)
        {
          leaving.deleted.append((member, position))
        } else if let inverse, !inverse.isToMany, !inverse.isOptional,
          !hasNewOwner(member, inverse.index, statements)
        {
          reportRequired(inverse, list)
        } else if let inverse, inverse.isToMany, inverse.leastCount > 0 {
          let end = RelationshipEnd(relationship: inverse.index, owner: member)
          leaving.counted[end, default: [:]][list.owner] = position
        } else {
          try graph.removePresentMember(member, from: list.relationship, of: list.owner)
        }
      }
    }
    return leaving
  }

  /// Takes out and deletes what may go, now that everything else is set that the response says of relationships.
  mutating func remove(
    _ leaving: LeavingMembers, _ statements: RelationshipStatements
  ) throws(StoreError) {
    let ends = leaving.counted.sorted {
      ($0.key.relationship, $0.key.owner) < ($1.key.relationship, $1.key.owner)
    }
    try graph.prepare(ends.lazy.map(\.key))
    for (end, all) in ends {
      let inverse = schema.relationships[end.relationship]
      let owners = Set(try graph.members(of: end.relationship, owner: end.owner))
      let lists = all.filter { owners.contains($0.key) }
      let count = owners.count - lists.count
      let mayLack = graph.knownRow(end.owner).map { graph.mayBeEmpty($0) } ?? true
      let missing = mayLack ? 0 : inverse.shortfall(of: count)
      // Of several, the oldest owners keep it, whatever the order of the response.
      for (number, (owner, position)) in lists.sorted(by: { $0.key < $1.key }).enumerated() {
        let list = statements.lists[position]
        if number < missing {
          reportRequired(inverse, list)
        } else {
          try graph.removePresentMember(end.owner, from: list.relationship, of: owner)
        }
      }
    }
    try delete(leaving.deleted, statements)
  }

  /// Deletes the members that are keyed by the relationship that they leave, judged together.
  private mutating func delete(
    _ leaving: [(member: RecordID, list: Int)], _ statements: RelationshipStatements
  ) throws(StoreError) {
    guard !leaving.isEmpty else { return }
    let lists = Dictionary(leaving.map { ($0.member, $0.list) }, uniquingKeysWith: { first, _ in first })
    for (id, hold) in try graph.deleteUnlessHeld(leaving.map(\.member), sparing: try broughtRecords()) {
      guard let list = lists[id].map({ statements.lists[$0] }) else { continue }
      let (code, reason): (DiagnosticCode, String) =
        switch hold.reason {
        case .denied: (.deniedDeletion, "a delete rule denies its deletion")
        case .required: (.requiredOwner, "a record that stays requires it")
        }
      report(
        code, entity: list.entity, property: schema.relationships[list.relationship].name,
        at: node(at: list.node), "a member that the response leaves out stays, because \(reason)")
    }
  }

  private mutating func reportRequired(_ inverse: SchemaRelationship, _ list: MemberList) {
    report(
      .requiredOwner, entity: list.entity, property: schema.relationships[list.relationship].name,
      at: node(at: list.node),
      "a member that the response leaves out stays, because it requires its '\(inverse.name)'")
  }
}
