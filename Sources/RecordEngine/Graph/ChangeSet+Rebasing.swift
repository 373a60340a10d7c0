import OrderedCollections
import RecordModel

/// The change of one row.
private struct RowChange {
  /// nil if the record did not exist.
  var before: Row?
  /// nil if the record no longer exists.
  var after: Row?
}

/// The changes of one link.
private struct LinkChange {
  /// True if the changes add the link, false if they remove it.
  var isOwn: Bool?
  /// True if the save adds the link, false if it removes it.
  var isSaved: Bool?
  var isStored = false
}

extension ChangeSet {
  /// Returns the changes that lead from the state after a save to the state after these changes. The orders of members
  /// are as in these changes.
  ///
  /// In a child context, these changes start from what its parents show, and the save from what the store contains. The
  /// result leads from what the parents show after the save.
  ///
  /// - Parameters:
  ///   - save: the changes of the save.
  ///   - successors: for each record that these changes insert and a saved record replaces, the saved record.
  ///   - hidden: records that the save inserts and that do not exist in the state after these changes.
  ///   - kept: the properties that the caller has set in parent contexts, which show the same after the save.
  ///   - row: a closure that returns the row of a record that only the save changes, as it is without the save; nil if
  ///     the record does not exist.
  /// - Complexity: linear in the number of changes.
  func rebased(
    onto save: ChangeSet, replacing successors: [RecordID: RecordID], hiding hidden: Set<RecordID>,
    keeping kept: CallerChanges, _ schema: Schema, row: (RecordID) -> Row?
  ) -> ChangeSet {
    var result = ChangeSet()
    let renamed = replacing(successors)
    let (own, saved) = (renamed.rowChanges, save.rowChanges)
    let areSuccessors = Set(successors.values)
    let areDeleted = Set(save.deleted.lazy.map(\.id))
    // The records without links in the result.
    var unlinked = hidden
    for (id, ownChange) in own {
      let change = ownChange.withoutLosses(of: areDeleted, keeping: kept, schema)
      let isSuccessor = areSuccessors.contains(id)
      // A stored record that only the caller has deleted here stays as it is saved.
      if isSuccessor, change.before == nil, saved[id]?.before != nil || saved[id] == nil {
        unlinked.insert(id)
        continue
      }
      if change.after == nil { unlinked.insert(id) }
      guard let savedChange = saved[id] else {
        result.add(change)
        continue
      }
      let before = savedChange.applied(to: change.before, keeping: kept, schema)
      result.add(
        RowChange(before: before, after: before == nil ? change.leaving(kept, schema) : change.after))
    }
    for (id, savedChange) in saved where own[id] == nil {
      if savedChange.before == nil {
        if hidden.contains(id) { result.add(RowChange(before: savedChange.after)) }
        continue
      }
      guard let row = row(id) else { continue }
      let before = savedChange.applied(to: row, keeping: kept, schema)
      let unchanged = RowChange(before: row, after: row)
      result.add(RowChange(before: before, after: before == nil ? unchanged.leaving(kept, schema) : row))
    }
    result.addLinks(renamed, save, successors: areSuccessors, without: unlinked, keeping: kept)
    result.orderings = renamed.orderings
    return result
  }

  /// The changed rows by record. If a stored record replaces an inserted one, its row changes to that of the inserted
  /// one.
  private var rowChanges: OrderedDictionary<RecordID, RowChange> {
    var changes: OrderedDictionary<RecordID, RowChange> = [:]
    for row in inserted { changes[row.id, default: RowChange()].after = row }
    for update in updated {
      changes[update.after.id, default: RowChange(after: update.after)].before = update.before
    }
    for row in deleted { changes[row.id, default: RowChange()].before = row }
    return changes
  }

  private mutating func add(_ change: RowChange) {
    switch (change.before, change.after) {
    case (nil, let after?): inserted.append(after)
    case (let before?, nil): deleted.append(before)
    case (let before?, let after?) where before != after: updated.append(Update(before: before, after: after))
    default: break
    }
  }

