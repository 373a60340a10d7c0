import RecordModel

extension WorkingGraph {
  /// The reason why a record that was to be deleted is kept.
  struct Hold: Hashable {
    enum Reason {
      /// A `deny` rule prevents the deletion.
      case denied
      /// A record that is kept requires this one.
      case required
    }

    var reason: Reason
    /// The relationship that leads from this record, or from a record that its cascades delete, to the record that
    /// prevents the deletion. A relationship without inverse leads from that record to this one.
    var relationship: RelationshipIndex
  }

  /// Deletes records and all records that their delete rules delete with them, except for records that must be kept.
  ///
  /// - The records are judged together: a record that is deleted, too, does not prevent the deletion of another one.
  /// - A record is kept if its cascades would delete one that is kept, and the records that only its own cascades would delete are
  ///   kept with it.
  /// - If a to-many relationship would have too few members, all of them are kept.
  ///
  /// - Parameter spared: the records that no delete rule deletes. They are unlinked instead.
  /// - Returns: those of the given records that are kept, with the reasons.
  mutating func deleteUnlessHeld(
    _ ids: [RecordID], sparing spared: Set<RecordID>
  ) throws(StoreError) -> [(row: Row, hold: Hold)] {
    var search = HoldSearch(try cascade(from: ids, sparing: spared))
    var losses: [RelationshipEnd: [Loss]] = [:]
    let roots = Set(ids)
    for row in search.doomed.compactMap({ knownRow($0) }) {
      for relationship in schema.entities[row.entity].relationships.map({ schema.relationships[$0] }) {
        let members = try related(relationship.index, of: row)
        if relationship.deleteRule == .cascade {
          for member in members where !spared.contains(member) && !roots.contains(member) {
            search.tie(member, to: row.id, nil)
          }
        }
        note(members, of: relationship, of: row.id, in: &search, &losses)
      }
    }
    try noteRequiringReferences(in: &search, &losses)
    try noteCounts(losses, in: &search)
    search.run()
    for id in search.doomed where search.held[id] == nil { try remove(id) }
    return ids.compactMap { id in
      guard let hold = search.held[id], let row = knownRow(id) else { return nil }
      return (row, hold)
    }
  }

  /// A member that a to-many relationship loses by a deletion.
  private typealias Loss = (member: RecordID, hold: Hold)

  /// Adds the reasons why a doomed record may have to be kept because of the members of one of its relationships.
  private func note(
    _ members: [RecordID], of relationship: SchemaRelationship, of id: RecordID, in search: inout HoldSearch,
    _ losses: inout [RelationshipEnd: [Loss]]
  ) {
    let inverse = relationship.inverse.map { schema.relationships[$0] }
    let required = Hold(reason: .required, relationship: relationship.index)
    var hold: Hold?
    switch relationship.deleteRule {
    case .noAction: return
    case .deny: hold = Hold(reason: .denied, relationship: relationship.index)
    case .nullify, .cascade:
      if let inverse, !inverse.isToMany, !inverse.isOptional { hold = required }
    }
    let isCascade = relationship.deleteRule == .cascade
    for member in members {
      if search.doomed.contains(member), isCascade || hold != nil {
        search.tie(id, to: member, isCascade ? nil : hold)
      } else if let hold {
        search.hold(id, hold)
      } else if let inverse, inverse.leastCount > 0 {
        losses[RelationshipEnd(relationship: inverse.index, owner: member), default: []].append(
          (id, required))
      }
    }
  }

  /// Adds the doomed records that other records require through relationships without inverse.
  private mutating func noteRequiringReferences(
    in search: inout HoldSearch, _ losses: inout [RelationshipEnd: [Loss]]
  ) throws(StoreError) {
    let rows = search.doomed.compactMap { knownRow($0) }
    for (relationship, members) in relationshipsRequiring(rows) {
      let owners = try owners(of: relationship.index, members: members)
      try load(owners.joined())
      let hold = Hold(reason: .required, relationship: relationship.index)
      for (member, owners) in zip(members, owners) {
        for owner in owners {
          if relationship.isToMany {
            losses[RelationshipEnd(relationship: relationship.index, owner: owner), default: []]
              .append((member, hold))
          } else if let row = knownRow(owner), !mayBeEmpty(row) {
            keep(member, with: owner, hold, in: &search)
          }
        }
      }
    }
  }

  /// Adds the members that must be kept because a to-many relationship would have too few.
  private mutating func noteCounts(
    _ losses: [RelationshipEnd: [Loss]], in search: inout HoldSearch
  ) throws(StoreError) {
    let losses = losses.sorted { $0.key < $1.key }
    try prepare(losses.map(\.key))
    for (end, lost) in losses {
      guard let owner = knownRow(end.owner), !mayBeEmpty(owner) else { continue }
      let relationship = schema.relationships[end.relationship]
      let count = try members(of: end.relationship, owner: end.owner).count - lost.count
      if relationship.shortfall(of: count) > 0 {
        for loss in lost { keep(loss.member, with: end.owner, loss.hold, in: &search) }
      } else if count == 0, relationship.shortfall(of: 1) > 0 {
        // An optional relationship can lose all members, or none.
        for (loss, other) in zip(lost, lost[1...] + lost[..<1]) {
          search.tie(loss.member, to: other.member, loss.hold)
        }
      }
    }
  }

  /// Keeps a record unless a record that requires it is deleted.
  private func keep(
    _ id: RecordID, with owner: RecordID, _ hold: Hold, in search: inout HoldSearch
  ) {
    if search.doomed.contains(owner) { search.tie(id, to: owner, hold) } else { search.hold(id, hold) }
  }
}
