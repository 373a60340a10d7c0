import OrderedCollections
import RecordModel

/// The change of one row.
private struct RowChange {
  /// nil if the record did not exist.
  var before: Row?
  /// nil if the record no longer exists.
  var after: Row?
}

extension ChangeSet {
  /// Returns the changes that lead from the state after a save to the state after these changes. Both start from the
  /// same state. The orders of members are as in these changes.
  ///
  /// - Parameters:
  ///   - saved: the changes of the save.
  ///   - successors: saved records that replace records that these changes insert. These changes may also delete the
  ///     saved record.
  ///   - hidden: records that the save inserts and that do not exist in the state after these changes.
  ///   - kept: the properties that the caller has set in parent contexts. The result does not change them unless these
  ///     changes do.
  ///   - row: a closure that returns the row of an existing record that only the save changes, as it is without the
  ///     save; nil if the record does not exist.
  /// - Complexity: linear in the number of changes.
  func rebased(
    onto saved: ChangeSet, replacing successors: [RecordID: RecordID], hiding hidden: Set<RecordID>,
    keeping kept: CallerChanges, _ schema: Schema, row: (Row) -> Row?
  ) -> ChangeSet {
    var result = ChangeSet()
    let replaced = replacing(successors)
    let (own, others) = (replaced.rowChanges, saved.rowChanges)
    let areReplaced = Set(successors.values)
    for (id, change) in own {
      let isNew = others[id].map { $0.before == nil } ?? false
      // A saved record that only the caller has hidden here stays as it is saved.
      if areReplaced.contains(id), change.before == nil, !isNew { continue }
      guard let other = others[id] else {
        result.add(change)
        continue
      }
      let before = other.applied(to: change.before)
      let after = areReplaced.contains(id) ? change.after : change.keeping(kept, before, schema)
      result.add(RowChange(before: before, after: after))
    }
    for (id, other) in others where own[id] == nil {
      guard let former = other.before else {
        if hidden.contains(id) { result.add(RowChange(before: other.after)) }
        continue
      }
      guard let row = row(former) else { continue }
      let before = other.applied(to: row)
      result.add(
        RowChange(before: before, after: RowChange(before: row, after: row).keeping(kept, before, schema)))
    }
    let deleted = Set(own.lazy.filter { $1.after == nil }.map(\.key)).union(hidden)
    result.addLinks(replaced, saved, replacing: areReplaced, without: deleted, keeping: kept)
    result.orderings = replaced.orderings
    return result
  }

  /// The changed rows by record. A record that is deleted and replaces an inserted one has both rows.
  private var rowChanges: OrderedDictionary<RecordID, RowChange> {
    var changes: OrderedDictionary<RecordID, RowChange> = [:]
    for row in inserted { changes[row.id, default: RowChange()].after = row }
    for update in updated { changes[update.after.id] = RowChange(before: update.before, after: update.after) }
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

  /// Adds the links that differ.
  ///
  /// - Parameters:
  ///   - replaced: the records that have only the links that `own` adds.
  ///   - deleted: the records that have no links.
  private mutating func addLinks(
    _ own: ChangeSet, _ saved: ChangeSet, replacing replaced: Set<RecordID>,
    without deleted: Set<RecordID>, keeping kept: CallerChanges
  ) {
    let (ownLinked, ownUnlinked) = (Set(own.linked), Set(own.unlinked))
    let (savedLinked, savedUnlinked) = (Set(saved.linked), Set(saved.unlinked))
    for link in OrderedSet(own.unlinked + own.linked + saved.linked + saved.unlinked) {
      let ends: Set = [link.owner, link.member]
      guard deleted.isDisjoint(with: ends) else { continue }
      let isOwn = ownLinked.contains(link) || ownUnlinked.contains(link)
      let wasThere = ownUnlinked.contains(link) || savedUnlinked.contains(link)
      let staysHere = !ownUnlinked.contains(link) && replaced.isDisjoint(with: ends)
      let isHere = ownLinked.contains(link) || wasThere && staysHere
      let isSaved = savedLinked.contains(link) || wasThere && !savedUnlinked.contains(link)
      guard isHere != isSaved, isOwn || !kept.sets(link) else { continue }
      if isHere { linked.append(link) } else { unlinked.append(link) }
    }
  }

  /// Replaces records that these changes insert by other records.
  private func replacing(_ successors: [RecordID: RecordID]) -> ChangeSet {
    guard !successors.isEmpty else { return self }
    func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
    var changes = self
    changes.inserted = inserted.map { $0.replacing(successors) }
    for index in updated.indices { changes.updated[index].after = updated[index].after.replacing(successors) }
    changes.linked = linked.map { $0.replacing(successors) }
    changes.orderings = orderings.map { ordering in
      Ordering(
        relationship: ordering.relationship, owner: now(ordering.owner), added: ordering.added.map(now),
        order: ordering.order?.map(now))
    }
    return changes
  }
}

extension RowChange {
  /// Returns another row of the record after this change. It keeps what this change does not set.
  fileprivate func applied(to row: Row?) -> Row? {
    guard let before, let after, var row else { return after }
    if before.entity != after.entity { row.entity = after.entity }
    if before.isStub != after.isStub { row.isStub = after.isStub }
    for column in after.values.indices where before.values[column] != after.values[column] {
      row.values[column] = after.values[column]
    }
    for slot in after.toOnes.indices where before.toOnes[slot] != after.toOnes[slot] {
      row.toOnes[slot] = after.toOnes[slot]
    }
    return row
  }

  /// Returns the row after this change, but with the saved values of properties that the caller of a parent has set and
  /// that this change does not set.
  fileprivate func keeping(_ kept: CallerChanges, _ saved: Row?, _ schema: Schema) -> Row? {
    guard !kept.isEmpty, let before, var row = after else { return after }
    if let saved {
      for column in schema.entities[row.entity].attributes.lazy.map(\.column)
      where before.values[column] == row.values[column] && kept.sets(column: column, of: row.id) {
        row.values[column] = saved.values[column]
      }
    }
    for (slot, relationship) in schema.trees[row.id.tree].toOnes.enumerated()
    where before.toOnes[slot] == row.toOnes[slot] {
      let end = RelationshipEnd(relationship: relationship, owner: row.id)
      let isKept = [row.toOnes[slot], saved?.toOnes[slot]].contains {
        kept.sets(end, to: $0, schema.relationships[relationship])
      }
      if isKept { row.toOnes[slot] = saved?.toOnes[slot] }
    }
    return row
  }
}

extension Row {
  fileprivate func replacing(_ successors: [RecordID: RecordID]) -> Row {
    Row(
      id: successors[id] ?? id, entity: entity, isStub: isStub, values: values,
      toOnes: toOnes.map { $0.map { successors[$0] ?? $0 } })
  }
}
