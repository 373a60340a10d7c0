import RecordModel

/// The caller gets one record per item, and what changed. Rules: `population.results`, `request.changes`.
extension Population {
  mutating func result() -> PopulationResult {
    let changes = graph.changes()
    var summary = ImportChanges()
    summary.deleted = changes.deleted.map(\.id)
    var known: [RecordID] = []
    var isThere = Array(repeating: false, count: protos.count)
    var isTold = Array(repeating: false, count: graph.records.count)
    for index in protos.indices {
      let place = protos[index].place
      guard let id = protos[index].record, place >= 0, !graph.records[place].isDeleted,
        !protos[index].isTombstone
      else { continue }
      isThere[index] = true
      if isTold[place] { continue }
      isTold[place] = true
      if graph.records[place].isNew {
        summary.inserted.append(id)
        continue
      }
      known.append(id)
      let changes = graph.isUntouched ? [] : propertyChanges(index, id, place)
      if changes.isEmpty {
        summary.unchanged.append(id)
      } else {
        summary.updated.append(ImportChanges.Update(id: id, changes: changes))
      }
    }
    return PopulationResult(
      records: roots.compactMap { isThere[$0] ? protos[$0].record : nil }, known: known,
      changes: changes, summary: summary, diagnostics: diagnostics, brought: brought)
  }

  /// The rows of the records answered, once they have been saved; nil where something was deleted, since a store empties
  /// to-ones that lead to it and have no inverse.
  func savedRows(of result: PopulationResult, saves: Int64, before: Int64) -> StoredRows? {
    guard result.changes.deleted.isEmpty else { return nil }
    return StoredRows(
      rows: result.records.compactMap { graph.knownRow($0) }, saves: saves, savesBefore: before)
  }

  /// Attributes that changed, and relationships that the record's own dictionary names and that changed: what changed
  /// because an inverse did does not count.
  private mutating func propertyChanges(_ proto: Int, _ id: RecordID, _ place: Int) -> [PropertyChange] {
    let row = graph.records[place].row
    guard let stored = graph.records[place].stored else { return [] }
    var changes: [PropertyChange] = []
    if row.values != stored.values {
      changes = PropertyChange.attributes(stored, row, schema.entities[row.entity])
    }
    for index in namedRelationships(proto, id) {
      let relationship = schema.relationships[index]
      if let slot = relationship.slot {
        let (from, to) = (stored.toOnes[slot], row.toOnes[slot])
        guard from != to else { continue }
        changes.append(PropertyChange(name: relationship.name, values: .toOne(from: from, to: to)))
      } else if let members = graph.memberChange(of: index, owner: id) {
        changes.append(
          PropertyChange(
            name: relationship.name,
            values: .toMany(added: Array(members.added), removed: Array(members.removed))))
      }
    }
    return changes
  }

  /// The relationships that the record's own dictionary, or its marshaler, has named.
  private func namedRelationships(_ proto: Int, _ id: RecordID) -> [RelationshipIndex] {
    let named = protos[proto].effective.children.map(\.relationship)
    guard let ends = graphAccess?.changedEnds, !ends.isEmpty else { return named }
    return schema.entities[protos[proto].entity].relationships.filter {
      named.contains($0) || ends.contains(RelationshipEnd(relationship: $0, owner: id))
    }
  }
}
