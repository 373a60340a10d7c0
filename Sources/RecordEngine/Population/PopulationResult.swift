import RecordModel

/// What one response comes to: one record per item, and what changed. Rules: `population.results`, `request.changes`.
package struct PopulationResult: Sendable {
  /// One for each item, in the order of the response.
  package var records: [RecordID]
  /// The records that the response speaks of and that were there before, changed or not.
  package var known: [RecordID] = []
  package var changes = ChangeSet()
  package var summary = ImportChanges()
  package var diagnostics: [Diagnostic] = []
  /// What they were before the debugger judged them.
  package var noticed: [Diagnostic] = []
  /// What the pages so far have brought, for the next one; nil unless ``PopulationOptions/orphanPage`` was given.
  package var brought: BroughtRecords?
  /// The rows of `records`, where they have been saved and the store is known to have them as they were here.
  var rows: StoredRows?
  /// What is unsaved of responses then, level by level; nil where nothing was.
  var unsaved: [RestatedChanges]?

  /// What an answer comes to whose records are stored already.
  package init(stored records: [RecordID]) { self.records = records }

  init(
    _ populated: inout PopulatedGraph, diagnostics: [Diagnostic], noticed: [Diagnostic],
    brought: BroughtRecords?
  ) {
    changes = populated.graph.changes()
    self.diagnostics = diagnostics
    self.noticed = noticed
    self.brought = brought
    summary.deleted = changes.deleted.map(\.id)
    var isThere = Array(repeating: false, count: populated.protos.count)
    var isTold = Array(repeating: false, count: populated.graph.records.count)
    for index in populated.protos.elementIndices {
      guard let id = populated.protos[index].record, let recordIndex = populated.protos[index].recordIndex,
        !populated.graph.records[recordIndex].isDeleted, !populated.protos[index].isTombstone
      else { continue }
      isThere[for: index] = true
      if isTold[for: recordIndex] { continue }
      isTold[for: recordIndex] = true
      if populated.graph.records[recordIndex].isNew {
        summary.inserted.append(id)
        continue
      }
      known.append(id)
      let changes =
        populated.graph.isUntouched ? [] : populated.propertyChanges(of: index, id, at: recordIndex)
      if changes.isEmpty {
        summary.unchanged.append(id)
      } else {
        summary.updated.append(ImportChanges.Update(id: id, changes: changes))
      }
    }
    records = populated.summary.roots.compactMap { isThere[for: $0] ? populated.protos[$0].record : nil }
  }
}

extension PopulatedGraph {
  /// Attributes that changed, and relationships that the record's own dictionary names and that changed: what changed
  /// because an inverse did does not count.
  fileprivate mutating func propertyChanges(
    of proto: ProtoIndex, _ id: RecordID, at recordIndex: WorkingRecordIndex
  ) -> [PropertyChange] {
    let row = graph.records[recordIndex].row
    guard let stored = graph.records[recordIndex].stored else { return [] }
    var changes: [PropertyChange] = []
    if row.values != stored.values {
      changes = PropertyChange.attributes(stored, row, graph.schema.entities[row.entity])
    }
    for index in namedRelationships(of: proto, id) {
      if let slot = graph.schema.relationships[index].slot {
        let (from, to) = (stored.toOnes[slot], row.toOnes[slot])
        guard from != to else { continue }
        changes.append(
          PropertyChange(name: graph.schema.relationships[index].name, values: .toOne(from: from, to: to)))
      } else if let members = graph.memberChange(of: index, owner: id) {
        changes.append(
          PropertyChange(
            name: graph.schema.relationships[index].name,
            values: .toMany(added: Array(members.added), removed: Array(members.removed))))
      }
    }
    return changes
  }

  /// The relationships that the record's own dictionary, or its marshaler, has named.
  private func namedRelationships(of proto: ProtoIndex, _ id: RecordID) -> [RelationshipIndex] {
    let named = protos[proto].effective.children.map(\.relationship)
    guard !marshaledEnds.isEmpty else { return named }
    return graph.schema.entities[protos[proto].entity].relationships.filter {
      named.contains($0) || marshaledEnds.contains(RelationshipEnd(relationship: $0, owner: id))
    }
  }
}
