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
      guard let id = protos[index].record, place >= 0, !graph.records[place].isDeleted else { continue }
      isThere[index] = true
      if isTold[place] { continue }
      isTold[place] = true
      guard graph.records[place].stored != nil else {
        summary.inserted.append(id)
        continue
      }
      known.append(id)
      let properties = changedProperties(index, id, place)
      if !properties.isEmpty { summary.updated.append(ImportChanges.Update(id: id, properties: properties)) }
    }
    return PopulationResult(
      records: roots.compactMap { isThere[$0] ? protos[$0].record : nil }, known: known,
      changes: changes, summary: summary, diagnostics: diagnostics)
  }

  /// Attributes that changed, and relationships that the record's own dictionary names and that changed: what changed
  /// because an inverse did does not count.
  private mutating func changedProperties(_ proto: Int, _ id: RecordID, _ place: Int) -> [PropertyName] {
    let row = graph.records[place].row
    guard let stored = graph.records[place].stored else { return [] }
    var names: [PropertyName] = []
    if row.values != stored.values {
      let attributes = schema.entities[row.entity].attributes
      names = attributes.filter { row.values[$0.column] != stored.values[$0.column] }.map(\.name)
    }
    for children in protos[proto].effective.children {
      let relationship = children.relationship
      let changed =
        schema.relationships[relationship].slot.map { row.toOnes[$0] != stored.toOnes[$0] }
        ?? graph.hasMemberChange(of: relationship, owner: id)
      if changed { names.append(schema.relationships[relationship].name) }
    }
    return names
  }
}
