import OrderedCollections

extension WorkingGraph {
  /// Records that a `deny` rule finds in the way of a deletion.
  struct Denial: Hashable {
    /// The record to be deleted, as it was.
    var owner: Row
    var relationship: RelationshipIndex
    var count: Int
  }

  /// Deletes records and what their delete rules take with them, through cycles.
  ///
  /// Members that a `deny` rule would keep are unlinked all the same, so that nothing leads to a deleted record, and are
  /// noted in `denials`, which no save passes.
  mutating func delete(_ ids: [RecordID]) throws(StoreError) {
    let deletion = try deletion(of: ids, sparing: [])
    // Nobody is asked about a record that was never saved.
    for denial in deletion.denials where storedRow(denial.owner.id) != nil { deny(denial) }
    try carryOut(deletion)
  }

  /// Why a record stays that was to be deleted.
  struct Hold: Hashable {
    enum Reason {
      /// A `deny` rule forbids its deletion.
      case denied
      /// A record that stays requires it.
      case required
    }

    var reason: Reason
    /// The relationship that leads from it, or from what its delete rules take with it, to what stays. One without inverse
    /// leads from what stays to it.
    var relationship: RelationshipIndex
  }

  /// Deletes records and what their delete rules take with them, all but those of which something must stay. They are
  /// judged together: what goes with one is not in the way of another.
  ///
  /// - Parameter spared: records that no rule takes: they are unlinked instead.
  /// - Returns: the records that stay, and why.
  mutating func deleteUnlessHeld(
    _ ids: [RecordID], sparing spared: Set<RecordID>
  ) throws(StoreError) -> [(id: RecordID, hold: Hold)] {
    var kept: [(id: RecordID, hold: Hold)] = []
    var rest = ids
    var references: [Reference]?
    while true {
      // What only those take with them that have turned out to stay, stays too: so once more.
      let deletion = try deletion(of: rest, sparing: spared)
      // Less is deleted each time, so that the store need not be asked again.
      if references == nil { references = try requiringReferences(to: deletion.doomed) }
      let holds = try holds(within: deletion.doomed, references ?? [])
      if holds.isEmpty {
        try carryOut(deletion)
        return kept
      }
      for id in rest { if let hold = holds[id] { kept.append((id, hold)) } }
      rest.removeAll { holds[$0] != nil }
    }
  }

  /// What a record that may be deleted is to one that may stay, through a relationship that is without inverse and must not
  /// lose it.
  private struct Reference {
    var relationship: SchemaRelationship
    var owner: RecordID
    var member: RecordID
  }

  private mutating func requiringReferences(to doomed: OrderedSet<RecordID>) throws(StoreError) -> [Reference]
  {
    var references: [Reference] = []
    for (relationship, members) in relationshipsRequiring(doomed.compactMap { knownRow($0) }) {
      for (member, owners) in zip(members, try owners(of: relationship.index, members: members)) {
        references += owners.map { Reference(relationship: relationship, owner: $0, member: member) }
      }
    }
    try load(references.lazy.map(\.owner))
    return references
  }

  /// Those of doomed records that have to stay: a reason leads from what stays to those that would take it with them, or
  /// may not go while it is there.
  private mutating func holds(
    within doomed: OrderedSet<RecordID>, _ references: [Reference]
  ) throws(StoreError) -> [RecordID: Hold] {
    var holds = Holds()
    for row in doomed.compactMap({ knownRow($0) }) {
      for relationship in schema.entities[row.entity].relationships {
        try note(schema.relationships[relationship], of: row, within: doomed, in: &holds)
      }
    }
    for reference in references where doomed.contains(reference.member) {
      let hold = Hold(reason: .required, relationship: reference.relationship.index)
      if reference.relationship.isToMany {
        guard !doomed.contains(reference.owner) else { continue }
        holds.lose(reference.member, reference.relationship.index, of: reference.owner, hold)
      } else if doomed.contains(reference.owner) {
        holds.tie(reference.member, to: reference.owner, hold)
      } else if let row = knownRow(reference.owner), !mayBeEmpty(row) {
        holds.hold(reference.member, hold)
      }
    }
    holds.spread()
    try holdWhatIsTooFew(&holds)
    return holds.holds
  }

  /// Notes why a doomed record has to stay, by one of its relationships.
  private mutating func note(
    _ relationship: SchemaRelationship, of row: Row, within doomed: OrderedSet<RecordID>,
    in holds: inout Holds
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
    let counted = hold == nil && inverse?.isToMany ?? false && inverse?.leastCount ?? 0 > 0 ? inverse : nil
    guard takes || hold != nil || counted != nil else { return }
    for member in try related(relationship.index, of: row) {
      if doomed.contains(member) {
        if takes || hold != nil { holds.tie(row.id, to: member, takes ? nil : hold) }
      } else if let hold {
        holds.hold(row.id, hold)
      } else if let counted {
        holds.lose(
          row.id, counted.index, of: member, Hold(reason: .required, relationship: relationship.index))
      }
    }
  }

