import RecordModel

extension ManagedObjectContext {
  /// Takes the changes of a response as unsaved ones.
  ///
  /// - Parameter told: what the response tells of them.
  /// - Returns: those of them that are to be seen here. Where something was changed by hand, that stays, and the response has
  ///   changed nothing. Records that the caller has deleted are left out. Rules: `request.changes`, `context.conflict`.
  func take(_ changes: ChangeSet, _ told: ImportChanges) -> ImportChanges {
    var told = told
    if hasCallerChanges { told.deleted = present(told.deleted) }
    take(changes)
    told = told.replacing(allSuccessors)
    return hasCallerChanges ? seen(told) : told
  }

  private var hasCallerChanges: Bool { !unsaved.caller.isEmpty || parent?.hasCallerChanges ?? false }

  /// Those of the records that are there, their rows read in one go.
  private func present(_ ids: [RecordID]) -> [RecordID] {
    reading { () throws(StoreError) in try graph.load(ids) }
    return ids.filter { graph.knownRow($0) != nil }
  }

  private func seen(_ changes: ImportChanges) -> ImportChanges {
    var seen = changes
    seen.inserted = present(changes.inserted)
    seen.unchanged = present(changes.unchanged)
    seen.updated = []
    reading { () throws(StoreError) in try graph.load(changes.updated.lazy.map(\.id)) }
    for update in changes.updated {
      guard let row = graph.knownRow(update.id) else { continue }
      let properties = update.changes.compactMap { self.seen($0, row) }
      if properties.isEmpty {
        seen.unchanged.append(update.id)
      } else {
        seen.updated.append(ImportChanges.Update(id: update.id, changes: properties))
      }
    }
    return seen
  }

  private func seen(_ change: PropertyChange, _ row: Row) -> PropertyChange? {
    let entity = schema.entities[row.entity]
    switch change.values {
    case .attribute(_, let to):
      let attribute = entity.attributes.first { $0.name == change.name }
      return attribute.map { row.values[$0.column] == to } ?? true ? change : nil
    case .toOne(_, let to):
      let slot = relationship(change.name, entity).flatMap { schema.relationships[$0].slot }
      return slot.map { row.toOnes[$0] == to } ?? true ? change : nil
    case .toMany(let added, let removed):
      guard !added.isEmpty || !removed.isEmpty, let relationship = relationship(change.name, entity),
        let members = reading({ () throws(StoreError) in
          Set(try graph.members(of: relationship, owner: row.id))
        })
      else { return change }
      let (joined, left) = (added.filter(members.contains), removed.filter { !members.contains($0) })
      if joined.isEmpty && left.isEmpty { return nil }
      return PropertyChange(name: change.name, values: .toMany(added: joined, removed: left))
    }
  }

  private func relationship(_ name: PropertyName, _ entity: SchemaEntity) -> RelationshipIndex? {
    entity.relationships.first { schema.relationships[$0].name == name }
  }
}