  /// Adds the links that differ after changes and after a save.
  ///
  /// - Parameters:
  ///   - successors: the records that have only the links that `own` adds.
  ///   - unlinked: the records that get no links.
  private mutating func addLinks(
    _ own: ChangeSet, _ save: ChangeSet, successors: Set<RecordID>, without unlinked: Set<RecordID>,
    keeping kept: CallerChanges
  ) {
    var changes: OrderedDictionary<Link, LinkChange> = [:]
    for link in own.unlinked { changes[link, default: LinkChange()].isOwn = false }
    for link in save.unlinked { changes[link, default: LinkChange()].isSaved = false }
    // A link that one of them removes is stored.
    for link in changes.keys { changes[link]?.isStored = true }
    for link in own.linked { changes[link, default: LinkChange()].isOwn = true }
    for link in save.linked { changes[link, default: LinkChange()].isSaved = true }
    for (link, change) in changes where !unlinked.contains(link.owner) && !unlinked.contains(link.member) {
      let isOfSuccessor = successors.contains(link.owner) || successors.contains(link.member)
      let isHere = change.isOwn ?? (change.isStored && !isOfSuccessor)
      let isChanged = kept.sets(link) ? change.isOwn != nil : isHere != change.isSaved ?? change.isStored
      guard isChanged else { continue }
      if isHere { linked.append(link) } else { self.unlinked.append(link) }
    }
  }

  /// Replaces records that these changes insert by other records.
  private func replacing(_ successors: [RecordID: RecordID]) -> ChangeSet {
    guard !successors.isEmpty else { return self }
    var changes = self
    changes.inserted = inserted.map { $0.replacing(successors) }
    for index in updated.indices { changes.updated[index].after = updated[index].after.replacing(successors) }
    changes.linked = linked.map { $0.replacing(successors) }
    changes.orderings = orderings.map { $0.replacing(successors) }
    return changes
  }
}

extension RowChange {
  /// Returns another row of the record after this change. It keeps what this change does not set, and the properties that
  /// the caller has set in parent contexts.
  fileprivate func applied(to row: Row?, keeping kept: CallerChanges, _ schema: Schema) -> Row? {
    guard let before, let after, var row else { return after }
    if before.entity != after.entity { row.entity = after.entity }
    if before.isStub != after.isStub { row.isStub = after.isStub }
    for column in after.values.indices.lazy.map(ColumnIndex.init)
    where before.values[column] != after.values[column] && !kept.sets(column: column, of: row.id) {
      row.values[column] = after.values[column]
    }
    for (slot, relationship) in schema.trees[row.id.tree].slots
    where before.toOnes[slot] != after.toOnes[slot] {
      let end = RelationshipEnd(relationship: relationship, owner: row.id)
      let isKept = [row.toOnes[slot], after.toOnes[slot]].contains {
        kept.sets(end, to: $0, schema.relationships[relationship])
      }
      if !isKept { row.toOnes[slot] = after.toOnes[slot] }
    }
    return row
  }

  /// Returns this change without the to-one relationships that are empty only because the save deletes the target that
  /// the caller has set in a parent context. In the parent, that value no longer has an effect.
  fileprivate func withoutLosses(
    of deleted: Set<RecordID>, keeping kept: CallerChanges, _ schema: Schema
  ) -> RowChange {
    guard !deleted.isEmpty, !kept.isEmpty, let before, var after else { return self }
    for (slot, relationship) in schema.trees[before.id.tree].slots {
      guard after.toOnes[slot] == nil, let target = before.toOnes[slot], deleted.contains(target),
        kept.sets(RelationshipEnd(relationship: relationship, owner: before.id))
      else { continue }
      after.toOnes[slot] = target
    }
    return RowChange(before: before, after: after)
  }

  /// Returns the row after this change, without the to-one relationships that the caller has set in parent contexts and
  /// that this change does not set.
  fileprivate func leaving(_ kept: CallerChanges, _ schema: Schema) -> Row? {
    guard var row = after else { return nil }
    for (slot, relationship) in schema.trees[row.id.tree].slots
    where before?.toOnes[slot] == row.toOnes[slot]
      && kept.sets(RelationshipEnd(relationship: relationship, owner: row.id))
    {
      row.toOnes[slot] = nil
    }
    return row
  }
}
