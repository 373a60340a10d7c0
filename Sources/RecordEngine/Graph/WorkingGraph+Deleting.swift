import OrderedCollections

extension WorkingGraph {
  /// Deletes records and all records that their delete rules delete with them. Supports cycles.
  mutating func delete(_ ids: [RecordID]) throws(StoreError) {
    for id in try cascade(from: ids, sparing: []) { try remove(id) }
  }

  /// Returns records and all records that their delete rules delete with them. Processes the cascades level by level, with one
  /// query for each relationship of a level.
  mutating func cascade(
    from ids: [RecordID], sparing spared: Set<RecordID>
  ) throws(StoreError) -> OrderedSet<RecordID> {
    try load(ids)
    var doomed = OrderedSet(ids.filter { knownRow($0) != nil })
    var next = 0
    while next < doomed.count {
      let level = doomed[next...].compactMap { knownRow($0) }
      next = doomed.count
      try prepareRelated(level)
      for row in level {
        for relationship in schema.entities[row.entity].relationships
        where schema.relationships[relationship].deleteRule == .cascade {
          doomed.append(contentsOf: try related(relationship, of: row).filter { !spared.contains($0) })
        }
      }
      try load(doomed[next...])
    }
    return doomed
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

  /// Removes a record from its relationships, and deletes it.
  ///
  /// If a `deny` rule protects the members of a relationship, they remain linked, so that a save finds them. No property shows
  /// these links. The rule does not apply to a record that was never saved. Rule: `save.delete-rules`.
  mutating func remove(_ id: RecordID) throws(StoreError) {
    guard let row = try row(id) else { return }
    for relationship in schema.entities[row.entity].relationships
    where schema.relationships[relationship].deleteRule != .deny || isNew(id) {
      try clear(relationship, of: id)
    }
    markDeleted(id)
  }
}
