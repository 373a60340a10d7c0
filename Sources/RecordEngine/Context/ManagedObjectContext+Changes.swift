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
    let hasCallerChanges = hasCallerChanges
    if hasCallerChanges { reported.deleted = existing(reported.deleted) }
    var before = graph
    take(changes)
    noteNamed(named)
    reported = reported.replacing(allSuccessors)
    return hasCallerChanges ? visible(reported, before: &before) : reported
  }

  private var hasCallerChanges: Bool { !unsaved.caller.isEmpty || parent?.hasCallerChanges ?? false }

  /// Returns the records that exist, and reads their rows in one batch.
  private func existing(_ ids: [RecordID]) -> [RecordID] {
    reading { () throws(StoreError) in try graph.load(ids) }
    return ids.filter { graph.knownRow($0) != nil }
  }

  /// Returns the changes that this context shows.
  ///
  /// - Parameter before: the records as this context showed them before the response.
  private func visible(_ changes: ImportChanges, before: inout WorkingGraph) -> ImportChanges {
    var visible = changes
    visible.inserted = existing(changes.inserted)
    visible.unchanged = existing(changes.unchanged)
    visible.updated = []
    let ids = changes.updated.lazy.map(\.id)
    reading { () throws(StoreError) in
      try graph.load(ids)
      try before.load(ids)
    }
    let lists = changes.updated.flatMap { update in
      update.changes.compactMap { list($0, of: update.id) }
    }
    reading { () throws(StoreError) in
      try graph.prepare(lists)
      try before.prepare(lists)
    }
    for update in changes.updated {
      guard let row = graph.knownRow(update.id).map(graph.withoutDeletedTargets) else { continue }
      let properties = update.changes.compactMap { self.visible($0, row, before: &before) }
      if properties.isEmpty {
        visible.unchanged.append(update.id)
      } else {
        visible.updated.append(ImportChanges.Update(id: update.id, changes: properties))
      }
    }
    return visible
  }

  /// Returns the to-many relationship that a change of a record lists.
  private func list(_ change: PropertyChange, of id: RecordID) -> RelationshipEnd? {
    guard case .toMany = change.values, let row = graph.knownRow(id),
      let relationship = relationship(change.name, schema.entities[row.entity])
    else { return nil }
    return RelationshipEnd(relationship: relationship, owner: id)
  }

  private func visible(
    _ change: PropertyChange, _ row: Row, before: inout WorkingGraph
  ) -> PropertyChange? {
    let entity = schema.entities[row.entity]
    let former = before.knownRow(row.id).map(before.withoutDeletedTargets)
    var change = change
    switch change.values {
    case .attribute(var from, let to):
      let column = entity.attributes.first { $0.name == change.name }?.column
      guard let column, row.values[column] == to else { return nil }
      if let former { from = former.values[column] }
      change.values = .attribute(from: from, to: to)
      return from == to ? nil : change
    case .toOne(var from, let to):
      guard let slot = relationship(change.name, entity).flatMap({ schema.relationships[$0].slot }),
        row.toOnes[slot] == to
      else { return nil }
      if let former { from = former.toOnes[slot] }
      change.values = .toOne(from: from, to: to)
      return from == to ? nil : change
    case .toMany(let added, let removed):
      guard !added.isEmpty || !removed.isEmpty, let end = list(change, of: row.id) else { return change }
      let members = Set(members(of: end, in: &graph))
      let formerMembers = Set(self.members(of: end, in: &before))
      let joined = added.filter { members.contains($0) && !formerMembers.contains($0) }
      let left = removed.filter { !members.contains($0) && formerMembers.contains($0) }
      change.values = .toMany(added: joined, removed: left)
      return joined.isEmpty && left.isEmpty ? nil : change
    }
  }

  private func members(of end: RelationshipEnd, in graph: inout WorkingGraph) -> [RecordID] {
    reading { () throws(StoreError) in try graph.members(of: end.relationship, owner: end.owner) } ?? []
  }

  private func relationship(_ name: PropertyName, _ entity: SchemaEntity) -> RelationshipIndex? {
    entity.relationships.first { schema.relationships[$0].name == name }
  }
}
