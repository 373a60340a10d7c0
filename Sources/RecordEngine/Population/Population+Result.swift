import RecordModel

/// The caller gets one record per item, and what changed. Rules: `population.results`, `request.changes`.
extension Population {
  mutating func result() -> PopulationResult {
    resolvePlaces()
    let changes = graph.changes()
    var summary = ImportChanges()
    summary.deleted = changes.deleted.map(\.id)
    var seen: Set<RecordID> = []
    for proto in protos {
      guard let id = proto.record, seen.insert(id).inserted else { continue }
      guard let stored = graph.storedRow(id) else {
        if graph.knownRow(id) != nil { summary.inserted.append(id) }
        continue
      }
      let properties = changedProperties(proto, id, stored)
      if !properties.isEmpty { summary.updated.append(ImportChanges.Update(id: id, properties: properties)) }
    }
    return PopulationResult(
      records: roots.compactMap { protos[$0].record }.filter { graph.knownRow($0) != nil }, changes: changes,
      summary: summary, diagnostics: diagnostics)
  }

  /// Attributes that changed, and relationships that the record's own dictionary names and that changed: what changed
  /// because an inverse did does not count.
  private mutating func changedProperties(_ proto: ProtoRecord, _ id: RecordID, _ stored: Row)
    -> [PropertyName]
  {
    guard let row = graph.knownRow(id) else { return [] }
    let entity = schema.entities[row.entity]
    var names = entity.attributes.filter { row.values[$0.column] != stored.values[$0.column] }.map(\.name)
    for children in proto.effective.children {
      let relationship = schema.relationships[children.relationship]
      let changed =
        relationship.slot.map { row.toOnes[$0] != stored.toOnes[$0] }
        ?? graph.hasMemberChange(of: relationship.index, owner: id)
      if changed { names.append(relationship.name) }
    }
    return names
  }
}
