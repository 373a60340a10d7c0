import OrderedCollections
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
  /// The records are judged together: a record that is deleted, too, does not prevent the deletion of another one.
  ///
  /// - Parameter spared: the records that no delete rule deletes. They are unlinked instead.
  /// - Returns: the records that are kept, with the reasons.
  mutating func deleteUnlessHeld(
    _ ids: [RecordID], sparing spared: Set<RecordID>
  ) throws(StoreError) -> [(row: Row, hold: Hold)] {
    let doomed = try cascade(from: ids, sparing: spared)
    var search = HoldSearch(doomed, from: ids)
    for row in doomed.compactMap({ knownRow($0) }) {
      for relationship in schema.entities[row.entity].relationships {
        try note(schema.relationships[relationship], of: row, sparing: spared, in: &search)
      }
    }
    try noteRequiringReferences(in: &search)
    try noteCounts(in: &search)
    let held = search.run()
    if held.isEmpty {
      for id in doomed { try remove(id) }
      return []
    }
    for id in try cascade(from: ids.filter({ held[$0] == nil }), sparing: spared) { try remove(id) }
    let kept = ids.enumerated().compactMap { index, id -> (index: Int, row: Row, round: Int, hold: Hold)? in
      guard let held = held[id], let row = knownRow(id) else { return nil }
      return (index: index, row: row, round: held.round, hold: held.hold)
    }
    return kept.sorted { ($0.round, $0.index) < ($1.round, $1.index) }.map { ($0.row, $0.hold) }
  }

  /// Adds the reasons why a doomed record may have to be kept because of one of its relationships.
  private mutating func note(
    _ relationship: SchemaRelationship, of row: Row, sparing spared: Set<RecordID>,
    in search: inout HoldSearch
  ) throws(StoreError) {
    let inverse = relationship.inverse.map { schema.relationships[$0] }
    var hold: Hold?
    switch relationship.deleteRule {
    case .noAction: return
    case .deny: hold = Hold(reason: .denied, relationship: relationship.index)
    case .nullify, .cascade:
      if let inverse, !inverse.isToMany, !inverse.isOptional {
        hold = Hold(reason: .required, relationship: relationship.index)
      }
    }
    let takes = relationship.deleteRule == .cascade
    let counted = inverse?.leastCount ?? 0 > 0 ? inverse : nil
    guard takes || hold != nil || counted != nil else { return }
    for member in try related(relationship.index, of: row) {
      let isDoomed = search.doomed.contains(member)
      if takes, !spared.contains(member) { search.take(member, with: row.id) }
      if isDoomed, takes || hold != nil {
        search.tie(row.id, to: member, takes ? nil : hold)
      } else if let hold {
        search.hold(row.id, hold)
      } else if let counted {
        search.lose(
          row.id, from: RelationshipEnd(relationship: counted.index, owner: member),
          Hold(reason: .required, relationship: relationship.index))
      }
    }
  }

  /// Adds the doomed records that other records require through relationships without inverse.
  private mutating func noteRequiringReferences(in search: inout HoldSearch) throws(StoreError) {
    let rows = search.doomed.compactMap { knownRow($0) }
    for (relationship, members) in relationshipsRequiring(rows) {
      let owners = try owners(of: relationship.index, members: members)
      try load(owners.joined())
      let hold = Hold(reason: .required, relationship: relationship.index)
      for (member, owners) in zip(members, owners) {
        for owner in owners {
          let mayLack = knownRow(owner).map { mayBeEmpty($0) } ?? true
          if relationship.isToMany {
            search.lose(member, from: RelationshipEnd(relationship: relationship.index, owner: owner), hold)
          } else if search.doomed.contains(owner) {
            search.tie(member, to: owner, hold, countsIfLeft: !mayLack)
          } else if !mayLack {
            search.hold(member, hold)
          }
        }
      }
    }
  }

  /// Adds the member counts of to-many relationships that may lose doomed records.
  private mutating func noteCounts(in search: inout HoldSearch) throws(StoreError) {
    let ends = search.losses.keys.sorted()
    try prepare(ends)
    for end in ends {
      guard let owner = knownRow(end.owner), !mayBeEmpty(owner) else { continue }
      let count = try members(of: end.relationship, owner: end.owner).count
      search.count(end, schema.relationships[end.relationship], members: count)
    }
  }
}
