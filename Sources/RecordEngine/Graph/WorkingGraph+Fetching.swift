import OrderedCollections
import RecordModel

/// Fetches that include the unsaved changes. The store answers them as far as no change affects the result.
extension WorkingGraph {
  package mutating func rows(_ fetch: StoreFetch) throws(StoreError) -> [Row] {
    known(try current(fetch))
  }

  package mutating func count(_ fetch: StoreFetch) throws(StoreError) -> Int {
    hasChanges(for: fetch) ? try current(fetch).count : try reader.count(fetch)
  }

  package mutating func distinctValues(
    inColumn column: ColumnIndex, _ fetch: StoreFetch
  ) throws(StoreError) -> [AttributeValue] {
    guard hasChanges(for: fetch) else {
      return try reader.distinctValues(inColumn: column, fetch)
    }
    return AttributeValue.distinct(try current(fetch).compactMap { $0.values[column] })
  }

  /// Returns a Boolean value that indicates whether any of some records may match a fetch. It is false only if none of
  /// them does. The offset and the limit are ignored.
  mutating func canFind(_ ids: [RecordID], _ fetch: StoreFetch) throws(StoreError) -> Bool {
    if reachesChanges(fetch) { return true }
    return try !matches(fetch, among: ids).isEmpty
  }

  /// Returns the rows that match a fetch after some records have changed; nil if the store has to be searched, because
  /// other records than these and the former result can match, or because the fetch follows relationships.
  ///
  /// The unchanged records of the former result still match, even if a save that is not merged yet has deleted them.
  mutating func rows(
    _ fetch: StoreFetch, formerly former: [RecordID], changed: [RecordID]
  ) throws(StoreError) -> [Row]? {
    let isComplete = fetch.offset == 0 && fetch.limit.map { former.count < $0 } ?? true
    guard isComplete, fetch.relationships(schema).isEmpty else { return nil }
    let kept = Array(OrderedSet(former).subtracting(changed))
    var matching = try matches(fetch, among: changed)
    for (id, stored) in zip(kept, try reader.rows(kept)) {
      if let row = isChanged(id) ? knownRow(id) : stored ?? knownRow(id) { matching.append(row) }
    }
    return known(fetch.page(of: try fetch.sorted(matching, schema, from: &self)))
  }

  /// Keeps rows of the store, and returns them as they are known here.
  private mutating func known(_ rows: [Row]) -> [Row] {
    adopt(rows)
    return rows.compactMap { knownRow($0.id) }
  }

  private mutating func matches(_ fetch: StoreFetch, among ids: [RecordID]) throws(StoreError) -> [Row] {
    let stored = try reader.rows(ids.filter { !isChanged($0) }).compactMap(\.self)
    let candidates = stored + ids.filter { isChanged($0) }.compactMap(knownRow)
    let kind = candidates.filter { schema.isKind($0.entity, of: fetch.entity) }
    return try fetch.matches(among: kind, schema, from: &self)
  }
}

// MARK: - With changes

extension WorkingGraph {
  /// Returns the rows that match a fetch, with the unsaved changes. Does not keep rows that it only tests.
  private mutating func current(_ fetch: StoreFetch) throws(StoreError) -> [Row] {
    let changed = changedIDs.filter { $0.tree == schema.entities[fetch.entity].tree }
    if reachesChanges(fetch) {
      let stored = try reader.rows(of: fetch.entity)
      let isStored = Set(stored.map(\.id))
      let present = stored.compactMap { isKnown($0.id) ? knownRow($0.id) : $0 }
      let others = changed.filter { !isStored.contains($0) }.compactMap(knownRow)
      let candidates = (present + others).filter { schema.isKind($0.entity, of: fetch.entity) }
      return try fetch.answer(among: candidates, schema: schema, from: &self)
    }
    guard !changed.isEmpty else { return try reader.rows(fetch) }
    // A change can remove a row from the result of the store, or add one. At worst, all changed rows are removed.
    var wider = fetch
    wider.offset = 0
    wider.limit = fetch.limit.map { limit in
      [fetch.offset, limit, changed.count].reduce(0) { sum, part in
        let (next, overflows) = sum.addingReportingOverflow(part)
        return overflows ? .max : next
      }
    }
    let unchanged = try reader.rows(wider).filter { !isChanged($0.id) }
    let candidates = changed.compactMap(knownRow).filter { schema.isKind($0.entity, of: fetch.entity) }
    let matching = try fetch.matches(among: candidates, schema, from: &self)
    return fetch.page(of: try fetch.sorted(unchanged + matching, schema, from: &self))
  }

  /// Returns a Boolean value that indicates whether the result may differ from that of the store.
  private func hasChanges(for fetch: StoreFetch) -> Bool {
    changedIDs.contains { $0.tree == schema.entities[fetch.entity].tree } || reachesChanges(fetch)
  }

  /// Returns a Boolean value that indicates whether the predicate or the order of a fetch uses relationships that may
  /// differ from the store, or that may lead to changed records.
  private func reachesChanges(_ fetch: StoreFetch) -> Bool {
    if isUntouched { return false }
    let relationships = fetch.relationships(schema)
    guard !relationships.isEmpty else { return false }
    let trees = Set(relationships.map { schema.entities[schema.relationships[$0].destination].tree })
    return changedIDs.contains { trees.contains($0.tree) }
      || hasChangedLinks(under: Set(relationships.compactMap { schema.relationships[$0].linkRelationship }))
  }
}

extension StoreFetch {
  /// Returns the inheritance trees of the records to which the predicate or the order leads.
  func relatedTrees(_ schema: Schema) -> Set<TreeIndex> {
    Set(relationships(schema).map { schema.entities[schema.relationships[$0].destination].tree })
  }

  /// Returns every relationship that the predicate or the order uses, for any entity that a key path may reach.
  fileprivate func relationships(_ schema: Schema) -> Set<RelationshipIndex> {
    var result = Set(sort.flatMap(\.path))
    for keyPath in predicate?.keyPaths ?? [] {
      var entities = [entity]
      for key in keyPath.keys {
        let found = schema.entities.filter { candidate in
          entities.contains { schema.isKind(candidate.index, of: $0) }
        }.compactMap { $0.relationshipIndices[PropertyName(key)] }
        result.formUnion(found)
        entities = found.map { schema.relationships[$0].destination }
      }
    }
    return result
  }
}

/// The current rows and members, without deleted records.
extension WorkingGraph: RowSource {
  /// Returns rows. Reads rows that are not known with one query, and does not keep them.
  package mutating func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?] {
    let missing = ids.filter { !isKnown($0) }
    var found: [RecordID: Row] = [:]
    if !missing.isEmpty {
      for case let row? in try reader.rows(missing) { found[row.id] = row }
    }
    return ids.map { id in (knownRow(id) ?? found[id]).map(withoutDeletedTargets) }
  }

  package mutating func members(
    of relationship: RelationshipIndex, owners: [RecordID]
  ) throws(StoreError) -> [[RecordID]] {
    try prepareMembers(of: relationship, owners: owners)
    return try owners.map { owner throws(StoreError) in try members(of: relationship, owner: owner) }
  }

  /// Returns the row without to-one relationships to deleted records. Relationships without inverse keep these until
  /// the save.
  func withoutDeletedTargets(_ row: Row) -> Row {
    guard hasDeletions else { return row }
    var row = row
    for slot in row.toOnes.indices where row.toOnes[slot].map(isDeleted) ?? false { row.toOnes[slot] = nil }
    return row
  }
}