  /// Of the members that relationships would lose and cannot, as many stay as they need, the oldest first.
  private mutating func holdWhatIsTooFew(_ holds: inout Holds) throws(StoreError) {
    let losses = holds.losses.sorted {
      ($0.key.relationship, $0.key.owner) < ($1.key.relationship, $1.key.owner)
    }
    try prepare(losses.lazy.map(\.key))
    for (end, lost) in losses {
      guard let owner = knownRow(end.owner), !mayBeEmpty(owner) else { continue }
      let going = lost.filter { holds.holds[$0.key] == nil }
      let count = try members(of: end.relationship, owner: end.owner).count - going.count
      let missing = schema.relationships[end.relationship].shortfall(of: count)
      for (member, hold) in going.sorted(by: { $0.key < $1.key }).prefix(missing) {
        holds.hold(member, hold)
        holds.spread()
      }
    }
  }

  private mutating func carryOut(_ deletion: Deletion) throws(StoreError) {
    for (relationship, members) in deletion.abandoned {
      guard let inverse = schema.relationships[relationship].inverse else { continue }
      for member in members { excuse(RelationshipEnd(relationship: inverse, owner: member)) }
    }
    for id in deletion.doomed { try remove(id) }
  }

  private struct Deletion {
    var doomed: OrderedSet<RecordID>
    var denials: [Denial] = []
    /// By relationship with `noAction`, the members that lose their owner and nobody minds.
    var abandoned: [(relationship: RelationshipIndex, members: [RecordID])] = []
  }

  /// What goes with records, a level of cascades at a time, each of which asks the store once for each relationship.
  private mutating func deletion(
    of ids: [RecordID], sparing spared: Set<RecordID>
  ) throws(StoreError) -> Deletion {
    try load(ids)
    var deletion = Deletion(doomed: OrderedSet(ids.filter { knownRow($0) != nil }))
    var judged: [(owner: Row, relationship: RelationshipIndex, members: [RecordID])] = []
    var next = 0
    while next < deletion.doomed.count {
      let level = deletion.doomed[next...].compactMap { knownRow($0) }
      next = deletion.doomed.count
      try prepareRelated(level)
      for row in level {
        for relationship in schema.entities[row.entity].relationships {
          let rule = schema.relationships[relationship].deleteRule
          guard rule != .nullify else { continue }
          let members = try related(relationship, of: row)
          if rule == .cascade {
            deletion.doomed.append(contentsOf: members.filter { !spared.contains($0) })
          } else if !members.isEmpty {
            judged.append((row, relationship, members))
          }
        }
      }
      try load(deletion.doomed[next...])
    }
    for (owner, relationship, members) in judged {
      let left = members.filter { !deletion.doomed.contains($0) }
      guard !left.isEmpty else { continue }
      if schema.relationships[relationship].deleteRule == .deny {
        deletion.denials.append(Denial(owner: owner, relationship: relationship, count: left.count))
      } else {
        deletion.abandoned.append((relationship, left))
      }
    }
    return deletion
  }

  mutating func prepareRelated(_ rows: [Row]) throws(StoreError) {
    var owners: [RelationshipIndex: [RecordID]] = [:]
    var related: [RecordID] = []
    for row in rows {
      for relationship in schema.entities[row.entity].relationships {
        if let slot = schema.relationships[relationship].slot {
          row.toOnes[slot].map { related.append($0) }
        } else {
          owners[relationship, default: []].append(row.id)
        }
      }
    }
    for (relationship, owners) in owners.sorted(by: { $0.key < $1.key }) {
      try prepareMembers(of: relationship, owners: owners)
      // Rows of the others say nothing of it.
      guard schema.relationships[relationship].isInverseToOne else { continue }
      for owner in owners { related += try members(of: relationship, owner: owner) }
    }
    try load(related)
  }

  mutating func related(_ relationship: RelationshipIndex, of row: Row) throws(StoreError) -> [RecordID] {
    guard let slot = schema.relationships[relationship].slot else {
      return try members(of: relationship, owner: row.id)
    }
    return row.toOnes[slot].map { isDeleted($0) ? [] : [$0] } ?? []
  }

  /// Takes the record out of every relationship, then out of the graph.
  mutating func remove(_ id: RecordID) throws(StoreError) {
    guard let row = try row(id) else { return }
    for relationship in schema.entities[row.entity].relationships {
      try clear(relationship, of: id)
    }
    markDeleted(id)
  }
}

/// Which of the records that are to be deleted have to stay, while that is found out.
private struct Holds {
  private(set) var holds: [RecordID: WorkingGraph.Hold] = [:]
  /// By member: who has to stay if it does, and why; without a reason of its own, for that of the member.
  private var holders: [RecordID: [(owner: RecordID, hold: WorkingGraph.Hold?)]] = [:]
  /// By to-many of a record that stays: the members that it would lose.
  private(set) var losses: [RelationshipEnd: [RecordID: WorkingGraph.Hold]] = [:]
  private var pending: [RecordID] = []

  mutating func hold(_ id: RecordID, _ hold: WorkingGraph.Hold) {
    guard holds[id] == nil else { return }
    holds[id] = hold
    pending.append(id)
  }

  mutating func tie(_ owner: RecordID, to member: RecordID, _ hold: WorkingGraph.Hold?) {
    holders[member, default: []].append((owner, hold))
  }

  mutating func lose(
    _ id: RecordID, _ relationship: RelationshipIndex, of owner: RecordID, _ hold: WorkingGraph.Hold
  ) {
    losses[RelationshipEnd(relationship: relationship, owner: owner), default: [:]][id] = hold
  }

  /// Holds all that may not go while something that is held stays.
  mutating func spread() {
    while let member = pending.popLast() {
      for (owner, reason) in holders[member] ?? [] {
        if let reason = reason ?? holds[member] { hold(owner, reason) }
      }
    }
  }
}
