import OrderedCollections
import RecordModel

extension ManagedObjectContext {
  /// Applies the changes of a response as unsaved changes.
  ///
  /// - Parameters:
  ///   - reported: the changes that the response reports.
  ///   - named: the relationships that its items have named and changed.
  /// - Returns: the reported changes that are visible in this context. A property that the caller has changed keeps the
  ///   caller's value and does not count as changed. Records that the caller has deleted are left out.
  ///   Rules: `request.changes`, `context.conflict`.
  func take(
    _ changes: ChangeSet, _ reported: ImportChanges, naming named: OrderedSet<RelationshipEnd>
  ) -> ImportChanges {
    var reported = reported
    if hasCallerChanges { reported.deleted = existing(reported.deleted) }
    take(changes)
    noteNamed(named)
    reported = reported.replacing(allSuccessors)
    return hasCallerChanges ? visible(reported) : reported
  }

  private var hasCallerChanges: Bool { !unsaved.caller.isEmpty || parent?.hasCallerChanges ?? false }

  /// Returns the records that exist, and reads their rows in one batch.
  private func existing(_ ids: [RecordID]) -> [RecordID] {
    reading { () throws(StoreError) in try graph.load(ids) }
    return ids.filter { graph.knownRow($0) != nil }
  }

  private func visible(_ changes: ImportChanges) -> ImportChanges {
    var visible = changes
    visible.inserted = existing(changes.inserted)
    visible.unchanged = existing(changes.unchanged)
    visible.updated = []
    reading { () throws(StoreError) in try graph.load(changes.updated.lazy.map(\.id)) }
    for update in changes.updated {
      guard let row = graph.knownRow(update.id) else { continue }
      let properties = update.changes.compactMap { self.visible($0, row) }
      if properties.isEmpty {
        visible.unchanged.append(update.id)
      } else {
        visible.updated.append(ImportChanges.Update(id: update.id, changes: properties))
      }
    }
    return visible
  }

  private func visible(_ change: PropertyChange, _ row: Row) -> PropertyChange? {
    let entity = schema.entities[row.entity]
    switch change.values {
    case .attribute(_, let to):
      let attribute = entity.attributes.first { $0.name == change.name }
      if let attribute, row.values[attribute.column] != to { return nil }
      return change
    case .toOne(_, let to):
      let slot = relationship(change.name, entity).flatMap { schema.relationships[$0].slot }
      if let slot, row.toOnes[slot] != to { return nil }
      return change
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
