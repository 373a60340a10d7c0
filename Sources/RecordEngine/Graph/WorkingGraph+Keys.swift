import OrderedCollections
import RecordModel

/// Records by key, including those with unsaved changes.
extension WorkingGraph {
  /// Returns the current rows with the given keys in a key scope; nil for keys that no row has.
  ///
  /// If several unsaved records have a key, which no save permits, the one that was changed first is returned.
  mutating func rows(scope: EntityIndex, keys: [RecordKey]) throws(StoreError) -> [Row?] {
    let stored = try reader.rows(scope: scope, keys: keys)
    adopt(stored.compactMap(\.self))
    var changed: [RecordKey: RecordID] = [:]
    for row in changedRows where schema.entities[row.entity].keyScope == scope {
      if let key = row.key(in: schema), changed[key] == nil { changed[key] = row.id }
    }
    return zip(keys, stored).map { key, stored in
      let current = stored.flatMap { knownRow($0.id) }
      let isFound = current.map { $0.key(in: schema) == key } ?? false
      let row = isFound ? current : changed[key].flatMap { knownRow($0) }
      return row.map { withoutDeletedTargets($0) }
    }
  }

  /// Returns, for each record that changes insert and whose key another record has, that record.
  ///
  /// A record that the changes delete, or whose key they change, does not count.
  mutating func successors(of changes: ChangeSet) throws(StoreError) -> [RecordID: RecordID] {
    if changes.inserted.isEmpty { return [:] }
    var keyed: OrderedDictionary<EntityIndex, [(key: RecordKey, id: RecordID)]> = [:]
    var children: [Child] = []
    for row in changes.inserted {
      if let key = row.key(in: schema) {
        keyed[schema.entities[row.entity].keyScope, default: []].append((key, row.id))
      } else if let child = Child(row, schema) {
        children.append(child)
      }
    }
    let leaving = changes.recordsWithoutTheirKey(schema)
    var successors: [RecordID: RecordID] = [:]
    let deletedRecords = deletedRecords
    for (scope, records) in keyed {
      let deleted = deletedRecords[scope] ?? [:]
      for (row, record) in zip(try rows(scope: scope, keys: records.map(\.key)), records) {
        if let row, row.id != record.id, !leaving.contains(row.id) {
          successors[record.id] = row.id
        } else if row == nil, let id = deleted[record.key] {
          successors[record.id] = id
        }
      }
    }
    let isInserted = Set(changes.inserted.lazy.map(\.id))
    // Each pass also finds the children of those that the previous one has found.
    while !children.isEmpty {
      let count = children.count
      try load(children.map { successors[$0.parent] ?? $0.parent }.filter { !isInserted.contains($0) })
      let partners = children.map { child in
        knownRow(successors[child.parent] ?? child.parent)?.toOnes[child.slot]
      }
      try load(partners.compactMap(\.self))
      children = zip(children, partners).compactMap { child, partner in
        guard let partner, partner != child.id, !leaving.contains(partner), knownRow(partner) != nil else {
          return child
        }
        successors[child.id] = partner
        return nil
      }
      if children.count == count { break }
    }
    return successors
  }

  /// An inserted record whose key is a parent that has one child.
  private struct Child {
    let id: RecordID
    let parent: RecordID
    /// The slot of the child in the row of the parent.
    let slot: SlotIndex

    init?(_ row: Row, _ schema: Schema) {
      guard case .relationship(let relationship) = schema.entities[row.entity].key,
        let parent = schema.relationships[relationship].slot.flatMap({ row.toOnes[$0] }),
        let slot = schema.relationships[relationship].inverse.flatMap({ schema.relationships[$0].slot })
      else { return nil }
      (id, self.parent, self.slot) = (row.id, parent, slot)
    }
  }

  /// The stored records that were deleted here, by key scope and key.
  var deletedRecords: [EntityIndex: [RecordKey: RecordID]] {
    guard hasDeletions else { return [:] }
    var records: [EntityIndex: [RecordKey: RecordID]] = [:]
    for id in deletedIDs.sorted() {
      guard let row = storedRow(id), let key = row.key(in: schema) else { continue }
      let scope = schema.entities[row.entity].keyScope
      records[scope, default: [:]][key] = records[scope]?[key] ?? id
    }
    return records
  }
}

extension ChangeSet {
  /// Returns the records that the changes delete, or whose key they change.
  fileprivate func recordsWithoutTheirKey(_ schema: Schema) -> Set<RecordID> {
    var records = Set(deleted.lazy.map(\.id))
    for update in updated {
      let (before, after) = (update.before, update.after)
      var isChanged = before.key(in: schema) != after.key(in: schema)
      if case .relationship(let relationship) = schema.entities[before.entity].key,
        let slot = schema.relationships[relationship].slot
      {
        isChanged = isChanged || before.toOnes[slot] != after.toOnes[slot]
      }
      if isChanged { records.insert(after.id) }
    }
    return records
  }
}
