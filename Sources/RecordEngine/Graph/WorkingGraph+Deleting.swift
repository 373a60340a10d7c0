import OrderedCollections

extension WorkingGraph {
  /// The violation of a `deny` rule by a deletion.
  struct Denial: Hashable {
    /// The record to be deleted, as it was before.
    var owner: Row
    var relationship: RelationshipIndex
    var count: Int
  }

  /// Deletes records and all records that their delete rules delete with them. Supports cycles.
  ///
  /// Members that a `deny` rule protects are unlinked nevertheless, so that no relationship leads to a deleted record.
  /// ``denials`` lists these violations, which prevent a save.
  mutating func delete(_ ids: [RecordID]) throws(StoreError) {
    let deletion = try deletion(of: ids, sparing: [])
    // Delete rules of a record that was never saved prevent nothing.
    for denial in deletion.denials where storedRow(denial.owner.id) != nil { deny(denial) }
    try carryOut(deletion)
  }

  mutating func carryOut(_ deletion: Deletion) throws(StoreError) {
    for (relationship, members) in deletion.abandoned {
      guard let inverse = schema.relationships[relationship].inverse else { continue }
      for member in members { excuse(RelationshipEnd(relationship: inverse, owner: member)) }
    }
    for id in deletion.doomed { try remove(id) }
  }

  struct Deletion {
    var doomed: OrderedSet<RecordID>
    var denials: [Denial] = []
    /// For each relationship with `noAction`, the members that lose their owner. They may lack it even if it is
    /// required.
    var abandoned: [(relationship: RelationshipIndex, members: [RecordID])] = []
  }

  /// Returns the records that a deletion deletes, and its violations. Processes the cascades level by level, with one
  /// query for each relationship of a level.
  mutating func deletion(
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
      // The rows of other members do not contain this relationship.
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

  /// Removes a record from every relationship, and deletes it.
  mutating func remove(_ id: RecordID) throws(StoreError) {
    guard let row = try row(id) else { return }
    for relationship in schema.entities[row.entity].relationships {
      try clear(relationship, of: id)
    }
    markDeleted(id)
  }
}
