import OrderedCollections
import RecordModel

extension UnsavedChanges {
  /// Replaces records that responses have inserted by saved records with the same keys, which have been saved in the
  /// meantime. Rules: `save.child`, `save.concurrent`.
  ///
  /// Unsaved values of responses are older than the saved values. They count only where the saved record has no value
  /// or is a stub. Values that the caller has set always stay. These records are not replaced:
  ///
  /// - a record that the caller has inserted, or whose key the caller has set
  /// - a record that the deletions of the caller delete
  ///
  /// A record is never replaced by a saved record that is deleted here, or whose key the caller has set.
  ///
  /// - Parameters:
  ///   - deleted: records that a response is about to delete.
  ///   - isDeleted: a closure that returns whether the deletions of the caller delete a new record.
  /// - Returns: the saved record for each record that has been replaced.
  /// - Complexity: linear in the number of new records, plus one query for each key scope.
  mutating func meetSaved(
    _ schema: Schema, _ reader: any StoreReader, deleting deleted: OrderedSet<RecordID>,
    isDeleted: (RecordID) -> Bool
  ) throws(StoreError) -> [RecordID: RecordID] {
    var keyed: OrderedDictionary<EntityIndex, [(key: RecordKey, row: Row)]> = [:]
    for row in responses.inserted where !isDeleted(row.id) {
      guard !callerSetsKey(of: row, schema), let key = row.key(in: schema) else { continue }
      keyed[schema.entities[row.entity].keyScope, default: []].append((key, row))
    }
    var saved: [RecordID: Row] = [:]
    for (scope, rows) in keyed {
      for (found, (_, row)) in zip(try reader.rows(scope: scope, keys: rows.map(\.key)), rows) {
        guard let found, found.id != row.id, !responses.deleted.contains(found.id),
          !deleted.contains(found.id),
          !caller.deleted.contains(found.id), !callerSetsKey(of: found, schema)
        else { continue }
        saved[row.id] = found
      }
    }
    guard !saved.isEmpty else { return [:] }
    let successors = saved.mapValues(\.id)
    responses.updated += responses.inserted.compactMap { row in
      saved[row.id].map { ResponseChanges.Update(row, addedTo: $0, schema) }
    }
    responses.inserted.removeAll { saved[$0.id] != nil }
    responses.toOnes.removeAll { end, target in Self.setsSavedRelationship(end, target, saved, schema) }
    responses.orderings.removeAll { saved[$0.owner] != nil }
    replace(successors)
    return successors
  }

  private func callerSetsKey(of row: Row, _ schema: Schema) -> Bool {
    guard case .attributes(let positions) = schema.entities[row.entity].key else { return false }
    return positions.contains {
      caller.sets(column: schema.entities[row.entity].attributes[$0].column, of: row.id)
    }
  }

  /// Returns a Boolean value that indicates whether a saved record has already set a to-one relationship or its
  /// inverse.
  private static func setsSavedRelationship(
    _ end: RelationshipEnd, _ target: RecordID?, _ saved: [RecordID: Row], _ schema: Schema
  ) -> Bool {
    let relationship = schema.relationships[end.relationship]
    if let row = saved[end.owner], let slot = relationship.slot, row.toOnes[slot] != nil { return true }
    guard let row = target.flatMap({ saved[$0] }),
      let slot = relationship.inverse.flatMap({ schema.relationships[$0].slot })
    else { return false }
    return row.toOnes[slot] != nil
  }
}

extension ResponseChanges.Update {
  /// Creates an update with the values that an unsaved record has and the saved one does not.
  fileprivate init(_ unsaved: Row, addedTo saved: Row, _ schema: Schema) {
    id = saved.id
    var after = saved.entity
    if unsaved.entity != after, schema.isKind(unsaved.entity, of: after) {
      after = unsaved.entity
      entity = after
    }
    for attribute in schema.entities[after].attributes
    where saved.isStub || saved.values[attribute.column] == nil {
      guard let value = unsaved.values[attribute.column], value != attribute.defaultValue else { continue }
      values.append((attribute.column, value))
    }
    if saved.isStub, !unsaved.isStub { isStub = false }
  }
}
