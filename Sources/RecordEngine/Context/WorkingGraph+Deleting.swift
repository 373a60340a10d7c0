extension WorkingGraph {
  /// Deletes a record and what its delete rules take with it, through cycles.
  ///
  /// - Parameter spared: records that no rule takes: they are unlinked instead.
  /// - Returns: the records whose `deny` rules forbid it; then nothing is changed.
  package mutating func delete(
    _ id: RecordID, sparing spared: Set<RecordID> = []
  ) throws(StoreError) -> [RecordID] {
    var doomed: [RecordID] = [id]
    var isDoomed: Set<RecordID> = [id]
    var denying: [(owner: RecordID, members: [RecordID])] = []
    var next = 0
    while next < doomed.count {
      let owner = doomed[next]
      next += 1
      guard let row = try row(owner) else { continue }
      for relationship in schema.entities[row.entity].relationships {
        switch schema.relationships[relationship].deleteRule {
        case .cascade:
          for member in try related(relationship, of: row)
          where !spared.contains(member) && isDoomed.insert(member).inserted {
            doomed.append(member)
          }
        case .deny: denying.append((owner, try related(relationship, of: row)))
        case .nullify, .noAction: break
        }
      }
    }
    let denied = denying.filter { $0.members.contains { !isDoomed.contains($0) } }.map(\.owner)
    guard denied.isEmpty else { return denied }
    for owner in doomed { try remove(owner) }
    return []
  }

  private mutating func related(_ relationship: Int, of row: Row) throws(StoreError) -> [RecordID] {
    if let slot = schema.relationships[relationship].slot { return row.toOnes[slot].map { [$0] } ?? [] }
    return try members(of: relationship, owner: row.id)
  }

  /// Takes the record out of every relationship, then out of the graph.
  private mutating func remove(_ id: RecordID) throws(StoreError) {
    guard let row = try row(id) else { return }
    for relationship in schema.entities[row.entity].relationships {
      try clear(relationship, of: id)
    }
    markDeleted(id)
  }
}
